package io.weir.internal.writeback;

import io.weir.lincheck.Interleavings;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * A lane's epoch is asked for, told and not told in time.
 *
 * <p>One at a time each question is told or silent, once, and what was told last is known; that is
 * asserted.
 */
class EpochTrackerLincheckTest {
  private static final CacheContext NODE = Still.node();

  /** The era of a store that has another epoch each time. */
  public static class Used implements EpochTracker.Owner {
    private final HandTimers alarms = new HandTimers();
    private final ToldStore store = new ToldStore();
    private final EpochTracker era = new EpochTracker(0, store, NODE, alarms.timers(), this);
    private final AtomicInteger ends = new AtomicInteger();
    private final AtomicInteger latest = new AtomicInteger();

    public Used() {
      era.ask();
    }

    @Override
    public void told() {
      ends.incrementAndGet();
    }

    @Override
    public void toldLate() {}

    @Override
    public void silent(Throwable why) {
      ends.incrementAndGet();
    }

    @Override
    public void lost(EpochTracker lost) {
      throw new IllegalStateException("nothing was lost");
    }

    @Operation
    public void askAndHear() {
      era.ask();
      store.answer();
      look();
    }

    @Operation
    public void timeOut() {
      alarms.ring();
    }

    private void look() {
      int before = latest.get();
      int seen = era.isKnown() ? Integer.parseInt(era.epoch().id()) : 0;
      latest.accumulateAndGet(seen, Math::max);
      if (seen < before) {
        throw new IllegalStateException("epoch " + seen + " again after " + before);
      }
    }

    @Validate
    public void eachQuestionEndsOnceAndAnotherMayBeAsked() {
      while (store.answer()) {
        // Until all are.
      }
      look();
      int asked = store.epochs();
      era.ask();
      if (ends.get() != asked || store.epochs() != asked + 1) {
        throw new IllegalStateException(asked + " asked, " + ends + ", then " + store.epochs());
      }
    }
  }

  @Test
  void eachQuestionEndsOnceAndNothingOlderIsLearntAfterwards() {
    Interleavings.check(Used.class);
  }
}

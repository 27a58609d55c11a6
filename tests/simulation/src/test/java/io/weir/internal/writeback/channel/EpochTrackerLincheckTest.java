package io.weir.internal.writeback.channel;

import io.weir.internal.clock.ExtendableTimeout;
import io.weir.internal.writeback.HandTimers;
import io.weir.internal.writeback.Still;
import io.weir.internal.writeback.ToldStore;
import io.weir.lincheck.Interleavings;
import io.weir.seeds.OneDayIn;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * A partition's epoch is asked for, and answered in time or too late.
 *
 * <p>One at a time each question is answered or not, once, and the last answer is known; that is
 * asserted.
 */
@OneDayIn(2)
class EpochTrackerLincheckTest {
  private static final long FLUSH = 100_000;

  /** The tracker of a store that has another epoch each time. */
  public static class Used implements EpochTracker.Listener {
    @Override
    public long silentMicros() {
      return ExtendableTimeout.UNKNOWN;
    }

    private final HandTimers alarms = new HandTimers();
    private final ToldStore store = new ToldStore();
    private final EpochTracker epochs =
        new EpochTracker(
            0,
            store,
            Still.CLOCK,
            Still.TIMEOUT,
            FLUSH,
            alarms.scheduler(),
            HandTimers.NOBODY,
            this);
    private final AtomicInteger ends = new AtomicInteger();
    private final AtomicInteger latest = new AtomicInteger();

    public Used() {
      epochs.ask();
    }

    @Override
    public void epochAnswered() {
      ends.incrementAndGet();
    }

    @Override
    public void epochAnsweredLate() {}

    @Override
    public void epochUnanswered(Throwable why) {
      ends.incrementAndGet();
    }

    @Override
    public void dataLost() {
      throw new IllegalStateException("nothing was lost");
    }

    @Operation
    public void askAndHear() {
      epochs.ask();
      store.answer();
      peek();
    }

    @Operation
    public void timeOut() {
      alarms.ring();
    }

    private void peek() {
      int before = latest.get();
      int seen = epochs.isKnown() ? Integer.parseInt(epochs.epoch().id()) : 0;
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
      peek();
      int asked = store.epochs();
      epochs.ask();
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

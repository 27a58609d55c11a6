package io.weir.internal.writeback;

import io.weir.lincheck.Interleavings;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * Entries are added and looked at, also while they are too many.
 *
 * <p>One at a time it is a queue; what is asserted of it is that each that is added and not gone is
 * looked at once.
 */
class FlushQueueLincheckTest {
  private static final List<ActiveBucket> ENTRIES =
      IntStream.range(0, 6).mapToObj(i -> Still.entry(Still.WISH, Still.node())).toList();

  /** A queue in which a single entry is enough. */
  public static class Used {
    private final FlushQueue busy = new FlushQueue(1);
    private final AtomicInteger added = new AtomicInteger();
    private final AtomicInteger looked = new AtomicInteger();

    @Operation
    public void add() {
      busy.add(ENTRIES.get(added.getAndIncrement()));
    }

    @Operation
    public void drain() {
      busy.drain(entry -> looked.incrementAndGet());
    }

    @Validate
    public void eachIsLookedAtOnce() {
      drain();
      if (looked.get() != added.get() || busy.size() != 0) {
        throw new IllegalStateException(added + " added, looked at " + looked + ", " + busy.size());
      }
    }
  }

  @Test
  void nobodyIsForgottenOrLookedAtTwice() {
    Interleavings.check(Used.class);
  }
}

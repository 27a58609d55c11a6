package io.weir.internal.writeback;

import io.weir.lincheck.Interleavings;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * Buckets are added and visited, also while they are too many.
 *
 * <p>One at a time it is a queue; what is asserted of it is that each that is added and not gone is
 * visited once.
 */
class FlushQueueLincheckTest {
  private static final List<Integer> BUCKETS = IntStream.range(0, 6).boxed().toList();

  /** A queue that one bucket fills. */
  public static class Used {
    private final FlushQueue<Integer> queue = new FlushQueue<>(1, gone -> false);
    private final AtomicInteger added = new AtomicInteger();
    private final AtomicInteger visited = new AtomicInteger();

    @Operation
    public void add() {
      queue.add(BUCKETS.get(added.getAndIncrement()));
    }

    @Operation
    public void drain() {
      queue.drain(bucket -> visited.incrementAndGet());
    }

    @Validate
    public void eachIsVisitedOnce() {
      drain();
      if (visited.get() != added.get() || queue.size() != 0) {
        throw new IllegalStateException(added + " added, visited " + visited + ", " + queue.size());
      }
    }
  }

  @Test
  void nobodyIsForgottenOrVisitedTwice() {
    Interleavings.check(Used.class);
  }
}

package io.weir.internal.writeback.lease;

import io.weir.internal.writeback.Still;
import io.weir.lincheck.Interleavings;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * Demand that is noted without a lock, by the lease and beside it, while a flush collects it.
 *
 * <p>One at a time it is the number of requests; among threads it may be less, and that it is never
 * more is asserted.
 */
class DemandMeterLincheckTest {
  /** Requests of two threads for a lease of five. */
  public static class Used {
    private final DemandMeter demand = new DemandMeter(0);
    private final Lease lease = new Lease(1, 1_000, 5);
    private final AtomicInteger asked = new AtomicInteger();

    @Operation
    public void noteAndSpend() {
      asked.addAndGet(2);
      demand.note(1);
      lease.spend(1, Still.NOW);
    }

    @Operation
    public void spendAndUndo() {
      lease.spend(1, Still.NOW);
      lease.undoSpend(1, Still.NOW);
    }

    @Operation(nonParallelGroup = "bucket")
    public void collect() {
      demand.collect(lease);
    }

    @Validate
    public void isNeverMoreThanThereWas() {
      demand.collect(lease);
      if (demand.sinceFlush() > asked.get() || demand.earnings() > asked.get()) {
        throw new IllegalStateException(
            demand.sinceFlush() + " and " + demand.earnings() + " of " + asked);
      }
    }
  }

  @Test
  void isNeverCountedTooHigh() {
    Interleavings.check(Used.class);
  }
}

package io.weir.internal.writeback.lease;

import io.weir.lincheck.Interleavings;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * Uses of one lease in every order: no permit is made, lost or spent twice.
 *
 * <p>One at a time it is a count of permits and one of requests, both of which end when it is
 * sealed.
 */
class LeaseLincheckTest {
  private static final long NOW = 0;

  /** The lease, of five permits. */
  public static class Used {
    private final Lease lease = new Lease(1, 1_000, 5);

    @Operation
    public boolean spendTwo() {
      return lease.spend(2, NOW) != Lease.NOTHING;
    }

    @Operation
    public boolean unspendTwo() {
      return lease.undoSpend(2, NOW);
    }

    @Operation(nonParallelGroup = "bucket")
    public boolean putOne() {
      return lease.add(1, NOW);
    }

    @Operation(nonParallelGroup = "bucket")
    public boolean takeOne() {
      return lease.withdraw(1, NOW);
    }

    @Operation(nonParallelGroup = "bucket")
    public String seal() {
      return lease.seal() + " left, requests " + Lease.between(0, lease.requests());
    }
  }

  /** The sequential specification. */
  public static class Model {
    private long permits = 5;
    private long requests;
    private boolean sealed;

    public boolean spendTwo() {
      return changes(-2, 1);
    }

    public boolean unspendTwo() {
      return changes(2, -1);
    }

    public boolean putOne() {
      return changes(1, 0);
    }

    public boolean takeOne() {
      return changes(-1, 0);
    }

    public String seal() {
      String last = permits + " left, requests " + requests;
      sealed = true;
      permits = 0;
      return last;
    }

    private boolean changes(long more, long asked) {
      boolean may = !sealed && permits + more >= 0;
      permits += may ? more : 0;
      requests += may ? asked : 0;
      return may;
    }
  }

  @Test
  void aSealedLeaseIsNeverSpentAndNoPermitIsLost() {
    Interleavings.check(Used.class, Model.class);
  }
}

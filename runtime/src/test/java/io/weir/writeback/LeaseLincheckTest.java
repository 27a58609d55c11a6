package io.weir.writeback;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/** All interleavings of a few uses of one lease: no permit is made, lost or spent twice. */
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
    public boolean putOne() {
      return lease.put(1, NOW);
    }

    @Operation
    public long seal() {
      return lease.seal();
    }

    @Operation
    public long held() {
      return lease.held(NOW);
    }
  }

  /** What it should do: a count that ends when it is sealed. */
  public static class Model {
    private long permits = 5;
    private boolean sealed;

    public boolean spendTwo() {
      boolean spends = !sealed && permits >= 2;
      permits -= spends ? 2 : 0;
      return spends;
    }

    public boolean putOne() {
      permits += sealed ? 0 : 1;
      return !sealed;
    }

    public long seal() {
      long last = permits;
      sealed = true;
      permits = 0;
      return last;
    }

    public long held() {
      return permits;
    }
  }

  @Test
  void aSealedLeaseIsNeverSpentAndNoPermitIsLost() {
    new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(1)
        .iterations(10)
        .invocationsPerIteration(300)
        .sequentialSpecification(Model.class)
        .check(Used.class);
  }
}

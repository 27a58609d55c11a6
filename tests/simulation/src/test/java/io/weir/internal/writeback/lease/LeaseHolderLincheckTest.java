package io.weir.internal.writeback.lease;

import io.weir.Decision;
import io.weir.internal.permits.RequestDecision;
import io.weir.internal.writeback.Still;
import io.weir.lincheck.Interleavings;
import io.weir.seeds.OneDayIn;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * The part of a bucket that is used without its lock: requests spend from a lease that the lock's
 * owner fills, replaces and gives up.
 *
 * <p>One at a time it is a sum, and that is asserted: what was granted was spent, or is at hand, or
 * goes back.
 */
@OneDayIn(2)
class LeaseHolderLincheckTest {
  private static final long STAMP = 1;
  private static final long END = 1_000;
  private static final BucketSnapshot SIGHT =
      new BucketSnapshot(Still.NOW, 0, Still.LIMIT, Still.LIMIT, 0);

  private static final Grant GRANT = Grant.builder().granted(2, STAMP, END).build();

  /** The state and the permits of a bucket. */
  public static class Used {
    private final FastPath fastPath = new FastPath(Still.BUCKET, SIGHT) {};
    private final LeaseHolder holder =
        new LeaseHolder(fastPath, new FarLeaseSizer(Still.POLICY.spec(), Still.HORIZON));
    private final AtomicLong spent = new AtomicLong();
    private long granted;

    public Used() {
      grant();
    }

    @Operation
    public void spend() {
      if (fastPath.admit(Still.TERMS, Still.KEY, Still.NOW) != null) {
        spent.incrementAndGet();
      }
    }

    @Operation
    public void spendAndUndo() {
      if (fastPath.admit(Still.TERMS, Still.KEY, Still.NOW) != null
          && !fastPath.undoAdmit(STAMP, 1, Still.NOW)) {
        spent.incrementAndGet();
      }
    }

    @Operation(nonParallelGroup = "bucket")
    public void grant() {
      granted += GRANT.permits();
      long end = END - granted; // each ends sooner, and so replaces the lease
      long unused = holder.add(GRANT, 0, Still.LIMIT, end, Still.NOW);
    }

    @Operation(nonParallelGroup = "bucket")
    public void trim() {
      holder.trim(0, Still.NOW);
    }

    @Operation(nonParallelGroup = "bucket")
    public void release() {
      holder.release();
    }

    @Validate
    public void noPermitIsMadeOrLost() {
      holder.release();
      long back = holder.takeGiveBacks().stream().mapToLong(GiveBack::permits).sum();
      if (granted != spent.get() + back) {
        throw new IllegalStateException(granted + " granted, " + spent + " spent, " + back);
      }
    }
  }

  /** The same for a far lease: what isn't given back is reported as spent, each permit once. */
  public static class Lent {
    private static final Grant FAR = Grant.builder().granted(2, STAMP, END).far(true).build();

    private final FastPath fastPath = new FastPath(Still.BUCKET, SIGHT) {};
    private final LeaseHolder holder =
        new LeaseHolder(fastPath, new FarLeaseSizer(Still.POLICY.spec(), Still.HORIZON));
    private final AtomicLong spent = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private long granted;

    public Lent() {
      grant();
    }

    @Operation
    public void spend() {
      if (fastPath.admit(Still.TERMS, Still.KEY, Still.NOW) != null) {
        spent.incrementAndGet();
      }
    }

    @Operation
    public void spendUnderALowerLimit() {
      if (fastPath.admit(Still.LOWER, Still.KEY, Still.NOW) != null) {
        throw new IllegalStateException("admitted under a lower limit than that of the lease");
      }
    }

    @Operation
    public void spendAndUndo() {
      Decision admission = fastPath.admit(Still.TERMS, Still.KEY, Still.NOW);
      if (admission != null && !fastPath.undoAdmit(stamp(admission), 1, Still.NOW)) {
        lost.incrementAndGet(); // reported as spent
      }
    }

    @Operation(nonParallelGroup = "bucket")
    public void grant() {
      granted += FAR.permits();
      long unused = holder.add(FAR, 0, Still.LIMIT, END, Still.NOW);
    }

    @Operation(nonParallelGroup = "bucket")
    public void release() {
      holder.release();
    }

    @Operation(nonParallelGroup = "bucket")
    public void restAndWake() {
      RestingLease kept = holder.rest(Still.NOW);
      if (kept != null) {
        holder.restore(kept);
      }
    }

    @Validate
    public void eachPermitIsReportedOnce() {
      holder.release();
      long back = 0;
      long reported = 0;
      for (GiveBack each : holder.takeGiveBacks()) {
        back += each.permits();
        reported += each.spent();
      }
      if (granted != reported + back || reported != spent.get() + lost.get()) {
        throw new IllegalStateException(granted + " granted, " + spent + " spent, " + reported);
      }
    }
  }

  private static long stamp(Decision admission) {
    return RequestDecision.cast(admission).stamp();
  }

  @Test
  void eachPermitOfAFarLeaseIsGivenBackOrReportedOnce() {
    Interleavings.check(Lent.class);
  }

  @Test
  void eachPermitIsSpentOrGivenBackOnce() {
    Interleavings.check(Used.class);
  }
}

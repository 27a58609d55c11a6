package io.weir.internal.writeback.debt;

import io.weir.internal.clock.DriftMargin;
import io.weir.internal.writeback.Still;
import io.weir.lincheck.Interleavings;
import io.weir.seeds.OneDayIn;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * Borrowed permits of evicted buckets, remembered in a table that the first of them makes.
 *
 * <p>Sequentially, the latest time noted is the result, which is asserted.
 */
@OneDayIn(2)
class OvershootAllowanceLincheckTest {
  private static final long WINDOW = DriftMargin.lengthen(Still.BUCKET.spec().windowMicros());
  private static final OvershootShareHistory SHARES = new OvershootShareHistory();

  /** The table. */
  @Param(name = "time", gen = IntGen.class, conf = "1:3")
  public static class Used {
    private final OvershootAllowance allowance = new OvershootAllowance(SHARES, 1);
    private final AtomicInteger latest = new AtomicInteger();

    @Operation
    public void remember(@Param(name = "time") int time) {
      allowance.remember(Still.BUCKET, time);
      latest.accumulateAndGet(time, Math::max);
    }

    @Validate
    public void theLatestLoanIsRemembered() {
      long over = WINDOW + latest.get();
      if (!allowance.isUntouched(Still.BUCKET, over)
          || allowance.isUntouched(Still.BUCKET, over - 1)) {
        throw new IllegalStateException("not the last of all, which was " + latest);
      }
    }
  }

  @Test
  void theLatestLoanIsRemembered() {
    Interleavings.check(Used.class);
  }
}

package io.weir.writeback;

import io.weir.lincheck.Interleavings;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * What is remembered of loans whose entries are gone, by a table that the first of them makes.
 *
 * <p>One at a time it is the latest time that was noted.
 */
class OverdraftLincheckTest {
  private static final long WINDOW = LeaseLife.surely(Still.BUCKET.shape().windowMicros());
  private static final Shares SHARES = new Shares();

  /** The table. */
  @Param(name = "time", gen = IntGen.class, conf = "1:3")
  public static class Used {
    private final Overdraft overdraft = new Overdraft(SHARES, 1);

    @Operation
    public void remember(@Param(name = "time") int time) {
      overdraft.remember(Still.BUCKET, time);
    }

    @Operation
    public boolean isUntouched(@Param(name = "time") int time) {
      return overdraft.isUntouched(Still.BUCKET, WINDOW + time);
    }
  }

  /** What it should do. */
  public static class Model {
    private long last;

    public void remember(int time) {
      last = Math.max(last, time);
    }

    public boolean isUntouched(int time) {
      return time >= last;
    }
  }

  @Test
  void theLatestLoanIsRemembered() {
    Interleavings.check(Used.class, Model.class);
  }
}

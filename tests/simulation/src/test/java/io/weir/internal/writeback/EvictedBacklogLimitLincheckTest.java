package io.weir.internal.writeback;

import io.weir.lincheck.Interleavings;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * Evicted buckets are kept and let go.
 *
 * <p>One at a time it is a count with a bound.
 */
class EvictedBacklogLimitLincheckTest {
  private static final long MAX = 1;

  /** Room for one. */
  public static class Used {
    private final EvictedBacklogLimit leftovers = new EvictedBacklogLimit(MAX);

    @Operation
    public boolean keeps() {
      return leftovers.keeps(false);
    }

    @Operation
    public void done() {
      leftovers.release();
    }
  }

  /** The sequential specification. */
  public static class Model {
    private long kept;

    public boolean keeps() {
      boolean keeps = kept < MAX;
      kept += keeps ? 1 : 0;
      return keeps;
    }

    public void done() {
      kept--;
    }
  }

  @Test
  void noMoreAreKeptThanThereIsRoomFor() {
    Interleavings.check(Used.class, Model.class);
  }
}

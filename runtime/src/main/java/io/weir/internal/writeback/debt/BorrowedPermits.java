package io.weir.internal.writeback.debt;

import io.weir.internal.clock.DriftMargin;
import io.weir.internal.clock.NodeClock;

/**
 * Counts the permits that a bucket has borrowed at this node since it last went a whole window
 * without borrowing.
 *
 * <p>Confine to one thread.
 */
public final class BorrowedPermits {
  private final long window;
  private long borrowed;
  private long at = Long.MIN_VALUE;

  BorrowedPermits(long windowMicros) {
    this.window = DriftMargin.lengthen(windowMicros);
  }

  /** Borrows all of these permits or none. */
  boolean borrow(long permits, long allowed, long now) {
    if (at == Long.MIN_VALUE || isOver(now)) {
      borrowed = 0;
    }
    if (permits > allowed - borrowed) {
      return false;
    }
    borrowed += permits;
    at = Math.max(at, now); // a thread may have read the clock long before another
    return true;
  }

  /** Returns whether a window has passed since it borrowed. */
  boolean isOver(long now) {
    return now >= NodeClock.after(at, window);
  }

  /** Returns when it borrowed last. */
  public long at() {
    return at;
  }
}

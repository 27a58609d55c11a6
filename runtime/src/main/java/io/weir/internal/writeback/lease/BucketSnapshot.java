package io.weir.internal.writeback.lease;

/**
 * The state of a bucket in the store's last answer.
 *
 * <p>Immutable.
 *
 * @param at when the answer came
 * @param left permits that were free in the store
 * @param effectiveLimit the effective limit by which that was so
 * @param burst the burst by which that was so
 * @param resetAt when more than {@code left} will be free by ageing alone; not after {@code at} if
 *     it was full
 */
public record BucketSnapshot(long at, long left, long effectiveLimit, long burst, long resetAt) {

  /**
   * Returns the permits left by another burst; exact for the window algorithms unless nothing is
   * left.
   */
  public long left(long otherBurst) {
    return Math.max(0, left + otherBurst - burst);
  }

  /** Returns microseconds. */
  public long reset(long now) {
    return resetAt <= at ? 0 : Math.max(1, resetAt - now);
  }
}

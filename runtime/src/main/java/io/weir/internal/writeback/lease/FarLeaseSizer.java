package io.weir.internal.writeback.lease;

import io.weir.store.BucketSpec;

/**
 * Decides how many permits of one bucket this node should hold for long, in a far lease: as many as
 * the last one served, twice as many if that was used up, and at first a few, or more of a high
 * limit.
 *
 * <p>None for a hot bucket, which short leases serve at less cost to other nodes, and none within a
 * window after the bucket was low. This decides what is good to hold, not what may be spent: no
 * promise depends on it.
 *
 * <p>Needs the bucket's lock.
 */
public final class FarLeaseSizer {
  private static final int MIN_PERMITS = 2;
  private static final int MAX_PERMITS = 32;

  /** Lets each of eight nodes have that many of the sixteenth that the store lends. */
  private static final int PART_AT_FIRST = 16 * 8;

  private static final int SMALLEST_LIMIT = 16;

  private final boolean on;
  private final long window;
  private int served;
  private long lowAt = RestingLease.LONG_AGO;
  private boolean reports = true;

  public FarLeaseSizer(BucketSpec spec, LeaseHorizon horizon) {
    on = horizon.hasFarLeases(spec);
    window = spec.windowMicros();
  }

  boolean isOn() {
    return on;
  }

  /**
   * Returns the permits to claim for long, beyond those that requests wait for.
   *
   * @param expected permits that a short lease would hold
   */
  long permits(long needed, long expected, BucketLimits limits, long now) {
    boolean none =
        !on
            || Math.max(needed - 1, expected) >= MAX_PERMITS
            || limits.excess() > 0
            || limits.effectiveLimit() < SMALLEST_LIMIT
            || isLow(now);
    return none ? 0 : Math.max(fewest(limits.effectiveLimit()), served);
  }

  private static long fewest(long limit) {
    return Math.min(MAX_PERMITS, Math.max(MIN_PERMITS, limit / PART_AT_FIRST));
  }

  private boolean isLow(long now) {
    return now - lowAt < window;
  }

  /** Notes that a far lease has ended: its size, and the permits left in it. */
  void ended(long size, long left) {
    long next = left == 0 ? 2 * size : size - left;
    served = (int) Math.max(0, Math.min(MAX_PERMITS, next));
  }

  /**
   * Notes what the store has left: if it is less than a quarter, there are no far leases for a
   * window.
   */
  public void learn(long left, long limit, long now) {
    if (left < (limit + 3) / 4) {
      lowAt = now;
    }
  }

  /** Notes a refund of permits already reported as spent: no far leases for a window. */
  void refundedTooLate(long now) {
    lowAt = now;
  }

  /**
   * Sets whether permits that requests take are spent for good, as far as is known when they take
   * them.
   */
  public void setReports(boolean spentForGood) {
    reports = spentForGood;
  }

  boolean reports() {
    return reports;
  }

  int served() {
    return served;
  }

  /**
   * Returns when the bucket was last low; {@link RestingLease#LONG_AGO} if that no longer matters.
   */
  long lowAt(long now) {
    return isLow(now) ? lowAt : RestingLease.LONG_AGO;
  }

  /** Returns whether there is anything to remember. */
  boolean isWorthKeeping(long now) {
    return served > 0 || isLow(now);
  }

  void restore(RestingLease last) {
    served = last.served();
    lowAt = last.lowAt();
  }
}

package io.weir.internal.writeback;

import io.weir.internal.algorithm.BucketKind;
import io.weir.store.BucketSpec;

/**
 * How far ahead a node provides permits. This is what it is good to hold, not what may be spent: no
 * promise depends on it.
 *
 * <p>Immutable.
 *
 * @param flush the flush interval in microseconds
 * @param minLife the shortest life of a grant in microseconds
 */
record LeaseHorizon(long flush, long minLife) {
  private static final int FLUSHES = 10;

  /** For how long a lease should last: ten flushes, but no longer than its slot. */
  long horizon(BucketSpec spec, long effectiveLimit, long burst) {
    long lease =
        BucketKind.of(spec.algorithm())
            .leaseMicros(spec.windowMicros(), effectiveLimit, burst, minLife);
    return Math.min(FLUSHES * flush, lease);
  }

  /** What so many parts of a permit a flush come to over a horizon; at most a full bucket. */
  long over(long horizon, long perFlush, long burst) {
    // At most 16 × 10^9 × 10^8, which a long holds.
    return Math.min(perFlush, burst * Demand.PARTS) * horizon / (flush * Demand.PARTS);
  }

  /** Whether a lease outlasts a flush, so that one may fill it up before it is empty. */
  boolean worthToppingUp(long horizon) {
    return horizon >= 2 * flush;
  }

  /** How many quiet flushes make a lease idle. */
  int idleAfter(boolean plenty, long window) {
    return plenty && window / 100 >= flush ? FLUSHES : 1;
  }
}

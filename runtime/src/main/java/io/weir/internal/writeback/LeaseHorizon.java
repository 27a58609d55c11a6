package io.weir.internal.writeback;

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
  private static final int SLOTS = 60;

  /** For how long a lease should last: ten flushes, but no longer than its slot. */
  long horizon(BucketSpec spec, long effectiveLimit, long burst) {
    return Math.min(FLUSHES * flush, slot(spec, effectiveLimit, burst));
  }

  private long slot(BucketSpec spec, long effectiveLimit, long burst) {
    long window = spec.windowMicros();
    return switch (spec.algorithm()) {
      case FIXED_WINDOW -> window / FLUSHES;
      case SLIDING_WINDOW, SLIDING_LOG ->
          window / Math.max(1, Math.min(SLOTS, window / Math.max(1, minLife)));
      case TOKEN_BUCKET, LEAKY_BUCKET ->
          Math.max(minLife, Math.min(window, drain(window, effectiveLimit, burst)) / SLOTS);
    };
  }

  private static long drain(long window, long effectiveLimit, long burst) {
    return burst >= effectiveLimit ? window : (long) ((double) burst * window / effectiveLimit);
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

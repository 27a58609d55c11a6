package io.weir.internal.redis;

import io.weir.annotation.Algorithm;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketSpec;
import io.weir.store.Grant;

/**
 * A sliding log stamps with the end of a slot; in Redis it is counted as a window, by twice its
 * number.
 */
final class Stamps {
  private Stamps() {}

  /** The same grant as the algorithm in Java gives it. */
  static Grant fromRedis(BucketSpec spec, Grant grant) {
    if (spec.algorithm() != Algorithm.SLIDING_LOG) {
      return grant;
    }
    long end = end(spec.windowMicros(), grant.stamp() / 2);
    return Grant.builder()
        .granted(grant.permits(), end, grant.life())
        .left(grant.left())
        .retry(grant.retry())
        .reset(grant.reset())
        .build();
  }

  /** A stamp of Java's; a number that is none is one that Redis doesn't know either. */
  static long toRedis(BucketSpec spec, long stamp) {
    if (spec.algorithm() != Algorithm.SLIDING_LOG || stamp < 0 || stamp > 1L << 52) {
      return stamp;
    }
    long window = spec.windowMicros();
    long slot = Math.floorDiv((stamp - 1) * slots(window), window);
    return end(window, slot) == stamp ? 2 * slot : -1;
  }

  private static long end(long window, long slot) {
    return -Math.floorDiv(-(slot + 1) * window, slots(window));
  }

  private static long slots(long window) {
    return Math.min(BucketArithmetic.SLOTS, window / Scripts.MIN_LIFE_MICROS);
  }
}

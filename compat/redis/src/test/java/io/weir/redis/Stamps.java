package io.weir.redis;

import io.weir.Shape;
import io.weir.annotation.Algorithm;
import io.weir.store.Grant;

/**
 * A sliding log stamps with the end of a slot; in Redis it is counted as a window, by its number.
 */
final class Stamps {
  private Stamps() {}

  /** The same grant as the algorithm in Java gives it. */
  static Grant fromRedis(Shape shape, Grant grant) {
    if (shape.algorithm() != Algorithm.SLIDING_LOG) {
      return grant;
    }
    long end = end(shape.windowMicros(), grant.stamp());
    return new Grant(
        grant.permits(), end, grant.life(), grant.left(), grant.retry(), grant.reset());
  }

  /** A stamp of Java's; a number that is none is one that Redis doesn't know either. */
  static long toRedis(Shape shape, long stamp) {
    if (shape.algorithm() != Algorithm.SLIDING_LOG || stamp < 0 || stamp > 1L << 52) {
      return stamp;
    }
    long window = shape.windowMicros();
    long slot = Math.floorDiv((stamp - 1) * slots(window), window);
    return end(window, slot) == stamp ? slot : -1;
  }

  private static long end(long window, long slot) {
    return -Math.floorDiv(-(slot + 1) * window, slots(window));
  }

  private static long slots(long window) {
    return Math.min(60, window / Scripts.MIN_LIFE_MICROS);
  }
}

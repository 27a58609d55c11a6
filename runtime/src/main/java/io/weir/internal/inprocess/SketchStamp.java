package io.weir.internal.inprocess;

import io.weir.store.GiveBack;

/**
 * Encodes when permits were charged to a bucket of a {@link TokenBucketSketch}, and how long each
 * takes to come back, rounded down to nine binary digits: the limit may be another when they are
 * given back.
 */
final class SketchStamp {
  private static final long NONE = -1;
  private static final int DIGITS = 9;
  private static final int EXPONENT_BITS = 6;
  private static final int TIME_SHIFT = DIGITS + EXPONENT_BITS;
  private static final long MAX_TIME = (1L << Long.SIZE - 1 - TIME_SHIFT) - 1;

  private SketchStamp() {}

  /**
   * Returns a stamp, below 0 unlike those of buckets with a slot, which ignore such a give-back.
   *
   * @param time microseconds since the sketch began
   * @param each microseconds until a permit is back
   */
  static long of(long time, long each) {
    if (time > MAX_TIME) {
      return NONE;
    }
    int exponent = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(each) - DIGITS);
    return NONE - (time << TIME_SHIFT | (long) exponent << DIGITS | each >>> exponent);
  }

  /** Returns the microseconds that permits take to come back, less those that have passed. */
  static long credit(GiveBack back, long now) {
    if (back.stamp() >= 0) {
      return 0;
    }
    long parts = NONE - back.stamp();
    int exponent = (int) (parts >>> DIGITS & (1 << EXPONENT_BITS) - 1);
    long each = (parts & (1 << DIGITS) - 1) << exponent;
    boolean isTooLarge = Math.multiplyHigh(back.permits(), each) != 0;
    long cost = isTooLarge ? 0 : Math.max(0, back.permits() * each);
    return Math.max(0, cost - (now - (parts >>> TIME_SHIFT)));
  }
}

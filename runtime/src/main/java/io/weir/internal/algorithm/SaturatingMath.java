package io.weir.internal.algorithm;

import java.math.BigInteger;

/**
 * Multiplies and divides longs: exact while results fit, saturated otherwise, never overflowing.
 */
final class SaturatingMath {
  /**
   * The longest time, 142 years: as nanoseconds it still fits into a long, and added to a time of
   * day into the 53 bits of a double, which is all that scripts count in.
   */
  static final long FOREVER = 1L << 52;

  private SaturatingMath() {}

  /**
   * ⌊a × b ÷ divisor⌋ of numbers that aren't negative; {@link Long#MAX_VALUE} if that is too much.
   */
  static long divide(long a, long b, long divisor) {
    return divide(a, b, 0, divisor);
  }

  /** ⌊(a × b + plus) ÷ divisor⌋ with plus from −a × b up; {@link Long#MAX_VALUE} if too much. */
  static long divide(long a, long b, long plus, long divisor) {
    long low = a * b;
    long sum = low + plus;
    boolean fits = low >= 0 && Math.multiplyHigh(a, b) == 0;
    if (fits && sum >= 0) {
      return sum / divisor;
    }
    BigInteger exact =
        BigInteger.valueOf(a)
            .multiply(BigInteger.valueOf(b))
            .add(BigInteger.valueOf(plus))
            .divide(BigInteger.valueOf(divisor));
    return exact.bitLength() < Long.SIZE ? exact.longValue() : Long.MAX_VALUE;
  }

  /**
   * Returns the sum of numbers that aren't negative; {@link Long#MAX_VALUE} if that is too much.
   */
  static long add(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}

package io.weir.internal.rules.whatif;

/** Calculates with whole numbers above zero. */
final class WholeNumbers {
  private WholeNumbers() {}

  static long gcd(long one, long other) {
    return other == 0 ? one : gcd(other, one % other);
  }

  /** Divides, and rounds up. */
  static long ceil(long number, long by) {
    return Math.floorDiv(number + by - 1, by);
  }
}

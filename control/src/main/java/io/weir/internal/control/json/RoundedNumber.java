package io.weir.internal.control.json;

/** Rounds numbers of which nobody needs all digits. */
public final class RoundedNumber {
  private static final double THOUSAND = 1_000;

  private RoundedNumber() {}

  /** Rounds to three decimals. */
  public static double thousandths(double number) {
    return Math.round(number * THOUSAND) / THOUSAND;
  }
}

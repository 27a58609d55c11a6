package io.weir.benchmarks;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * One measured number: the median of some samples, and between which two they lay.
 *
 * <p>Immutable.
 *
 * @param name such as {@code redis.hot.vs_script}: lower case, its suite first
 * @param value the median
 * @param unit {@code x} for a ratio, else such as {@code ns}, {@code us}, {@code ms}, {@code B},
 *     {@code percent}, {@code per_s}
 * @param low the lowest sample
 * @param high the highest sample
 */
public record Figure(String name, double value, String unit, double low, double high) {
  private static final Pattern NAME = Pattern.compile("[a-z0-9]+(\\.[a-z0-9_]+)+");
  private static final Pattern UNIT = Pattern.compile("[A-Za-z_/]+");

  /** Checks the form of name and unit. */
  public Figure {
    if (!NAME.matcher(name).matches() || !UNIT.matcher(unit).matches()) {
      throw new IllegalArgumentException("no name and unit of a figure: " + name + " " + unit);
    }
  }

  /** The last lines of a run consist of these. */
  @Override
  public String toString() {
    return name + " " + number(value) + " " + unit;
  }

  /** Between which two numbers the samples lay. */
  String spread() {
    return low == high ? "" : number(low) + " – " + number(high);
  }

  /** Returns a number in the digits that it deserves: four at most, no exponent. */
  public static String number(double value) {
    double size = Math.abs(value);
    if (value == Math.rint(value) || size >= 1_000) {
      return String.format(Locale.ROOT, "%.0f", value);
    }
    int digits = size >= 100 ? 1 : size >= 10 ? 2 : size >= 0.1 ? 3 : 4;
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}

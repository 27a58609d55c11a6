package io.weir.internal.value;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads durations as settings have them ({@code 500ms}, {@code 10s}, {@code PT10S}), and writes
 * them for people. Stateless.
 */
public final class DurationText {
  private static final Pattern SHORT = Pattern.compile("(\\d{1,18})\\s*(ms|s|m|h|d|)");
  private static final Duration MAX = Duration.ofDays(36_600);
  private static final String RULE =
      "must be a duration such as 500ms, 10s, 1m, 2h, 1d or PT10S; a bare number is seconds";

  private static final List<ChronoUnit> LARGE_UNITS =
      List.of(ChronoUnit.DAYS, ChronoUnit.HOURS, ChronoUnit.MINUTES);

  private DurationText() {}

  /**
   * Reads a duration of more than 0 and at most 36,600 days.
   *
   * @param text a number and {@code ms}, {@code s}, {@code m}, {@code h} or {@code d}, without
   *     which it is seconds; or ISO 8601, as {@link Duration#parse} reads it. In any case of
   *     letters
   * @throws IllegalArgumentException if it is malformed or out of range; the message is the rule
   *     that it breaks, and begins with "must"
   */
  public static Duration parse(String text) {
    try {
      String lower = text.strip().toLowerCase(Locale.ROOT);
      Matcher parts = SHORT.matcher(lower);
      Duration length =
          parts.matches()
              ? of(Long.parseLong(parts.group(1)), parts.group(2))
              : Duration.parse(lower);
      if (!length.isNegative() && !length.isZero() && length.compareTo(MAX) <= 0) {
        return length;
      }
    } catch (DateTimeException | ArithmeticException malformed) {
      throw new IllegalArgumentException(RULE, malformed);
    }
    throw new IllegalArgumentException("must be longer than 0 and at most 36,600 days");
  }

  /**
   * Writes a duration for people: {@code 100 ms}, {@code 2.5 s}, {@code 10 minutes}.
   *
   * @param length at least 0
   * @return days, hours or minutes if a whole number of them is exact; else seconds, or
   *     milliseconds below one second, rounded to a microsecond
   */
  public static String inWords(Duration length) {
    if (length.getNano() == 0) {
      for (ChronoUnit unit : LARGE_UNITS) {
        long seconds = unit.getDuration().toSeconds();
        if (length.toSeconds() >= seconds && length.toSeconds() % seconds == 0) {
          return inWords(length.toSeconds() / seconds, unit);
        }
      }
    }
    BigDecimal seconds =
        BigDecimal.valueOf(length.getNano(), 9).add(BigDecimal.valueOf(length.toSeconds()));
    return length.toSeconds() > 0 || length.isZero()
        ? decimal(seconds, 6) + " s"
        : decimal(seconds.movePointRight(3), 3) + " ms";
  }

  private static String inWords(long amount, ChronoUnit unit) {
    return amount + " " + (amount == 1 ? one(unit) : many(unit));
  }

  /**
   * Writes a window as it follows "per" or "every": {@code minute}, {@code 10 seconds}, {@code 100
   * ms}.
   *
   * @param window longer than 0
   * @return in days, hours, minutes or seconds, without the number 1; else as {@link
   *     #inWords(Duration)}
   */
  public static String asWindow(Duration window) {
    if (window.getNano() != 0) {
      return inWords(window);
    }
    for (ChronoUnit unit : LARGE_UNITS) {
      long seconds = unit.getDuration().toSeconds();
      if (window.toSeconds() % seconds == 0) {
        return asWindow(window.toSeconds() / seconds, unit);
      }
    }
    return asWindow(window.toSeconds(), ChronoUnit.SECONDS);
  }

  /**
   * Writes a number of units as it follows "per" or "every": {@code month}, {@code 3 months}.
   *
   * @param amount 1 and more
   * @param unit days, weeks, months …
   * @return without the number 1
   */
  public static String asWindow(long amount, ChronoUnit unit) {
    return amount == 1 ? one(unit) : inWords(amount, unit);
  }

  private static String one(ChronoUnit unit) {
    return many(unit).substring(0, unit.name().length() - 1);
  }

  private static String many(ChronoUnit unit) {
    return unit.name().toLowerCase(Locale.ROOT);
  }

  private static String decimal(BigDecimal number, int digits) {
    return number.setScale(digits, RoundingMode.HALF_UP).stripTrailingZeros().toPlainString();
  }

  private static Duration of(long amount, String unit) {
    return switch (unit) {
      case "ms" -> Duration.ofMillis(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      case "d" -> Duration.ofDays(amount);
      default -> Duration.ofSeconds(amount);
    };
  }
}

package io.weir.internal.value;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads durations as settings have them: {@code 500ms}, {@code 10s}, {@code PT10S}. Stateless. */
public final class DurationText {
  private static final Pattern SHORT = Pattern.compile("(\\d{1,18})\\s*(ms|s|m|h|d|)");
  private static final Duration LONGEST = Duration.ofDays(36_600);
  private static final String RULE =
      "must be a duration such as 500ms, 10s, 1m, 2h, 1d or PT10S; a bare number is seconds";

  private DurationText() {}

  /**
   * Reads a duration.
   *
   * @param text a number and {@code ms}, {@code s}, {@code m}, {@code h} or {@code d}, without
   *     which it is seconds; or ISO 8601, as {@link Duration#parse} reads it. In any case of letters
   * @return longer than 0, at most 36,600 days
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
      if (!length.isNegative() && !length.isZero() && length.compareTo(LONGEST) <= 0) {
        return length;
      }
    } catch (DateTimeException | ArithmeticException malformed) {
      throw new IllegalArgumentException(RULE, malformed);
    }
    throw new IllegalArgumentException("must be longer than 0 and at most 36,600 days");
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

package io.weir.internal.settings;

import io.weir.store.CalendarWindow;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The syntax of a setting's values.
 *
 * @param <T> what a value means
 */
@FunctionalInterface
interface ValueSyntax<T> {
  /** A path without wildcard, one that ends in it, an extension, or {@code /} for all the rest. */
  Pattern URL = Pattern.compile("/[^*]*|/([^*]*/)?\\*|\\*\\.[^*/.]+");

  /** Reads a value; the message of the exception is the rule that it breaks. */
  T parse(String value);

  static ValueSyntax<String> text() {
    return value -> value;
  }

  static ValueSyntax<Boolean> flag() {
    return value ->
        switch (value.toLowerCase(Locale.ROOT)) {
          case "true" -> true;
          case "false" -> false;
          default -> throw new IllegalArgumentException("must be true or false");
        };
  }

  static ValueSyntax<Long> number(long min, long max) {
    return value -> {
      String rule = String.format(Locale.ROOT, "must be a whole number, %,d to %,d", min, max);
      try {
        long number = Long.parseLong(value);
        if (number >= min && number <= max) {
          return number;
        }
      } catch (NumberFormatException malformed) {
        throw new IllegalArgumentException(rule, malformed);
      }
      throw new IllegalArgumentException(rule);
    };
  }

  static ValueSyntax<Integer> percent(int max) {
    return value -> number(0, max).parse(value).intValue();
  }

  static ValueSyntax<String> words(String... words) {
    return value ->
        Arrays.stream(words)
            .filter(each -> each.equals(word(value)))
            .findFirst()
            .orElseThrow(
                () -> new IllegalArgumentException("must be one of " + String.join(", ", words)));
  }

  /** Several values between commas; none if there is only blank. */
  static <T> ValueSyntax<List<T>> list(ValueSyntax<T> each) {
    return value ->
        value.isBlank()
            ? List.of()
            : Arrays.stream(value.split(",", -1)).map(part -> each.parse(part.trim())).toList();
  }

  static ValueSyntax<String> urlPattern() {
    return value -> {
      if (URL.matcher(value).matches()) {
        return value;
      }
      throw new IllegalArgumentException(
          "must be URL patterns such as /exact, /prefix/*, *.ext or /, not '" + value + "'");
    };
  }

  static ValueSyntax<Duration> duration() {
    return Durations::parse;
  }

  static ValueSyntax<Duration> duration(Duration min, Duration max) {
    return value -> {
      Duration length = Durations.parse(value);
      if (length.compareTo(min) >= 0 && length.compareTo(max) <= 0) {
        return length;
      }
      String range = WindowUnit.text(min) + " to " + WindowUnit.text(max);
      throw new IllegalArgumentException(
          "must be a duration, " + range + Durations.unitAdvice(value));
    };
  }

  static ValueSyntax<String> matching(Pattern rule) {
    return value -> {
      if (rule.matcher(value).matches()) {
        return value;
      }
      throw new IllegalArgumentException("must match " + rule);
    };
  }

  static ValueSyntax<String> zone() {
    return value -> {
      if (CalendarWindow.zone(value).isPresent()) {
        return value;
      }
      throw new IllegalArgumentException(
          "must be a time zone such as Europe/Berlin, UTC or +01:00");
    };
  }

  static <E extends Enum<E>> ValueSyntax<E> choice(Class<E> words) {
    return value ->
        Arrays.stream(words.getEnumConstants())
            .filter(each -> word(each).equals(word(value)))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("must be " + listed(words)));
  }

  private static String word(Object constant) {
    return constant.toString().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String listed(Class<?> words) {
    return Arrays.stream(words.getEnumConstants())
        .map(ValueSyntax::word)
        .collect(Collectors.joining(", ", "one of ", ""));
  }

  /** Lengths of time. */
  final class Durations {
    private static final Pattern SHORT = Pattern.compile("(\\d{1,18})\\s*(ms|s|m|h|d|)");
    private static final Duration LONGEST = Duration.ofDays(36_600);
    private static final String RULE =
        "must be a duration such as 500ms, 10s, 1m, 2h, 1d or PT10S; a bare number is seconds";

    private Durations() {}

    static Duration parse(String value) {
      try {
        String lower = value.toLowerCase(Locale.ROOT);
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

    /** Suggests a unit for a bare number; empty if it has one. */
    static String unitAdvice(String value) {
      return value.chars().allMatch(each -> each >= '0' && each <= '9')
          ? "; a bare number is seconds: write " + value + "ms for milliseconds"
          : "";
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
}

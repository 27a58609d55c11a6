package io.weir.internal.settings;

import io.weir.internal.value.DurationText;
import io.weir.store.CalendarWindow;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads and validates the values of a setting. */
@FunctionalInterface
interface ValueSyntax<T> {
  /**
   * Matches a path without a wildcard, one that ends in it, an extension, or {@code /} for the
   * rest.
   */
  Pattern URL = Pattern.compile("/[^*]*|/([^*]*/)?\\*|\\*\\.[^*/.]+");

  /** Matches a path without a wildcard, or with {@code /*} at its end. */
  Pattern EXCEPTED = Pattern.compile("/[^*]*|/[^*]+/\\*");

  /** Reads a value. The message of the exception is the rule that the value breaks. */
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
    return oneOf(List.of(words));
  }

  static <E extends Enum<E>> ValueSyntax<E> choice(Class<E> words) {
    return oneOf(List.of(words.getEnumConstants()));
  }

  private static <T> ValueSyntax<T> oneOf(List<T> all) {
    return value ->
        all.stream()
            .filter(each -> word(each).equals(word(value)))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        all.stream()
                            .map(ValueSyntax::word)
                            .collect(Collectors.joining(", ", "must be one of ", ""))));
  }

  private static String word(Object constant) {
    return constant.toString().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Reads several values, separated by commas; none if the text is blank. */
  static <T> ValueSyntax<List<T>> list(ValueSyntax<T> each) {
    return value ->
        value.isBlank()
            ? List.of()
            : Arrays.stream(value.split(",", -1)).map(part -> each.parse(part.trim())).toList();
  }

  static ValueSyntax<String> urlPattern() {
    return checked(
        value -> URL.matcher(value).matches(),
        value -> "must be URL patterns such as /exact, /prefix/*, *.ext or /, not '" + value + "'");
  }

  static ValueSyntax<String> exceptedPath() {
    return checked(
        value -> EXCEPTED.matcher(value).matches(),
        value ->
            "must be paths such as /healthz or /actuator/health/*, not '"
                + value
                + "'"
                + (value.startsWith("*.") ? "; callers can add such a suffix to most paths" : ""));
  }

  /** Reads a text that matches a pattern; the rule says so in words. */
  static ValueSyntax<String> matching(Pattern pattern, String rule) {
    return checked(value -> pattern.matcher(value).matches(), value -> rule);
  }

  static ValueSyntax<String> zone() {
    return checked(
        value -> CalendarWindow.zone(value).isPresent(),
        value -> "must be a time zone such as Europe/Berlin, UTC or +01:00");
  }

  private static ValueSyntax<String> checked(Predicate<String> check, UnaryOperator<String> rule) {
    return value -> {
      if (check.test(value)) {
        return value;
      }
      throw new IllegalArgumentException(rule.apply(value));
    };
  }

  static ValueSyntax<Duration> duration() {
    return DurationText::parse;
  }

  static ValueSyntax<Duration> duration(Duration min, Duration max) {
    return value -> {
      Duration length = DurationText.parse(value);
      if (length.compareTo(min) >= 0 && length.compareTo(max) <= 0) {
        return length;
      }
      String range = WindowUnit.text(min) + " to " + WindowUnit.text(max);
      throw new IllegalArgumentException("must be a duration, " + range + unitAdvice(value));
    };
  }

  /** Suggests a unit for a bare number; empty if the value has a unit. */
  private static String unitAdvice(String value) {
    return value.chars().allMatch(each -> each >= '0' && each <= '9')
        ? "; a bare number is seconds: write " + value + "ms for milliseconds"
        : "";
  }
}

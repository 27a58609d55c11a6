package io.weir.internal.redis.address;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the settings of a Redis; its messages name the setting and the rule that it breaks. */
final class SettingReader {
  private static final String PREFIX = "weir.store.redis.";
  private static final Pattern SHORT = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h|d|)");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

  private final UnaryOperator<String> setting;

  SettingReader(UnaryOperator<String> setting) {
    this.setting = setting;
  }

  /** As it is: a password may begin or end with a blank. */
  String text(String name) {
    return setting.apply(PREFIX + name);
  }

  int number(String name, int most, int otherwise) {
    String text = text(name).strip();
    if (text.isEmpty()) {
      return otherwise;
    }
    int number = NUMBER.matcher(text).matches() ? Integer.parseInt(text) : 0;
    if (number < 1 || number > most) {
      throw broken(PREFIX + name, "a whole number from 1 to " + most, text);
    }
    return number;
  }

  boolean flag(String name, boolean otherwise) {
    String text = text(name).strip().toLowerCase(Locale.ROOT);
    return switch (text) {
      case "" -> otherwise;
      case "true" -> true;
      case "false" -> false;
      default -> throw broken(PREFIX + name, "true or false", text);
    };
  }

  int millis(String name, Duration otherwise, Duration most) {
    Duration length = duration(PREFIX + name, otherwise, most);
    return (int) Math.max(1, length.toMillis());
  }

  Duration duration(String name, Duration otherwise, Duration most) {
    String text = setting.apply(name).strip();
    Duration length = text.isEmpty() ? otherwise : parse(text.toLowerCase(Locale.ROOT));
    if (length.isNegative() || length.isZero() || length.compareTo(most) > 0) {
      throw broken(
          name,
          "a duration such as 500ms or 10s (a bare number is seconds), at most "
              + most.toSeconds()
              + "s",
          text);
    }
    return length;
  }

  /** Nothing at all where it can't be read: no duration that is allowed. */
  private static Duration parse(String text) {
    Matcher parts = SHORT.matcher(text);
    if (parts.matches()) {
      long amount = Long.parseLong(parts.group(1));
      return switch (parts.group(2)) {
        case "ms" -> Duration.ofMillis(amount);
        case "m" -> Duration.ofMinutes(amount);
        case "h" -> Duration.ofHours(amount);
        case "d" -> Duration.ofDays(amount);
        default -> Duration.ofSeconds(amount);
      };
    }
    try {
      return Duration.parse(text);
    } catch (DateTimeException malformed) {
      return Duration.ZERO;
    }
  }

  private static IllegalArgumentException broken(String name, String rule, String text) {
    return new IllegalArgumentException(name + " must be " + rule + ", not '" + text + "'");
  }
}

package io.weir.internal.server.settings;

import io.weir.InvalidSettingException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Settings that were checked by their declarations, as what they mean. Safe for concurrent use. */
public final class NamedSettings {
  private static final Pattern SHORT_DURATION = Pattern.compile("(\\d+)(ms|s|m|h|d)");

  private final UnaryOperator<String> values;

  /**
   * Reads by a function.
   *
   * @param values a value by its full name; the default where it isn't set
   */
  public NamedSettings(UnaryOperator<String> values) {
    this.values = values;
  }

  /**
   * A text.
   *
   * @param name the full name
   * @return without white space around it
   */
  public String text(String name) {
    return values.apply(name).strip();
  }

  /**
   * A number.
   *
   * @param name the full name
   * @return the number
   */
  public int number(String name) {
    return Integer.parseInt(text(name));
  }

  /**
   * A length of time.
   *
   * @param name the full name
   * @return the length
   */
  public Duration duration(String name) {
    Matcher words = SHORT_DURATION.matcher(text(name));
    if (!words.matches()) {
      return Duration.parse(text(name));
    }
    long amount = Long.parseLong(words.group(1));
    return switch (words.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      default -> Duration.ofDays(amount);
    };
  }

  /**
   * Words between commas.
   *
   * @param name the full name
   * @param allowed all that there are
   * @return in lower case, each once
   * @throws InvalidSettingException if one isn't allowed
   */
  public List<String> words(String name, List<String> allowed) {
    List<String> words = new ArrayList<>();
    for (String each : text(name).toLowerCase(Locale.ROOT).split(",")) {
      String word = each.strip();
      if (!word.isEmpty() && !words.contains(word)) {
        if (!allowed.contains(word)) {
          throw new InvalidSettingException(
              name + ": '" + word + "' is none of " + String.join(", ", allowed));
        }
        words.add(word);
      }
    }
    return words;
  }
}

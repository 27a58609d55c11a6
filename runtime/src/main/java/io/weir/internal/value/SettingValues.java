package io.weir.internal.value;

import java.time.Duration;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * Reads the values of settings by their full names. Messages name the setting, the rule that it
 * breaks, and its value.
 *
 * <p>Safe for concurrent use if the function is.
 */
public final class SettingValues {
  private final UnaryOperator<String> values;

  /**
   * Reads values from a function.
   *
   * @param values returns the value of a setting by its full name; the empty string if it isn't set
   */
  public SettingValues(UnaryOperator<String> values) {
    this.values = values;
  }

  /**
   * Reads a text unchanged, since a password may begin or end with a blank.
   *
   * @param name the full name
   * @return the empty string if it isn't set
   */
  public String text(String name) {
    return values.apply(name);
  }

  /**
   * Reads a text without white space around it.
   *
   * @param name the full name
   * @return the empty string if it isn't set
   */
  public String word(String name) {
    return text(name).strip();
  }

  /**
   * Reads {@code true} or {@code false}, in any case of letters.
   *
   * @param name the full name
   * @param otherwise the value if it isn't set
   * @return the value
   * @throws IllegalArgumentException if it is neither
   */
  public boolean flag(String name, boolean otherwise) {
    String text = word(name).toLowerCase(Locale.ROOT);
    return switch (text) {
      case "" -> otherwise;
      case "true" -> true;
      case "false" -> false;
      default -> throw invalid(name, "must be true or false");
    };
  }

  /**
   * Reads a whole number.
   *
   * @param name the full name
   * @param otherwise the value if it isn't set
   * @param least the smallest number allowed
   * @param most the largest number allowed
   * @return the value
   * @throws IllegalArgumentException if it is malformed or out of range
   */
  public long number(String name, long otherwise, long least, long most) {
    String text = word(name);
    if (text.isEmpty()) {
      return otherwise;
    }
    try {
      long number = Long.parseLong(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException malformed) {
      throw invalidNumber(name, least, most);
    }
    throw invalidNumber(name, least, most);
  }

  private IllegalArgumentException invalidNumber(String name, long least, long most) {
    return invalid(name, "must be a whole number from " + least + " to " + most);
  }

  /**
   * Reads a duration, as {@link DurationText} has it.
   *
   * @param name the full name
   * @param otherwise the value if it isn't set
   * @param most the longest duration allowed, in whole seconds
   * @return longer than 0
   * @throws IllegalArgumentException if it is malformed or out of range
   */
  public Duration duration(String name, Duration otherwise, Duration most) {
    if (word(name).isEmpty()) {
      return otherwise;
    }
    try {
      Duration length = DurationText.parse(text(name));
      if (length.compareTo(most) <= 0) {
        return length;
      }
    } catch (IllegalArgumentException malformed) {
      throw invalidDuration(name, most);
    }
    throw invalidDuration(name, most);
  }

  private IllegalArgumentException invalidDuration(String name, Duration most) {
    return invalid(
        name,
        "must be a duration such as 500ms or 10s (a bare number is seconds), at most "
            + DurationText.inWords(most));
  }

  /**
   * Reads a duration of any length that {@link DurationText} allows.
   *
   * @param name the full name of a setting that is set or has a default
   * @return longer than 0
   * @throws IllegalArgumentException if it is malformed or out of range
   */
  public Duration duration(String name) {
    try {
      return DurationText.parse(text(name));
    } catch (IllegalArgumentException malformed) {
      throw invalid(name, String.valueOf(malformed.getMessage()));
    }
  }

  /**
   * Makes the error for a value that breaks a rule.
   *
   * @param name the full name
   * @param rule the rule, which begins with "must"
   * @return an exception that names the setting, the rule and the value
   */
  public IllegalArgumentException invalid(String name, String rule) {
    return new IllegalArgumentException(name + " " + rule + ", not '" + word(name) + "'");
  }
}

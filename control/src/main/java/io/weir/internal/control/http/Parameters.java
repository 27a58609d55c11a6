package io.weir.internal.control.http;

import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.json.Iso8601;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads parameters of the query and the path, which resource methods take as texts: JAX-RS would
 * answer 404 to one that it can't convert.
 */
public final class Parameters {
  private static final int LONGEST_NUMBER = 18;

  private Parameters() {}

  /**
   * A whole number.
   *
   * @param name the parameter's name
   * @param text what was given; null if nothing
   * @param min the least
   * @param max the greatest
   * @return the number; nothing if none was given
   * @throws InvalidFieldException if it is anything else
   */
  public static OptionalLong number(String name, @Nullable String text, long min, long max) {
    if (text == null) {
      return OptionalLong.empty();
    }
    InvalidFieldException wrong =
        new InvalidFieldException(name, "must be a whole number from " + min + " to " + max);
    if (text.length() > LONGEST_NUMBER || !text.matches("-?[0-9]+")) {
      throw wrong;
    }
    long number = Long.parseLong(text);
    if (number < min || number > max) {
      throw wrong;
    }
    return OptionalLong.of(number);
  }

  /**
   * A word of two.
   *
   * @param name the parameter's name
   * @param text what was given; null if nothing
   * @return true if it was given as {@code true}
   * @throws InvalidFieldException if it is neither {@code true} nor {@code false}
   */
  public static boolean flag(String name, @Nullable String text) {
    if (text == null || text.equals("false")) {
      return false;
    }
    if (!text.equals("true")) {
      throw new InvalidFieldException(name, "must be true or false");
    }
    return true;
  }

  /**
   * A day.
   *
   * @param name the parameter's name
   * @param text what was given; null if nothing
   * @return the day; nothing if none was given
   * @throws InvalidFieldException if it isn't a day
   */
  public static Optional<LocalDate> day(String name, @Nullable String text) {
    try {
      return text == null ? Optional.empty() : Optional.of(Iso8601.day(text));
    } catch (DateTimeException malformed) {
      throw new InvalidFieldException(name, Iso8601.DAY_RULE);
    }
  }
}

package io.weir.internal.control.http;

import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.json.Iso8601;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads parameters of the query and the path. Resource methods take them as texts, since JAX-RS
 * would answer 404 if it couldn't convert one.
 */
public final class ParameterReader {
  /** The parameter of a request that only says what it would change: {@code dryRun=true}. */
  public static final String DRY_RUN = "dryRun";

  private static final int MAX_NUMBER_LENGTH = 18;

  private ParameterReader() {}

  /**
   * Reads a whole number; empty if it is missing.
   *
   * @throws InvalidFieldException if it isn't a number from {@code min} to {@code max}
   */
  public static OptionalLong number(String name, @Nullable String text, long min, long max) {
    if (text == null) {
      return OptionalLong.empty();
    }
    InvalidFieldException wrong =
        new InvalidFieldException(name, "must be a whole number from " + min + " to " + max);
    if (text.length() > MAX_NUMBER_LENGTH || !text.matches("-?[0-9]+")) {
      throw wrong;
    }
    long number = Long.parseLong(text);
    if (number < min || number > max) {
      throw wrong;
    }
    return OptionalLong.of(number);
  }

  /** Returns 0, which no row has, if a text from the path isn't a number. */
  public static long rowId(String text) {
    return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
  }

  /**
   * Reads a flag; false if it is missing.
   *
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
   * Reads a day; empty if it is missing.
   *
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

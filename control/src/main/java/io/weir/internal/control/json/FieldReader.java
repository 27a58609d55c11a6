package io.weir.internal.control.json;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads fields of bodies and parameters that must be present or within bounds. Each method throws
 * an {@link InvalidFieldException}, which names the field, if the value breaks the rule.
 */
public final class FieldReader {
  private FieldReader() {}

  /**
   * Reads a text that must be present.
   *
   * @param max the most characters, as databases count them
   */
  public static String required(String field, @Nullable String text, int max) {
    if (text == null || text.isBlank() || text.codePointCount(0, text.length()) > max) {
      throw new InvalidFieldException(
          field, "must be given, must not be blank, and must have at most " + max + " characters");
    }
    return text;
  }

  /**
   * Reads a text that may be missing.
   *
   * @param max the most characters, as databases count them
   * @return the text; empty if it is missing
   */
  public static String optional(String field, @Nullable String text, int max) {
    if (text != null && text.codePointCount(0, text.length()) > max) {
      throw new InvalidFieldException(field, "must have at most " + max + " characters");
    }
    return text == null ? "" : text;
  }

  public static long required(String field, @Nullable Long number, long min, long max) {
    if (number == null || number < min || number > max) {
      throw new InvalidFieldException(
          field, "must be given as a whole number from " + min + " to " + max);
    }
    return number;
  }

  public static Instant required(String field, @Nullable Instant instant) {
    if (instant == null) {
      throw new InvalidFieldException(field, Iso8601.INSTANT_RULE);
    }
    return instant;
  }

  /** Reads a constant that must be present, by its name in upper or lower case. */
  public static <E extends Enum<E>> E required(String field, @Nullable String text, Class<E> type) {
    return optional(field, text == null ? "" : text, type).orElseThrow();
  }

  /** Reads a constant by its name in upper or lower case; empty if it is missing. */
  public static <E extends Enum<E>> Optional<E> optional(
      String field, @Nullable String text, Class<E> type) {
    if (text == null) {
      return Optional.empty();
    }
    String name = text.toUpperCase(Locale.ROOT);
    for (E each : type.getEnumConstants()) {
      if (each.name().equals(name)) {
        return Optional.of(each);
      }
    }
    throw new InvalidFieldException(
        field,
        Arrays.stream(type.getEnumConstants())
            .map(Enum::name)
            .collect(Collectors.joining(", ", "must be one of ", "")));
  }

  public static ZoneId zone(String field, String text) {
    try {
      return ZoneId.of(text);
    } catch (DateTimeException unknown) {
      throw new InvalidFieldException(field, "must be a time zone such as Europe/Berlin");
    }
  }
}

package io.weir.internal.control.json;

import io.weir.internal.control.access.CallerName;
import jakarta.ws.rs.core.SecurityContext;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads what parameters and members say. */
public final class FieldReader {
  /** The year 9999. */
  private static final long MOST_MICROS = 253_402_214_400_000_000L;

  private static final int LONGEST_AUTHOR = 200;
  private static final String NO_NAME = "an administrator";

  private FieldReader() {}

  /** Who changes something, for the history. */
  public static String author(SecurityContext caller) {
    String name = CallerName.name(caller);
    String author = name.isEmpty() ? NO_NAME : name;
    return author.length() > LONGEST_AUTHOR ? author.substring(0, LONGEST_AUTHOR) : author;
  }

  /**
   * A word of some.
   *
   * @param field where it was written
   * @param text what was written; null if nothing
   * @param words which there are
   * @return the word, upper or lower case; nothing if nothing was written
   * @throws InvalidFieldException if there is no such word
   */
  public static <E extends Enum<E>> Optional<E> word(String field, @Nullable String text, Class<E> words) {
    if (text == null) {
      return Optional.empty();
    }
    String wanted = text.toUpperCase(Locale.ROOT);
    for (E each : words.getEnumConstants()) {
      if (each.name().equals(wanted)) {
        return Optional.of(each);
      }
    }
    throw new InvalidFieldException(
        field,
        Arrays.stream(words.getEnumConstants())
            .map(Enum::name)
            .collect(Collectors.joining(", ", "must be one of ", "")));
  }

  /** A word that there must be. */
  public static <E extends Enum<E>> E required(String field, @Nullable String text, Class<E> words) {
    return word(field, text == null ? "" : text, words).orElseThrow();
  }

  /** The number of a row in a path; one that no row has if it is no number. */
  public static long id(String text) {
    return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
  }

  /** A time zone. */
  public static ZoneId zone(String field, String text) {
    try {
      return ZoneId.of(text);
    } catch (DateTimeException none) {
      throw new InvalidFieldException(field, "must be a time zone such as Europe/Berlin");
    }
  }

  /** Microseconds since the epoch, as cursors have moments. */
  public static long micros(Instant moment) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, moment);
  }

  /** The moment that {@link #micros(Instant)} was told of. */
  public static Instant micros(long number) {
    if (number < 0 || number > MOST_MICROS) {
      throw new InvalidFieldException("cursor", "must be what the page before told as next");
    }
    return Instant.EPOCH.plus(number, ChronoUnit.MICROS);
  }

  /**
   * A text that there must be.
   *
   * @param field where it was written
   * @param text what was written; null if nothing
   * @param longest how many characters it may have, as databases count them
   * @return the text
   * @throws InvalidFieldException if it is missing, blank or longer
   */
  public static String required(String field, @Nullable String text, int longest) {
    if (text == null || text.isBlank() || text.codePointCount(0, text.length()) > longest) {
      throw new InvalidFieldException(
          field, "must be given, not blank, with at most " + longest + " characters");
    }
    return text;
  }

  /** A text that may be missing, and is empty then. */
  public static String optional(String field, @Nullable String text, int longest) {
    if (text != null && text.codePointCount(0, text.length()) > longest) {
      throw new InvalidFieldException(field, "must have at most " + longest + " characters");
    }
    return text == null ? "" : text;
  }

  /** A number that there must be. */
  public static long required(String field, @Nullable Long number, long min, long max) {
    if (number == null || number < min || number > max) {
      throw new InvalidFieldException(
          field, "must be given as a whole number from " + min + " to " + max);
    }
    return number;
  }

  /** A moment that there must be. */
  public static Instant required(String field, @Nullable Instant moment) {
    if (moment == null) {
      throw new InvalidFieldException(field, "must be given as a moment");
    }
    return moment;
  }
}

package io.weir.internal.control.paging;

import io.weir.internal.control.json.InvalidFieldException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;

/**
 * Marks where a page ended by the values that its last item is sorted by. Clients see one opaque
 * word. It isn't signed, since it gives access to nothing.
 *
 * <p>Immutable.
 *
 * @param parts the values; each without NUL
 */
public record Cursor(List<String> parts) {
  private static final int MAX_LENGTH = 4_096;

  /** The beginning of 9999-12-31, in UTC. */
  private static final long MAX_MICROS = 253_402_214_400_000_000L;

  private static final String SEPARATOR = "\u0000";

  public Cursor {
    parts = List.copyOf(parts);
  }

  /**
   * Makes the cursor behind an item.
   *
   * @param parts the texts, numbers and instants that the item is sorted by
   */
  public static Cursor of(Object... parts) {
    return new Cursor(List.of(parts).stream().map(Cursor::text).toList());
  }

  private static String text(Object part) {
    return part instanceof Instant instant
        ? Long.toString(ChronoUnit.MICROS.between(Instant.EPOCH, instant))
        : part.toString();
  }

  /** Makes the exception for a cursor that this list didn't hand out. */
  public static InvalidFieldException invalid() {
    return new InvalidFieldException("cursor", "must be the 'next' value of the previous page");
  }

  static Cursor parse(String text, int parts) {
    try {
      if (text.length() > MAX_LENGTH) {
        throw invalid();
      }
      byte[] utf8 = Base64.getUrlDecoder().decode(text);
      String joined = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
      Cursor cursor = new Cursor(List.of(joined.split(SEPARATOR, -1)));
      if (cursor.parts.size() != parts) {
        throw invalid();
      }
      return cursor;
    } catch (IllegalArgumentException | CharacterCodingException garbled) {
      throw invalid();
    }
  }

  public String text(int index) {
    return parts.get(index);
  }

  /**
   * Reads a part as a number.
   *
   * @throws InvalidFieldException if it isn't a number
   */
  public long number(int index) {
    try {
      return Long.parseLong(parts.get(index));
    } catch (NumberFormatException garbled) {
      throw invalid();
    }
  }

  /**
   * Reads a part as an instant.
   *
   * @return the instant, to the microsecond
   * @throws InvalidFieldException if it isn't an instant of the years 1970 to 9999
   */
  public Instant instant(int index) {
    long micros = number(index);
    if (micros < 0 || micros > MAX_MICROS) {
      throw invalid();
    }
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  /** Returns the word that clients send back. */
  @Override
  public String toString() {
    byte[] utf8 = String.join(SEPARATOR, parts).getBytes(StandardCharsets.UTF_8);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(utf8);
  }
}

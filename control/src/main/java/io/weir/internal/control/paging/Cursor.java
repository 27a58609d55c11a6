package io.weir.internal.control.paging;

import io.weir.internal.control.json.InvalidFieldException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/**
 * Where a page ended: the values that its last item is sorted by. Told as one word that means
 * nothing to clients; it gives no access to anything, so it isn't signed.
 *
 * <p>Immutable.
 *
 * @param parts the values
 */
public record Cursor(List<String> parts) {
  private static final String FIELD = "cursor";
  private static final String RULE = "must be what the page before told as next";
  private static final int LONGEST = 4_096;

  /** Between parts, none of which may have it. */
  private static final String SEPARATOR = "\u0000";

  /**
   * Takes the parts as they are.
   *
   * @param parts see the record
   */
  public Cursor {
    parts = List.copyOf(parts);
  }

  /**
   * A cursor.
   *
   * @param parts texts and numbers that the last item is sorted by
   * @return the cursor
   */
  public static Cursor of(Object... parts) {
    return new Cursor(List.of(parts).stream().map(Object::toString).toList());
  }

  public static Cursor parse(String text, int parts) {
    try {
      if (text.length() > LONGEST) {
        throw new InvalidFieldException(FIELD, RULE);
      }
      byte[] utf8 = Base64.getUrlDecoder().decode(text);
      String joined = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
      Cursor cursor = new Cursor(List.of(joined.split(SEPARATOR, -1)));
      if (cursor.parts.size() != parts) {
        throw new InvalidFieldException(FIELD, RULE);
      }
      return cursor;
    } catch (IllegalArgumentException | CharacterCodingException garbled) {
      throw new InvalidFieldException(FIELD, RULE);
    }
  }

  /**
   * One of the values.
   *
   * @param index from 0
   * @return the value
   */
  public String text(int index) {
    return parts.get(index);
  }

  /**
   * One of the values as a number.
   *
   * @param index from 0
   * @return the number
   * @throws InvalidFieldException if it is none
   */
  public long number(int index) {
    try {
      return Long.parseLong(parts.get(index));
    } catch (NumberFormatException garbled) {
      throw new InvalidFieldException(FIELD, RULE);
    }
  }

  /** The word that clients send back. */
  @Override
  public String toString() {
    byte[] utf8 = String.join(SEPARATOR, parts).getBytes(StandardCharsets.UTF_8);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(utf8);
  }
}

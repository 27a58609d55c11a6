package io.weir.internal.body;

import io.weir.InvalidRequestException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Decodes the fields of {@code application/x-www-form-urlencoded}. */
final class FormDecoder {
  private FormDecoder() {}

  /**
   * Decodes a form.
   *
   * @return values in order, by name; a field without {@code =} has an empty value
   * @throws InvalidRequestException if an escape is malformed, or a text isn't in the charset
   */
  static Map<String, List<String>> fields(byte[] form, Charset charset) {
    Map<String, List<String>> fields = new LinkedHashMap<>();
    int start = 0;
    while (start < form.length) {
      int end = find(form, '&', start, form.length);
      if (end > start) {
        if (isBlank(form[start]) || isBlank(form[end - 1])) { // which some readers cut off
          throw new InvalidRequestException(
              "A field of the form in the body has blanks around it.");
        }
        int equals = find(form, '=', start, end);
        fields
            .computeIfAbsent(text(form, start, equals, charset), any -> new ArrayList<>(1))
            .add(equals < end ? text(form, equals + 1, end, charset) : "");
      }
      start = end + 1;
    }
    return fields;
  }

  /** Decodes a form without its malformed fields, as servers do that don't refuse them. */
  static Map<String, List<String>> wellFormedFields(byte[] form, Charset charset) {
    Map<String, List<String>> all = new LinkedHashMap<>();
    for (int start = 0; start < form.length; ) {
      int end = find(form, '&', start, form.length);
      try {
        fields(Arrays.copyOfRange(form, start, end), charset)
            .forEach(
                (name, values) ->
                    all.computeIfAbsent(name, any -> new ArrayList<>(1)).addAll(values));
      } catch (InvalidRequestException malformed) {
        // Left out.
      }
      start = end + 1;
    }
    return all;
  }

  /** Returns whether a lenient reader, which takes malformed escapes as they are, finds a field. */
  static boolean hasField(byte[] form, String name) {
    byte[] wanted = name.getBytes(StandardCharsets.UTF_8);
    byte[] latin = name.getBytes(StandardCharsets.ISO_8859_1);
    int start = 0;
    while (start < form.length) {
      int end = find(form, '&', start, form.length);
      byte[] found = lenient(form, start, find(form, '=', start, end));
      if (Arrays.equals(found, wanted) || Arrays.equals(found, latin)) {
        return true;
      }
      start = end + 1;
    }
    return false;
  }

  private static byte[] lenient(byte[] form, int from, int to) {
    byte[] decoded = new byte[to - from];
    int length = 0;
    for (int at = from; at < to; at++) {
      byte next = form[at];
      if (next == '%' && at + 2 < to && digit(form[at + 1]) >= 0 && digit(form[at + 2]) >= 0) {
        next = (byte) (digit(form[at + 1]) << 4 | digit(form[at + 2]));
        at += 2;
      } else if (next == '+') {
        next = ' ';
      }
      decoded[length++] = next;
    }
    return Arrays.copyOf(decoded, length);
  }

  /** Returns the end if the byte isn't there. */
  private static int find(byte[] form, char wanted, int from, int end) {
    int at = from;
    while (at < end && form[at] != wanted) {
      at++;
    }
    return at;
  }

  private static boolean isBlank(byte edge) {
    return edge >= 0 && edge <= ' ';
  }

  private static String text(byte[] form, int from, int to, Charset charset) {
    byte[] decoded = new byte[to - from];
    int length = 0;
    boolean wasEscaped = false;
    for (int at = from; at < to; at++) {
      byte next = form[at];
      boolean isEscaped = next == '%';
      if (isEscaped) {
        if (at + 2 >= to) {
          throw malformed();
        }
        next = (byte) (hex(form[at + 1]) << 4 | hex(form[at + 2]));
        at += 2;
      } else if (next == '+') {
        next = ' ';
      }
      // Some readers decode the charset before the escapes, others after them.
      if (isEscaped != wasEscaped && next < 0 && length > 0 && decoded[length - 1] < 0) {
        throw malformed();
      }
      wasEscaped = isEscaped;
      decoded[length++] = next;
    }
    return StrictText.of(decoded, 0, length, charset);
  }

  private static int digit(byte character) {
    return character < 0 ? -1 : Character.digit(character, 16);
  }

  private static int hex(byte digit) {
    int value = digit(digit);
    if (value < 0) {
      throw malformed();
    }
    return value;
  }

  private static InvalidRequestException malformed() {
    return new InvalidRequestException("The form in the body has a malformed escape.");
  }
}

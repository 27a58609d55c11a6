package io.weir.internal.control.decide.path;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.IntPredicate;

/** Decodes {@code %41} and the like in paths. */
final class PercentDecoder {
  private static final int LENGTH = 3;

  private PercentDecoder() {}

  /** Returns whether each % precedes two hexadecimal digits, and the text is UTF-8 without NUL. */
  static boolean isWellFormed(String text) {
    return decoded(text, octet -> false).filter(each -> each.indexOf('\0') < 0).isPresent();
  }

  /**
   * Decodes a text once.
   *
   * @param stays selects the octets that stay encoded
   * @return empty if the text isn't well-formed
   */
  static Optional<String> decoded(String text, IntPredicate stays) {
    if (text.indexOf('%') < 0) {
      return Optional.of(text);
    }
    ByteArrayOutputStream utf8 = new ByteArrayOutputStream(text.length());
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < encoded.length; i++) {
      if (encoded[i] != '%') {
        utf8.write(encoded[i]);
        continue;
      }
      if (i + LENGTH > encoded.length || !isHex(encoded[i + 1]) || !isHex(encoded[i + 2])) {
        return Optional.empty();
      }
      int octet = Character.digit(encoded[i + 1], 16) << 4 | Character.digit(encoded[i + 2], 16);
      if (stays.test(octet)) {
        utf8.write(encoded, i, LENGTH);
      } else {
        utf8.write(octet);
      }
      i += LENGTH - 1;
    }
    return text(utf8.toByteArray());
  }

  private static boolean isHex(byte digit) {
    return digit >= 0 && Character.digit(digit, 16) >= 0;
  }

  private static Optional<String> text(byte[] utf8) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString());
    } catch (CharacterCodingException malformed) {
      return Optional.empty();
    }
  }
}

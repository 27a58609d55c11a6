package io.weir.internal.key;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;

/**
 * Divides the values of a key into a fixed number of parts, {@code shard:16:query:url}. A value
 * belongs to the same part on every node.
 *
 * <p>Immutable.
 *
 * @param parts the number of parts, 2 to 1,000,000
 */
record KeySharder(int parts, String expression) {
  static final String PREFIX = "shard:";

  private static final int MAX_DIGITS = 7;
  private static final int MAX_PARTS = 1_000_000;

  /**
   * Parses the text after the word and its colon.
   *
   * @return empty unless it begins with such a number and a colon; the expression may be invalid
   */
  static Optional<KeySharder> parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 1 || colon > MAX_DIGITS || text.charAt(0) == '0') {
      return Optional.empty();
    }
    int parts = 0;
    for (int at = 0; at < colon; at++) {
      int digit = text.charAt(at) - '0';
      if (digit < 0 || digit > 9) {
        return Optional.empty();
      }
      parts = parts * 10 + digit;
    }
    return parts < 2 || parts > MAX_PARTS
        ? Optional.empty()
        : Optional.of(new KeySharder(parts, text.substring(colon + 1)));
  }

  /** Returns the part of a value: the first 64 bits of its SHA-256, unsigned, modulo the parts. */
  String of(String value) {
    long first = ByteBuffer.wrap(sha256(value)).getLong();
    return Long.toString(Long.remainderUnsigned(first, parts));
  }

  private static byte[] sha256(String value) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(value.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible); // each Java has it
    }
  }
}

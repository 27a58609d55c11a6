package io.weir.internal.rules.database;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;

/** SHA-256 of texts. */
final class Digests {
  private Digests() {}

  /** The first eight bytes, as a number. */
  static long first(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return ByteBuffer.wrap(digest).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Eight hex digits, which tell users apart in messages and name nobody. */
  static String shortHex(String text) {
    return String.format(Locale.ROOT, "%016x", first(text)).substring(0, 8);
  }
}

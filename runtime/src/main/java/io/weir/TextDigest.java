package io.weir;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * Replaces a long text in a key by a mark with which no length begins, and its SHA-256.
 *
 * <p>The digest isn't truncated, so finding two texts with the same one takes 2^128 tries. It has
 * no secret, since it needn't hide the text (an HMAC does that when a key leaves the process), and
 * must be the same on every node and after each restart.
 */
final class TextDigest {
  private static final char MARK = '#';
  private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();

  /** The number of characters that are copied at a time. */
  private static final int PART = 512;

  private TextDigest() {}

  static String digest(CharSequence text) {
    MessageDigest digest = sha256();
    byte[] part = new byte[2 * PART];
    for (int from = 0; from < text.length(); from += PART) {
      int to = Math.min(from + PART, text.length());
      digest.update(part, 0, copy(text, from, to, part));
    }
    return MARK + TEXT.encodeToString(digest.digest());
  }

  /** Copies UTF-16 units, so that texts with invalid Unicode stay different. */
  private static int copy(CharSequence text, int from, int to, byte[] into) {
    int at = 0;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      into[at++] = (byte) (c >>> Byte.SIZE);
      into[at++] = (byte) c;
    }
    return at;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
  }
}

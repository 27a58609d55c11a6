package io.weir;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * What stands for a long text in a key: a mark that no length begins with, and a SHA-256.
 *
 * <p>Whole, and so not to be attacked: two texts of one digest take 2^128 tries. It needs no
 * secret, since it hides nothing: wherever a key leaves the process, an HMAC does that; and it is
 * the same on every node and after each restart, as a bucket must be.
 */
final class TextDigest {
  private static final char MARK = '#';
  private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();

  /** A text is read in parts of this many characters, so that it isn't copied whole. */
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

  /** Character by character, so that texts that are no valid Unicode stay apart. */
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

package io.weir;

import java.util.List;
import java.util.Optional;

/**
 * Identifies the caller that a policy counts: a user, an address, an API key, all callers, or a
 * tuple of these.
 *
 * <p>Two keys are equal only if they mean the same caller: each part is written with its kind and
 * its length, so that no text of one kind can be taken for another kind or for a tuple. Texts are
 * compared character by character, without case folding or trimming.
 *
 * <p>Keys are short even for long texts, since one is stored for each caller, and callers choose
 * them: a text of more than {@value #MAX_TEXT} characters, and a tuple of more than {@value
 * #MAX_TUPLE}, is replaced by its SHA-256. It isn't feasible to find two texts with the same
 * digest.
 *
 * <p>Immutable.
 */
public final class Key {
  /** User names, UUIDs and most API keys are shorter and need no digest. */
  private static final int MAX_TEXT = 128;

  /** Kind, three digits and colon before a text. */
  private static final int MAX_PREFIX = 5;

  private static final int MAX_TUPLE = 256;

  private static final Key EVERYBODY = new Key("*0:");
  private static final Key NOBODY = new Key("n0:");

  private final String encoded;
  private final int hash;

  private Key(String encoded) {
    this.encoded = encoded;
    this.hash = encoded.hashCode();
  }

  /**
   * Returns the key of a signed-in user.
   *
   * @param name the name of the principal
   * @return the user's key
   */
  public static Key user(String name) {
    return part('u', name);
  }

  /**
   * Returns the user's name, if it is the key of a {@linkplain #user(String) user}, or a tuple that
   * begins with one.
   *
   * @return the name of the principal; empty for other keys, or if only the digest of the name is
   *     stored
   */
  public Optional<String> userName() {
    if (encoded.charAt(0) != 'u') {
      return Optional.empty();
    }
    int length = 0;
    int at = 1;
    while (at < encoded.length() && isDigit(encoded.charAt(at))) {
      length = 10 * length + encoded.charAt(at) - '0';
      at++;
    }
    boolean isText = at > 1 && at < encoded.length() && encoded.charAt(at) == ':'; // no digest
    return isText ? Optional.of(encoded.substring(at + 1, at + 1 + length)) : Optional.empty();
  }

  private static boolean isDigit(char letter) {
    return letter >= '0' && letter <= '9';
  }

  /**
   * Returns the key of an address.
   *
   * @param canonical the address or its prefix in its canonical spelling
   * @return the address's key
   */
  public static Key address(String canonical) {
    return part('a', canonical);
  }

  /**
   * Returns the key of a text that the application or the caller chose, such as an API key.
   *
   * @param text a text that identifies the caller
   * @return the text's key
   */
  public static Key of(String text) {
    return part('k', text);
  }

  /**
   * Returns the key that all callers share.
   *
   * @return the key of a policy by {@code ENDPOINT}
   */
  public static Key everybody() {
    return EVERYBODY;
  }

  /**
   * Returns the key of callers without an address, a name or anything else to count by. All calls
   * outside of HTTP share it.
   *
   * @return the key of unknown callers
   */
  public static Key nobody() {
    return NOBODY;
  }

  /**
   * Combines several keys; their order matters.
   *
   * @param parts at least one
   * @return the tuple, or the only part
   * @throws IllegalArgumentException if there is none
   */
  public static Key tuple(List<Key> parts) {
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a key must have at least one part");
    }
    if (parts.size() == 1) {
      return parts.get(0);
    }
    StringBuilder all = new StringBuilder();
    parts.forEach(part -> all.append(part.encoded));
    return new Key(all.length() <= MAX_TUPLE ? all.toString() : digest(all));
  }

  private static Key part(char kind, String text) {
    return new Key(text.length() <= MAX_TEXT ? plain(kind, text) : kind + TextDigest.digest(text));
  }

  /** Writes a text into a buffer that fits, since most requests make a key. */
  @SuppressWarnings("UnnecessaryStringBuilder") // + would let its buffer grow
  private static String plain(char kind, String text) {
    return new StringBuilder(text.length() + MAX_PREFIX)
        .append(kind)
        .append(text.length())
        .append(':')
        .append(text)
        .toString();
  }

  /** Marks the digest of a tuple by a plus sign after the kind of its first part. */
  private static String digest(StringBuilder tuple) {
    return tuple.charAt(0) + "+" + TextDigest.digest(tuple);
  }

  /**
   * Returns the unambiguous spelling for a store. It contains short texts in the clear, so never
   * write it to a log or a label.
   *
   * @return kind, length and text of each part, or kind and digest
   */
  public String encoded() {
    return encoded;
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof Key that && hash == that.hash && encoded.equals(that.encoded);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** Shows only the kind, not even a hash, so that log lines don't identify callers. */
  @Override
  public String toString() {
    return "Key[" + encoded.charAt(0) + "…]";
  }
}

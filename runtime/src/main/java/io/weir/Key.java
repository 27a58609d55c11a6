package io.weir;

import java.util.List;
import java.util.Optional;

/**
 * Whom a policy counts: a user, an address, an API key, everybody, or a tuple of these.
 *
 * <p>Two keys are equal only if they mean the same caller: each part is written with its kind and
 * its length, so that no text of one kind can pass for another kind or for a tuple. Texts are
 * compared character by character, without folding or trimming.
 *
 * <p>However long the texts, a key is short, since as many are kept as there are callers, and
 * callers choose them: of a text of more than {@value #LONGEST} characters, and of a tuple of more
 * than {@value #LONGEST_TUPLE}, the SHA-256 stands for it. Nobody can find two texts of one digest,
 * nor one for another caller's.
 *
 * <p>Immutable.
 */
public final class Key {
  /** User names, UUIDs and most API keys are shorter, and so cost no digest. */
  private static final int LONGEST = 128;

  private static final int LONGEST_TUPLE = 256;

  private static final Key EVERYBODY = new Key("*0:");
  private static final Key NOBODY = new Key("n0:");

  private final String encoded;
  private final int hash;

  private Key(String encoded) {
    this.encoded = encoded;
    this.hash = encoded.hashCode();
  }

  /**
   * A signed-in user.
   *
   * @param name the name of the principal
   * @return the user's key
   */
  public static Key user(String name) {
    return part('u', name);
  }

  /**
   * Whose key it is, if it is a {@linkplain #user(String) user's}, or a tuple that begins with one.
   *
   * @return the name of the principal; nothing if it is another key, or too long to be kept as it
   *     is
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
   * A caller's address.
   *
   * @param canonical the one spelling of the address or its prefix
   * @return the address's key
   */
  public static Key address(String canonical) {
    return part('a', canonical);
  }

  /**
   * A text that the application or the caller chose, an API key say.
   *
   * @param text whatever identifies the caller
   * @return the text's key
   */
  public static Key of(String text) {
    return part('k', text);
  }

  /**
   * Everybody together.
   *
   * @return the one key of an endpoint
   */
  public static Key everybody() {
    return EVERYBODY;
  }

  /**
   * Whoever has no address, no name and nothing else to count by: calls outside of HTTP share it.
   *
   * @return the one key of the unknown
   */
  public static Key nobody() {
    return NOBODY;
  }

  /**
   * All of several keys together; their order matters.
   *
   * @param parts at least one
   * @return the tuple, or the key itself if it is alone
   * @throws IllegalArgumentException if there is none
   */
  public static Key tuple(List<Key> parts) {
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a key has at least one part");
    }
    if (parts.size() == 1) {
      return parts.get(0);
    }
    StringBuilder all = new StringBuilder();
    parts.forEach(part -> all.append(part.encoded));
    return new Key(all.length() <= LONGEST_TUPLE ? all.toString() : digest(all));
  }

  private static Key part(char kind, String text) {
    return new Key(
        text.length() <= LONGEST
            ? kind + Integer.toString(text.length()) + ':' + text
            : kind + TextDigest.digest(text));
  }

  /** Told from one part by its mark; it begins as the first part does. */
  private static String digest(StringBuilder tuple) {
    return tuple.charAt(0) + "+" + TextDigest.digest(tuple);
  }

  /**
   * The unambiguous spelling, as far as it isn't long in the clear: for a store, never for a log or
   * a label.
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

  /** Tells the kind and nothing else, not even a hash, so that a log line gives nobody away. */
  @Override
  public String toString() {
    return "Key[" + encoded.charAt(0) + "…]";
  }
}

package io.weir.internal.rules.callers;

import io.weir.internal.rules.database.StorableText;
import io.weir.internal.rules.database.Sha256Digest;
import java.util.Optional;

/**
 * Whom the database may know: a principal or a key. A key is never a user: they differ even where
 * their texts are equal, and a key is found by its digest, which no principal has a row by.
 *
 * <p>However long the text, an identity is short, since callers choose it and as many are kept as
 * there are callers: the digest stands for a long one. Immutable.
 */
public final class CallerId {
  /** The longest {@code user_id}. A principal beyond it has no row. */
  private static final int LONGEST_ROW = 255;

  /** Most keys are shorter, and so cost no digest while they are cached. */
  private static final int LONGEST_KEY = 128;

  private final boolean isUser;
  private final boolean isPlain;
  private final String text;

  private CallerId(boolean isUser, boolean isPlain, String text) {
    this.isUser = isUser;
    this.isPlain = isPlain;
    this.text = text;
  }

  /**
   * A signed-in user, who is looked up as it is.
   *
   * @param name the principal's name
   * @return nothing if it can't have a row: it begins as the digest of a key does, is longer than
   *     any {@code user_id}, or is no text for a database
   */
  public static Optional<CallerId> user(String name) {
    return !isStorable(name) || name.startsWith(Sha256Digest.PREFIX)
        ? Optional.empty()
        : Optional.of(new CallerId(true, true, name));
  }

  /**
   * A key, which is looked up by its digest.
   *
   * @param key what the caller sent
   * @return the caller
   */
  public static CallerId key(String key) {
    return key.length() > LONGEST_KEY
        ? new CallerId(false, true, Sha256Digest.of(key))
        : new CallerId(false, false, key);
  }

  /**
   * A key that is looked up as it is, for adopted tables whose {@code user_id} are keys.
   *
   * @param key what the caller sent
   * @return nothing if it is longer than any {@code user_id}, or is no text for a database
   */
  public static Optional<CallerId> plainKey(String key) {
    return !isStorable(key) ? Optional.empty() : Optional.of(new CallerId(false, true, key));
  }

  /** PostgreSQL refuses NUL and halves of characters, and with them the whole statement. */
  private static boolean isStorable(String text) {
    return text.length() <= LONGEST_ROW && StorableText.is(text);
  }

  /**
   * The {@code user_id} of its row, if it has one.
   *
   * @return the name, or the key's digest
   */
  public String rowKey() {
    return isPlain ? text : Sha256Digest.of(text);
  }

  /**
   * Whether a row is that of a key, of which the text isn't known.
   *
   * @param userId as the row has it
   * @return true if it begins as digests do
   */
  public static boolean isDigest(String userId) {
    return userId.startsWith(Sha256Digest.PREFIX);
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof CallerId that
            && isUser == that.isUser
            && isPlain == that.isPlain
            && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return isUser ? text.hashCode() : ~text.hashCode();
  }

  /** Tells the kind and nothing else, so that a log line gives nobody away. */
  @Override
  public String toString() {
    return isUser ? "user" : "key";
  }
}

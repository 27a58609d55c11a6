package io.weir.internal.rules.callers;

import io.weir.internal.rules.database.Sha256Digest;
import io.weir.internal.rules.database.StorableText;
import java.util.Optional;

/**
 * Identifies a caller that may have a row: a user, by the principal's name, or a key. Both differ
 * even if their texts are equal: a key is found by its digest, and no user has such a row.
 *
 * <p>An identity is short, since callers choose the text and many are cached: a digest replaces a
 * long one. Immutable.
 */
public final class CallerId {
  /** The characters of the longest {@code user_id}. A user with a longer name has no row. */
  private static final int MAX_ROW_LENGTH = 500;

  /** Most keys are shorter, and so need no digest while they are cached. */
  private static final int MAX_KEY_LENGTH = 128;

  private final boolean isUser;
  private final boolean isPlain;
  private final String text;

  private CallerId(boolean isUser, boolean isPlain, String text) {
    this.isUser = isUser;
    this.isPlain = isPlain;
    this.text = text;
  }

  /**
   * Identifies a signed-in user, which is looked up by its name.
   *
   * @return empty if it can't have a row: it begins as the digest of a key does, is longer than any
   *     {@code user_id}, or can't be stored
   */
  public static Optional<CallerId> user(String name) {
    return !isStorable(name) || name.startsWith(Sha256Digest.PREFIX)
        ? Optional.empty()
        : Optional.of(new CallerId(true, true, name));
  }

  /** Identifies a key, which is looked up by its digest. */
  public static CallerId key(String key) {
    return key.length() > MAX_KEY_LENGTH
        ? new CallerId(false, true, Sha256Digest.of(key))
        : new CallerId(false, false, key);
  }

  /**
   * Identifies a key that is looked up by its text, in tables whose {@code user_id} are keys.
   *
   * @return empty if it is longer than any {@code user_id}, or can't be stored
   */
  public static Optional<CallerId> plainKey(String key) {
    return !isStorable(key) ? Optional.empty() : Optional.of(new CallerId(false, true, key));
  }

  /** PostgreSQL rejects a whole statement for one NUL or unpaired surrogate. */
  private static boolean isStorable(String text) {
    return text.length() <= 2 * MAX_ROW_LENGTH
        && text.codePointCount(0, text.length()) <= MAX_ROW_LENGTH
        && StorableText.is(text);
  }

  /** Returns the {@code user_id} of its row, if it has one: the name, or the key's digest. */
  public String rowKey() {
    return isPlain ? text : Sha256Digest.of(text);
  }

  /** Returns whether a {@code user_id} is the digest of a key, whose text isn't known. */
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

  /** Returns the kind alone, so that logs don't identify callers. */
  @Override
  public String toString() {
    return isUser ? "user" : "key";
  }
}

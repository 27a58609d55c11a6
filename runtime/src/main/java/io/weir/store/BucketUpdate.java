package io.weir.store;

import org.jspecify.annotations.Nullable;

/**
 * What one claim made of a bucket that a store keeps as bytes.
 *
 * <p>Immutable. Made by {@link BucketArithmetic#execute}.
 */
public final class BucketUpdate {
  private final Grant grant;
  private final byte @Nullable [] bytes;
  private final boolean changed;
  private final long expiresAt;

  BucketUpdate(Grant grant, byte @Nullable [] bytes, boolean changed, long expiresAt) {
    this.grant = grant;
    this.bytes = bytes;
    this.changed = changed;
    this.expiresAt = expiresAt;
  }

  /**
   * The answer to the claim. It counts only once the new bytes are stored, if there are any.
   *
   * @return the grant
   */
  public Grant grant() {
    return grant;
  }

  /**
   * Whether the store has to write {@link #bytes()}, or to remove the old ones where there are
   * none. It needn't where the claim only peeked, or was refused by a bucket that isn't strict,
   * unless it {@linkplain Claim#usedAtLeast() knew} of more to be used.
   *
   * @return false if the bytes are the same as before
   */
  public boolean isChanged() {
    return changed;
  }

  /**
   * The bucket after the claim.
   *
   * @return what to store, which the caller may keep; null if the bucket equals a fresh one, so
   *     that nothing has to be stored and old bytes are to be removed
   */
  public byte @Nullable [] bytes() {
    return bytes;
  }

  /**
   * From when on the bucket equals a fresh one, if nobody asks: its bytes may be dropped then, and
   * never earlier.
   *
   * @return microseconds since the epoch by the store's clock; in the past if there are no bytes
   */
  public long expiresAt() {
    return expiresAt;
  }
}

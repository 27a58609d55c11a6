package io.weir.store;

import org.jspecify.annotations.Nullable;

/**
 * The result of one claim on a bucket that a store keeps as bytes.
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
   * Returns the answer to the claim. It is valid only once the new bytes, if any, are stored.
   *
   * @return the grant
   */
  public Grant grant() {
    return grant;
  }

  /**
   * Returns whether the store has to write {@link #bytes()}, or to remove the old ones if there are
   * none. Not needed if the claim only peeked, or was refused by a bucket that isn't strict, unless
   * it {@linkplain Claim#usedAtLeast() knew} of more used permits.
   *
   * @return false if the bytes are the same as before
   */
  public boolean isChanged() {
    return changed;
  }

  /**
   * Returns the bytes of the bucket after the claim.
   *
   * @return the bytes to store, which the caller may keep; null if the bucket equals a fresh one,
   *     so that nothing has to be stored and old bytes are to be removed
   */
  public byte @Nullable [] bytes() {
    return bytes;
  }

  /**
   * Returns when the bucket will equal a fresh one if there are no more claims: its bytes may be
   * dropped then, and never earlier.
   *
   * @return microseconds since the epoch by the store's clock; in the past if there are no bytes
   */
  public long expiresAt() {
    return expiresAt;
  }
}

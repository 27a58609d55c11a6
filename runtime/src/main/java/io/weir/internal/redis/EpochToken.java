package io.weir.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.store.Epoch;

/**
 * An epoch as it is passed to scripts: its key in Redis, and what a node knows of it.
 *
 * <p>Immutable, as long as no caller writes to its arrays.
 */
final class EpochToken {
  static final int CHARACTERS = 16;

  /** The range of twelve digits: three thousand years of beats. */
  static final long MAX_BEATS = 1_000_000_000_000L;

  private final byte[] key;
  private final Epoch epoch;
  private final int slot;
  private final byte[] known;

  EpochToken(byte[] key, Epoch epoch, int slot) {
    this.key = key;
    this.epoch = epoch;
    this.slot = slot;
    String id = epoch.id();
    String characters = id.substring(id.length() - CHARACTERS);
    String beats = Long.toString(MAX_BEATS + epoch.beats()).substring(1); // with its zeros
    this.known = (characters + beats).getBytes(US_ASCII);
  }

  /** Whether it is the token of this very epoch at this slot. */
  @SuppressWarnings("ReferenceEquality") // an epoch is kept until the next is read
  boolean isOf(Epoch told, int at) {
    return epoch == told && slot == at;
  }

  byte[] key() {
    return key;
  }

  /** Returns the 16 characters that identify it, and the beats seen of it. */
  byte[] known() {
    return known;
  }
}

package io.weir.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.store.Epoch;

/**
 * An epoch as a script is told of it: where Redis keeps it, and what a node knows of it.
 *
 * <p>Immutable, as long as nobody writes to its arrays.
 */
final class EpochToken {
  static final int CHARACTERS = 16;

  /** What twelve digits can tell: three thousand years of them. */
  static final long MOST_BEATS = 1_000_000_000_000L;

  private final byte[] key;
  private final Epoch epoch;
  private final int slot;
  private final byte[] known;

  /** The token of an epoch at a slot. */
  EpochToken(byte[] key, Epoch epoch, int slot) {
    this.key = key;
    this.epoch = epoch;
    this.slot = slot;
    String id = epoch.id();
    String characters = id.substring(id.length() - CHARACTERS);
    String beats = Long.toString(MOST_BEATS + epoch.beats()).substring(1); // with its zeros
    this.known = (characters + beats).getBytes(US_ASCII);
  }

  /** Whether it is of that very epoch there. */
  @SuppressWarnings("ReferenceEquality") // an epoch is kept until the next is told
  boolean isOf(Epoch told, int at) {
    return epoch == told && slot == at;
  }

  /** Where Redis keeps it. */
  byte[] key() {
    return key;
  }

  /** The 16 characters that tell it apart, and the beats that were seen of it. */
  byte[] known() {
    return known;
  }
}

package io.weir.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.store.Epoch;
import java.util.Locale;

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
  private final byte[] known;

  EpochToken(byte[] key, Epoch epoch) {
    this.key = key;
    String id = epoch.id();
    String characters = id.substring(id.length() - CHARACTERS);
    String beats = String.format(Locale.ROOT, "%012d", epoch.beats());
    this.known = (characters + beats).getBytes(US_ASCII);
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

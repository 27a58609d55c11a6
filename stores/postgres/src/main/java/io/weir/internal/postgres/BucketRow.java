package io.weir.internal.postgres;

import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A row as a node knows it.
 *
 * <p>Immutable.
 *
 * @param version identifies its content; 0 if there is no row
 * @param state the bytes of a bucket; null if it equals a fresh one
 * @param expiresAt when it may be removed, in microseconds since the epoch by the server's clock
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record BucketRow(long version, byte @Nullable [] state, long expiresAt) {
  static final BucketRow NONE = new BucketRow(0, null, 0);

  /** Leaves room for as many versions as a row will ever have. */
  private static final long FIRST_VERSIONS = 1L << 62;

  private static final long GROWTHS = 1L << 24;
  private static final byte[] EMPTY = {};

  /** Returns a row of the table; without a version there is none. */
  static BucketRow of(long version, long expiresAt, byte @Nullable [] state) {
    return version == 0
        ? NONE
        : new BucketRow(version, state == null || state.length == 0 ? null : state, expiresAt);
  }

  /** Returns the bytes that stand for the state in the table, where it can't be null. */
  byte[] storedState() {
    return state == null ? EMPTY : state;
  }

  /** Returns the state that counts at a time; null if it equals a fresh one. */
  byte @Nullable [] stateAt(long now) {
    return expiresAt <= now ? null : state;
  }

  /**
   * Returns the version that replaces this one. That of a first row is random, so that no node
   * takes a row that was removed and made again for the one that it knew.
   *
   * @param growth from {@link #randomGrowth()}
   */
  long nextVersion(long growth) {
    return version == 0
        ? ThreadLocalRandom.current().nextLong(1, FIRST_VERSIONS)
        : version + growth;
  }

  /**
   * Returns the difference between a version and the one before. It is random, so that no two
   * statements write the same version after each other: a crash may take back what one of them
   * wrote, while the node still remembers it.
   */
  static long randomGrowth() {
    return ThreadLocalRandom.current().nextLong(1, GROWTHS);
  }
}

package io.weir.internal.algorithm;

/**
 * What a bucket has lent in far leases: permits that were charged far ahead, and of which no node
 * has said yet that they were spent or weren't used.
 *
 * <p>One number, not one for each lease. What nodes never account for, because they crashed or
 * their messages were lost, is forgotten when the last far lease no longer counts. Until then less
 * is lent, and that is all: no promise depends on it.
 *
 * <p>Immutable.
 *
 * @param open permits that aren't accounted for, 1 and more
 * @param until when the last of them no longer counts: microseconds since the epoch
 */
record FarLeases(long open, long until) {
  /** A far lease lives this part of a window. The scripts in Redis say this number again. */
  static final int PART = 8;

  /** How long far leases of a window live, in microseconds; a slot may make it longer. */
  static long life(long window) {
    return window / PART;
  }

  /**
   * How many permits may be open at once: a sixteenth of the limit. Of a small limit it is up to an
   * eighth, for with less each of a few nodes couldn't hold two.
   */
  static long most(long limit) {
    return Math.max(limit / 16, Math.min(12, limit / 8));
  }
}

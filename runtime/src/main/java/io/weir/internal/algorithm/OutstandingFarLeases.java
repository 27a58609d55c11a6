package io.weir.internal.algorithm;

/**
 * Counts the permits of a bucket in far leases: charged far ahead, and not yet reported by a node
 * as spent or given back.
 *
 * <p>One number, not one for each lease. Permits that nodes never account for, because they crashed
 * or messages were lost, are forgotten when the last far lease no longer counts. Until then less is
 * lent, and that is all: no promise depends on it.
 *
 * <p>Immutable.
 *
 * @param open permits that aren't accounted for, 1 and more
 * @param until when the last of them no longer counts: microseconds since the epoch
 */
record OutstandingFarLeases(long open, long until) {
  /** The part of a window that a far lease lives. The scripts in Redis repeat this number. */
  static final int PART = 8;

  /** Returns the life of far leases of a window, in microseconds; a slot may make it longer. */
  static long life(long window) {
    return window / PART;
  }

  /**
   * Returns the permits that may be open at once: a sixteenth of the limit. Of a small limit up to
   * an eighth, because with less a few nodes couldn't hold two each.
   */
  static long most(long limit) {
    return Math.max(limit / 16, Math.min(12, limit / 8));
  }
}

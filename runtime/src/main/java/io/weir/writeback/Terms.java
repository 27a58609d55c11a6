package io.weir.writeback;

import io.weir.store.Wish;

/**
 * What is in force for a bucket at this node, after mode, load and tier.
 *
 * <p>Immutable.
 *
 * @param capacity permits per window
 * @param burst permits at once
 * @param above how many of those at once are above the limit
 */
record Terms(long capacity, long burst, long above) {
  /** Of a bucket that nobody has used. */
  static final Terms NONE = new Terms(1, 1, 0);

  static Terms of(Wish wish) {
    return new Terms(wish.capacity(), wish.burst(), wish.above());
  }
}

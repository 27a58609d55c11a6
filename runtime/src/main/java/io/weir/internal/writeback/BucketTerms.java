package io.weir.internal.writeback;

import io.weir.internal.permits.BucketRequest;

/**
 * What is in force for a bucket at this node, after mode, load and tier.
 *
 * <p>Immutable.
 *
 * @param effectiveLimit permits per window
 * @param burst permits at once
 * @param excess how many of those at once are above the limit
 */
record BucketTerms(long effectiveLimit, long burst, long excess) {
  /** Of a bucket that nobody has used. */
  static final BucketTerms NONE = new BucketTerms(1, 1, 0);

  static BucketTerms of(BucketRequest wish) {
    return new BucketTerms(wish.effectiveLimit(), wish.burst(), wish.excess());
  }
}

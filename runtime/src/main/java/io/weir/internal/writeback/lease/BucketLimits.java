package io.weir.internal.writeback.lease;

import io.weir.internal.permits.BucketRequest;

/**
 * What is in force for a bucket at this node, after mode, load and tier.
 *
 * <p>Immutable.
 *
 * @param limit permits per window before mode, load and reserve
 * @param effectiveLimit permits per window
 * @param burst permits at once
 * @param excess how many of those at once are above the limit
 */
public record BucketLimits(long limit, long effectiveLimit, long burst, long excess) {
  /** For a bucket that nobody has used. */
  public static final BucketLimits NONE = new BucketLimits(1, 1, 1, 0);

  /** The limits of a request. */
  public static BucketLimits of(BucketRequest request) {
    return new BucketLimits(
        request.limit(), request.effectiveLimit(), request.burst(), request.excess());
  }
}

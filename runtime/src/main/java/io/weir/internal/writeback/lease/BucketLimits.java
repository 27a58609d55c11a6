package io.weir.internal.writeback.lease;

import io.weir.internal.permits.BucketRequest;

/**
 * The limits in force for a bucket at this node, after mode, load and tier.
 *
 * <p>Immutable.
 *
 * @param limit permits per window before mode, load and reserve
 * @param effectiveLimit permits per window
 * @param burst permits at once
 * @param excess permits of the burst that are above the limit
 */
public record BucketLimits(long limit, long effectiveLimit, long burst, long excess) {
  public static final BucketLimits NONE = new BucketLimits(1, 1, 1, 0);

  public static BucketLimits of(BucketRequest request) {
    return new BucketLimits(
        request.limit(), request.effectiveLimit(), request.burst(), request.excess());
  }
}

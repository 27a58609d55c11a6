package io.weir.internal.inprocess;

import io.weir.store.BucketArithmetic;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.LiveBucket;
import org.jspecify.annotations.Nullable;

/**
 * Counts the buckets of a group that have no slot, in two tables of a fixed size, each from its
 * first use on: one for the windows, one for the bucket algorithms. May count too much for a
 * bucket, never too little. A bucket that has used nothing is refused only where others share its
 * entry, so not before a set of entries is full.
 *
 * <p>Guarded by the monitor of the group.
 */
final class OverflowSketch {
  private static final BucketArithmetic ARITHMETIC = BucketArithmetic.exact();

  private final long madeAt;
  private final int entries;
  private @Nullable WindowSketch windows;
  private @Nullable TokenBucketSketch rates;

  /** Begins at a time, with tables of so many entries. */
  OverflowSketch(long now, int entries) {
    this.madeAt = now;
    this.entries = entries;
  }

  /**
   * Executes a claim of a bucket without a slot.
   *
   * @param bucket the hash of the bucket
   */
  Grant execute(Claim claim, long bucket, long now) {
    return isBucket(claim.bucket().spec())
        ? rates().execute(claim, bucket, now)
        : windows().execute(claim, bucket, now);
  }

  /**
   * Makes the state of a bucket that gets a slot; it includes all that the bucket has used here.
   */
  LiveBucket moveIn(Claim claim, long bucket, long now) {
    BucketSpec spec = claim.bucket().spec();
    LiveBucket state = ARITHMETIC.fresh(spec);
    TokenBucketSketch levels = rates;
    WindowSketch sums = windows;
    if (isBucket(spec) && levels != null) {
      levels.moveIn(claim, bucket, state, now);
    } else if (!isBucket(spec) && sums != null) {
      sums.moveIn(claim, bucket, state, now);
    }
    return state;
  }

  private static boolean isBucket(BucketSpec spec) {
    return BucketSpec.hasBurst(spec.algorithm());
  }

  private TokenBucketSketch rates() {
    TokenBucketSketch known = rates;
    if (known == null) {
      known = new TokenBucketSketch(madeAt, entries);
      rates = known;
    }
    return known;
  }

  private WindowSketch windows() {
    WindowSketch known = windows;
    if (known == null) {
      known = new WindowSketch(madeAt, entries);
      windows = known;
    }
    return known;
  }
}

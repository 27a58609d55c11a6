package io.weir.internal.inprocess;

import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.LiveBucket;

/**
 * Counts the buckets of a group that have no slot, in a table of a fixed size. May count too much
 * for a bucket, never too little. A bucket that has used nothing is refused only where others share
 * its entry, so not before a set of entries is full.
 *
 * <p>Guarded by the monitor of the group.
 */
abstract class OverflowSketch {
  /** Executes a claim on the bucket of a hash. */
  abstract Grant execute(Claim claim, long bucket, long now);

  /** Charges a bucket that gets a slot with what it has used here, no earlier than it did. */
  abstract void moveIn(Claim claim, long bucket, LiveBucket state, long now);

  static void charge(Claim claim, LiveBucket state, long permits, long time) {
    if (permits > 0) {
      Claim.Builder debt =
          Claim.builder(claim.bucket(), claim.effectiveLimit(), claim.burst()).debt(permits);
      state.execute(debt.build(), time);
    }
  }
}

package io.weir.internal.inprocess;

import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.LiveBucket;

/**
 * Counts the buckets that have no slot. May count too much for one, never too little.
 *
 * <p>Called under the monitor of the group that a bucket falls into, so one bucket at a time.
 */
interface OverflowCounter {
  /** Executes a claim of a bucket without a slot. */
  Grant execute(Claim claim, long now);

  /**
   * Makes the state of a bucket that gets a slot; it includes all that the bucket has used here.
   */
  LiveBucket moveIn(Claim claim, long now);
}

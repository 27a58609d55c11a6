package io.weir.internal.inprocess;

import io.weir.store.BucketArithmetic;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.LiveBucket;

/**
 * Serves buckets without a slot: one of a fixed number of groups that they fall into by their hash.
 * A bucket that finds a free slot moves in; one that finds none is counted by an {@link
 * OverflowSketch}: one for the windows, one for the bucket algorithms.
 *
 * <p>A bucket that moves in keeps all that it has used here. So no caller gets a fresh start by
 * coming first when the store is full and again when it isn't.
 *
 * <p>Guarded by its own monitor, which also keeps two threads from moving one bucket in twice.
 */
final class OverflowBuckets {
  /** The number of slots that a new bucket checks to find one that can be freed. */
  private static final int CHECKS = 32;

  private static final BucketArithmetic ARITHMETIC = BucketArithmetic.exact();

  private final BucketSlots slots;
  private final OverflowSketch windows;
  private final OverflowSketch rates;
  private final Runnable whenFull;

  /**
   * Begins at a time.
   *
   * @param entries the number of entries of each sketch
   * @param whenFull runs for each claim of a bucket that finds no slot
   */
  OverflowBuckets(BucketSlots slots, long now, int entries, Runnable whenFull) {
    this.slots = slots;
    this.windows = new WindowSketch(now, entries);
    this.rates = new TokenBucketSketch(now, entries);
    this.whenFull = whenFull;
  }

  /**
   * Executes a claim.
   *
   * @param bucket the hash of the bucket
   */
  Grant execute(Claim claim, long bucket, long now) {
    boolean hasBurst = BucketSpec.hasBurst(claim.bucket().spec().algorithm());
    OverflowSketch sketch = hasBurst ? rates : windows;
    if (findSlot(now)) {
      return moveIn(sketch, claim, bucket, now);
    }
    whenFull.run();
    return sketch.execute(claim, bucket, now);
  }

  private boolean findSlot(long now) {
    if (slots.reserve()) {
      return true;
    }
    slots.sweep(CHECKS, now);
    return slots.reserve();
  }

  private Grant moveIn(OverflowSketch sketch, Claim claim, long bucket, long now) {
    LiveBucket state = ARITHMETIC.fresh(claim.bucket().spec());
    sketch.moveIn(claim, bucket, state, now);
    Grant grant = state.execute(claim, now);
    if (state.expiresAt() > now) {
      slots.fill(claim.bucket(), state);
    } else {
      // It only peeked, or was refused: the bucket still equals a fresh one.
      slots.free();
    }
    return grant;
  }
}

package io.weir.internal.inprocess;

import io.weir.store.BucketArithmetic;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.LiveBucket;
import java.util.HashMap;
import java.util.Map;

/**
 * Where buckets without a slot are served: one of a fixed number of groups that they fall into by
 * their hash. A bucket that finds a free slot moves in; one that finds none shares the group's
 * overflow bucket of its spec with the others.
 *
 * <p>A bucket that moves in takes a copy of the overflow bucket with it, all that was used there
 * included. So nobody gets a fresh start by coming first when the store is full and again when it
 * isn't. The copy is a condensed one, since a long log that is one for the group would be many for
 * those who move in.
 *
 * <p>Guarded by its own monitor, which also keeps two threads from moving one bucket in twice.
 */
final class OverflowBuckets {
  private static final BucketArithmetic ARITHMETIC = BucketArithmetic.exact();

  /** How many slots one newcomer checks to find one that can be freed. */
  private static final int CHECKS = 32;

  private final BucketSlots slots;
  private final Map<BucketSpec, LiveBucket> overflow = new HashMap<>();

  OverflowBuckets(BucketSlots slots) {
    this.slots = slots;
  }

  Grant execute(Claim claim, long now) {
    if (!overflow.isEmpty()) {
      overflow.values().removeIf(state -> state.expiresAt() <= now);
    }
    return findSlot(now) ? moveIn(claim, now) : shared(claim.bucket().spec()).execute(claim, now);
  }

  private boolean findSlot(long now) {
    if (slots.reserve()) {
      return true;
    }
    slots.sweep(CHECKS, now);
    return slots.reserve();
  }

  private Grant moveIn(Claim claim, long now) {
    LiveBucket state = inherited(claim.bucket().spec());
    Grant grant = state.execute(claim, now);
    if (state.expiresAt() > now) {
      slots.fill(claim.bucket(), state);
    } else {
      // It only peeked, or was refused: the next one is as new as this one was.
      slots.free();
    }
    return grant;
  }

  private LiveBucket inherited(BucketSpec spec) {
    LiveBucket shared = overflow.get(spec);
    return shared == null ? ARITHMETIC.fresh(spec) : shared.condensed();
  }

  private LiveBucket shared(BucketSpec spec) {
    return overflow.computeIfAbsent(spec, missing -> ARITHMETIC.fresh(missing));
  }
}

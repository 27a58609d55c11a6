package io.weir.internal.inprocess;

import io.weir.internal.algorithm.BucketState;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.util.HashMap;
import java.util.Map;

/**
 * Where buckets without a place are served: one of a fixed number of groups that they fall into by
 * their hash. Who finds a place moves in; who finds none shares the group's overflow bucket of its
 * shape with the others.
 *
 * <p>A bucket that moves in takes a copy of the overflow bucket with it, all that was used there
 * included. So nobody gets a fresh start by coming first when the store is full and again when it
 * isn't. The copy is a condensed one, since a long log that is one for the group would be many for
 * those who move in.
 *
 * <p>Guarded by its own monitor, which also keeps two threads from moving one bucket in twice.
 */
final class OverflowBuckets {
  /** How many places one newcomer looks at to find one that can be freed. */
  private static final int LOOKS = 32;

  private final BucketSlots cells;
  private final Map<BucketSpec, BucketState> overflow = new HashMap<>();

  OverflowBuckets(BucketSlots cells) {
    this.cells = cells;
  }

  Grant step(Claim claim, long now) {
    if (!overflow.isEmpty()) {
      overflow.values().removeIf(state -> state.freshAt() <= now);
    }
    return findPlace(now) ? moveIn(claim, now) : shared(claim.bucket().spec()).step(claim, now);
  }

  private boolean findPlace(long now) {
    if (cells.reserve()) {
      return true;
    }
    cells.sweep(LOOKS, now);
    return cells.reserve();
  }

  private Grant moveIn(Claim claim, long now) {
    BucketState state = inherited(claim.bucket().spec());
    Grant grant = state.step(claim, now);
    if (state.freshAt() > now) {
      cells.fill(claim.bucket(), state);
    } else {
      // Only looked, or refused: the next one is as new as this one was.
      cells.free();
    }
    return grant;
  }

  private BucketState inherited(BucketSpec spec) {
    BucketState shared = overflow.get(spec);
    return shared == null ? BucketState.of(spec, 0) : shared.condensed();
  }

  private BucketState shared(BucketSpec spec) {
    return overflow.computeIfAbsent(spec, missing -> BucketState.of(missing, 0));
  }
}

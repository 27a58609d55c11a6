package io.weir.internal.inprocess;

import io.weir.store.BucketArithmetic;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.LiveBucket;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts all buckets of one group and spec in one overflow bucket that they share.
 *
 * <p>A bucket that gets a slot takes a copy of the overflow bucket with it. The copy is condensed,
 * since one long log for the group would become many for the buckets that move in.
 *
 * <p>Guarded by the monitor of the group.
 */
final class SharedOverflowBucket implements OverflowCounter {
  private static final BucketArithmetic ARITHMETIC = BucketArithmetic.exact();

  private final Map<BucketSpec, LiveBucket> shared = new HashMap<>();

  @Override
  public Grant execute(Claim claim, long now) {
    expire(now);
    BucketSpec spec = claim.bucket().spec();
    return shared.computeIfAbsent(spec, missing -> ARITHMETIC.fresh(missing)).execute(claim, now);
  }

  @Override
  public LiveBucket moveIn(Claim claim, long now) {
    expire(now);
    LiveBucket before = shared.get(claim.bucket().spec());
    return before == null ? ARITHMETIC.fresh(claim.bucket().spec()) : before.condensed();
  }

  private void expire(long now) {
    if (!shared.isEmpty()) {
      shared.values().removeIf(state -> state.expiresAt() <= now);
    }
  }
}

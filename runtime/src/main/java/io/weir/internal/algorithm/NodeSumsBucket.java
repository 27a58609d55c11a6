package io.weir.internal.algorithm;

import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.SlottedBucket;

/**
 * Puts a bucket together out of the sums that nodes have charged to its slots, for one moment.
 *
 * <p>Confine to one thread.
 */
public final class NodeSumsBucket implements SlottedBucket {
  private final BucketState state;
  private final SlottedState counts;
  private final long now;

  private NodeSumsBucket(BucketState state, SlottedState counts, long now) {
    this.state = state;
    this.counts = counts;
    this.now = now;
    counts.begin(now);
  }

  /**
   * Returns whether buckets of a spec consist of sums of slots, as windows do, those of the
   * calendar and logs included. A level doesn't: how far it has sunk depends on the order in which
   * permits were taken.
   */
  public static boolean makes(BucketSpec spec) {
    return switch (BucketKind.of(spec)) {
      case FIXED_WINDOW, SLIDING_WINDOW, SLIDING_LOG, CALENDAR -> true;
      case LEVEL, REFILL, ATTEMPTS -> false;
    };
  }

  /**
   * Makes a bucket to which nothing is charged yet.
   *
   * @param minLifeMicros the shortest life of a grant
   * @throws IllegalArgumentException if it can't be {@linkplain #makes made}, or as {@link
   *     BucketKind#bucket}
   */
  public static SlottedBucket of(BucketSpec spec, long minLifeMicros, long clockMicros) {
    BucketState state = BucketKind.bucket(spec, minLifeMicros);
    if (state instanceof SlottedState counts) {
      return new NodeSumsBucket(state, counts, clockMicros);
    }
    throw new IllegalArgumentException(spec.algorithm() + " isn't counted in slots");
  }

  @Override
  public long firstSlot() {
    return counts.firstSlot(now);
  }

  @Override
  public long countsUntil(long slot) {
    return counts.countsUntil(slot);
  }

  @Override
  public long slotOf(long stamp) {
    return counts.slotOf(stamp);
  }

  @Override
  public void charge(long slot, long permits) {
    if (permits > 0 && slot >= firstSlot()) {
      counts.put(now, slot, permits);
    }
  }

  @Override
  public void eachCharge(ChargeVisitor visitor) {
    counts.eachSum(visitor);
  }

  @Override
  public Grant execute(Claim claim) {
    return state.execute(claim, now);
  }
}

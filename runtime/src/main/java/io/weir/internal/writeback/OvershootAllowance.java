package io.weir.internal.writeback;

import io.weir.internal.permits.BucketRequest;
import io.weir.store.BucketId;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * How much this node may admit ahead of the store: of {@code overshoot} percent of the limit its
 * share, once in a window for each bucket.
 *
 * <p>What was borrowed is known by the entry. When that is evicted only the time remains, in a
 * table of fixed size by the hash of the bucket: then nothing is borrowed for a window, also by
 * whose hash is the same. It has twice as many places as the cache has buckets, so that of those
 * who come when as many have borrowed and left within a window, six in ten still may; and it is
 * made when the first of them leaves, since most nodes never need it.
 *
 * <p>Invariant: all nodes together borrow at most {@code overshoot} percent of the limit of a
 * bucket in any interval of a window's length, whether their debts arrive or not.
 *
 * <p>Safe for concurrent use.
 */
final class OvershootAllowance {
  private static final int FEWEST = 4_096;
  private static final int MOST = 1 << 21;
  private static final int GOLDEN = 0x9E3779B9;
  private static final long PERCENT = 100L * io.weir.store.Membership.WHOLE;

  private final OvershootShares shares;
  private final int places;
  private final int shift;
  private final AtomicReference<@Nullable AtomicLongArray> lastBorrowed = new AtomicReference<>();

  OvershootAllowance(OvershootShares shares, long buckets) {
    this.shares = shares;
    int wanted = (int) Math.max(FEWEST, Math.min(MOST, 2 * Math.min(MOST, buckets)));
    this.places = Integer.highestOneBit(2 * wanted - 1);
    this.shift = Integer.numberOfLeadingZeros(places) + 1;
  }

  /** How many permits may be borrowed in a window. */
  long allowed(BucketRequest wish, long now) {
    long share = shares.least(wish.bucket().spec().windowMicros(), now);
    // At most 100 × 10^9 × 10^6, which a long holds.
    return wish.policy().overshoot() * wish.limit() * share / PERCENT;
  }

  /** Whether nothing is known to have been borrowed by an entry that was evicted. */
  boolean isUntouched(BucketId bucket, long now) {
    AtomicLongArray times = lastBorrowed.get();
    if (times == null) {
      return true;
    }
    long last = times.get(place(bucket));
    return last == Long.MIN_VALUE
        || now >= NodeClock.after(last, ClockDrift.surely(bucket.spec().windowMicros()));
  }

  /** Notes when an entry that is evicted has borrowed last. */
  void remember(BucketId bucket, long borrowedAt) {
    times().accumulateAndGet(place(bucket), borrowedAt, Math::max);
  }

  private AtomicLongArray times() {
    AtomicLongArray times = lastBorrowed.get();
    if (times != null) {
      return times;
    }
    long[] never = new long[places];
    Arrays.fill(never, Long.MIN_VALUE);
    AtomicLongArray made = new AtomicLongArray(never);
    AtomicLongArray other = lastBorrowed.compareAndExchange(null, made);
    return other != null ? other : made;
  }

  private int place(BucketId bucket) {
    return bucket.hashCode() * GOLDEN >>> shift;
  }
}

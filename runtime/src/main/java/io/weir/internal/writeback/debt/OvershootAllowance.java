package io.weir.internal.writeback.debt;

import io.weir.internal.clock.DriftMargin;
import io.weir.internal.clock.NodeClock;
import io.weir.internal.permits.BucketRequest;
import io.weir.store.BucketId;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Decides how much this node may borrow, that is, admit ahead of the store: its share of {@code
 * overshoot} percent of the limit, once in a window for each bucket.
 *
 * <p>The bucket knows what it has borrowed. When it is evicted, only the time of the last borrowing
 * remains, in a table of fixed size by the bucket's hash: for a window nothing more is borrowed,
 * not even by another bucket of that hash. The table has twice as many slots as the cache has
 * buckets: if that many have borrowed and left within a window, six in ten buckets may still
 * borrow. It is made when the first bucket leaves, since most nodes never need it.
 *
 * <p>Invariant: all nodes together borrow at most {@code overshoot} percent of the limit of a
 * bucket in any interval of a window's length, whether their debts arrive or not.
 *
 * <p>Safe for concurrent use.
 */
public final class OvershootAllowance {
  private static final int MIN_SLOTS = 4_096;
  private static final int MAX_SLOTS = 1 << 21;
  private static final int GOLDEN = 0x9E3779B9;
  private static final long PERCENT = 100L * io.weir.store.Membership.WHOLE;

  private final OvershootShareHistory shares;
  private final int slots;
  private final int shift;
  private final AtomicReference<@Nullable AtomicLongArray> lastBorrowed = new AtomicReference<>();

  public OvershootAllowance(OvershootShareHistory shares, long buckets) {
    this.shares = shares;
    int wanted = (int) Math.max(MIN_SLOTS, Math.min(MAX_SLOTS, 2 * Math.min(MAX_SLOTS, buckets)));
    this.slots = Integer.highestOneBit(2 * wanted - 1);
    this.shift = Integer.numberOfLeadingZeros(slots) + 1;
  }

  /** Returns the number of permits that may be borrowed in a window. */
  long allowed(BucketRequest request, long now) {
    long share = shares.least(request.bucket().spec().windowMicros(), now);
    // At most 100 × 10^9 × 10^6, which a long holds.
    return request.policy().overshoot() * request.limit() * share / PERCENT;
  }

  /** Returns whether nothing is known to have been borrowed by a bucket that was evicted. */
  boolean isUntouched(BucketId bucket, long now) {
    AtomicLongArray times = lastBorrowed.get();
    if (times == null) {
      return true;
    }
    long last = times.get(slot(bucket));
    return last == Long.MIN_VALUE
        || now >= NodeClock.after(last, DriftMargin.lengthen(bucket.spec().windowMicros()));
  }

  /** Notes when an evicted bucket has borrowed last. */
  public void remember(BucketId bucket, long borrowedAt) {
    times().accumulateAndGet(slot(bucket), borrowedAt, Math::max);
  }

  private AtomicLongArray times() {
    AtomicLongArray times = lastBorrowed.get();
    if (times != null) {
      return times;
    }
    long[] never = new long[slots];
    Arrays.fill(never, Long.MIN_VALUE);
    AtomicLongArray made = new AtomicLongArray(never);
    AtomicLongArray other = lastBorrowed.compareAndExchange(null, made);
    return other != null ? other : made;
  }

  private int slot(BucketId bucket) {
    return bucket.hashCode() * GOLDEN >>> shift;
  }
}

package io.weir.writeback;

import io.weir.store.Bucket;
import io.weir.store.Wish;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How much this node may admit ahead of the store: of {@code overshoot} percent of the limit its
 * share, once in a window for each bucket.
 *
 * <p>What was borrowed is known by the entry. When that is evicted only the time remains, in a
 * table of fixed size by the hash of the bucket: then nothing is borrowed for a window, also by
 * whose hash is the same.
 *
 * <p>Invariant: all nodes together borrow at most {@code overshoot} percent of the limit of a
 * bucket in any interval of a window's length, whether their debts arrive or not.
 *
 * <p>Safe for concurrent use.
 */
final class Overdraft {
  private static final int TIMES = 4_096;
  private static final long PERCENT = 100L * io.weir.store.Membership.WHOLE;

  private final Shares shares;
  private final AtomicLongArray lastBorrowed = new AtomicLongArray(TIMES);

  Overdraft(Shares shares) {
    this.shares = shares;
    for (int i = 0; i < TIMES; i++) {
      lastBorrowed.set(i, Long.MIN_VALUE);
    }
  }

  /** How many permits may be borrowed in a window. */
  long allowed(Wish wish, long now) {
    long share = shares.least(wish.bucket().shape().windowMicros(), now);
    // At most 100 × 10^9 × 10^6, which a long holds.
    return wish.policy().overshoot() * wish.limit() * share / PERCENT;
  }

  /** Whether nothing is known to have been borrowed by an entry that was evicted. */
  boolean isUntouched(Bucket bucket, long now) {
    long last = lastBorrowed.get(slot(bucket));
    return last == Long.MIN_VALUE
        || now >= NodeClock.after(last, LeaseLife.surely(bucket.shape().windowMicros()));
  }

  /** Notes when an entry that is evicted has borrowed last. */
  void remember(Bucket bucket, long borrowedAt) {
    lastBorrowed.accumulateAndGet(slot(bucket), borrowedAt, Math::max);
  }

  private static int slot(Bucket bucket) {
    int hash = bucket.hashCode() * 0x9E3779B9;
    return hash >>> 20;
  }
}

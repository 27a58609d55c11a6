package io.weir.internal.writeback;

import io.weir.internal.writeback.debt.BorrowedPermits;
import io.weir.internal.writeback.debt.OvershootAllowance;
import io.weir.internal.writeback.debt.RecoverableCharges;
import io.weir.internal.writeback.lease.BucketLimits;
import io.weir.internal.writeback.lease.RestingLease;
import io.weir.internal.writeback.lease.StoreSnapshot;
import io.weir.store.BucketId;
import org.jspecify.annotations.Nullable;

/**
 * A bucket in the cache. While it is in use it has an active bucket. At rest it keeps the rest of
 * that: how much of it was used and when that comes back, the current back-off, how many requests
 * count towards a lease, and what the store must be told if it loses its data.
 *
 * <p>A node holds many buckets that were asked for once and few that are in use at one moment. So
 * this is small, and an active bucket may take what it needs.
 *
 * <p>Invariant: it has one active bucket at a time, and no new one once it is evicted.
 *
 * <p>Safe for concurrent use. Its monitor may be taken under that of an active bucket, never the
 * other way round.
 */
final class CachedBucket implements ActiveBucket.Owner {
  private static final long LONG_AGO = Long.MIN_VALUE / 2;

  /** Times are kept in units of 2^16 µs, so that an int holds four years of them. */
  private static final int UNIT = 16;

  private final BucketId bucket;

  /**
   * The active bucket, or at rest a {@link RestingLease} if there is one. One of them at a time.
   */
  private volatile @Nullable Object activeOrLease;

  private @Nullable BorrowedPermits borrowed;
  private long resetAt = Long.MIN_VALUE;
  private int used;
  private int charged;
  private int chargedUntil;
  private byte earnings;
  private byte backoff;
  private boolean evicted;
  private boolean lostCharges;

  CachedBucket(BucketId bucket) {
    this.bucket = bucket;
  }

  BucketId bucket() {
    return bucket;
  }

  /** The active bucket; null if this is at rest. */
  @Nullable ActiveBucket active() {
    return activeOrLease instanceof ActiveBucket active ? active : null;
  }

  private @Nullable RestingLease lease() {
    return activeOrLease instanceof RestingLease kept ? kept : null;
  }

  /** The active bucket, made if this is at rest; null if this is evicted. */
  synchronized @Nullable ActiveBucket activate(BucketLimits limits, CacheContext context) {
    ActiveBucket last = active();
    if (last != null || evicted) {
      return last;
    }
    long now = context.now();
    BucketHistory history =
        new BucketHistory(snapshot(limits), borrowed, charged(now), backoff, earnings, lease());
    ActiveBucket made = new ActiveBucket(bucket, this, limits, history, context);
    if (lostCharges) {
      lostCharges = false;
      made.reportLostCharges(now); // by its first claim
    }
    borrowed = null;
    activeOrLease = made;
    context.flushQueue().add(made);
    return made;
  }

  /** Brings a bucket at rest into use if it keeps a far lease, so that it can give that back. */
  void wakeToGiveBack(BucketLimits limits, CacheContext context) {
    if (activeOrLease instanceof RestingLease) {
      activate(limits, context);
    }
  }

  private StoreSnapshot snapshot(BucketLimits limits) {
    long left = Math.max(0, limits.burst() - used);
    return new StoreSnapshot(LONG_AGO, left, limits.effectiveLimit(), limits.burst(), resetAt);
  }

  private RecoverableCharges charged(long now) {
    return stillCounts(now)
        ? new RecoverableCharges(bucket.spec().algorithm(), charged, (long) chargedUntil << UNIT)
        : new RecoverableCharges(bucket.spec().algorithm());
  }

  private boolean stillCounts(long now) {
    return charged > 0 && now < (long) chargedUntil << UNIT;
  }

  /**
   * The store has lost its data. An active bucket reports what it had charged; at rest, this notes
   * whether there is something to {@linkplain #takeLostCharges report}.
   *
   * @return the active bucket; null if there is none
   */
  synchronized @Nullable ActiveBucket noteDataLoss(long now) {
    ActiveBucket active = active();
    if (active == null) {
      activeOrLease = null; // the store doesn't count it any more
    }
    lostCharges = active == null && !evicted && stillCounts(now);
    return evicted ? null : active;
  }

  /** Whether the charges of a bucket at rest are still to be reported. */
  synchronized boolean hasLostCharges() {
    return lostCharges;
  }

  /** Takes out what is to be reported, unless an active bucket does it. */
  synchronized long takeLostCharges(long now) {
    boolean reports = lostCharges && !evicted && stillCounts(now);
    lostCharges = false;
    return reports ? charged : 0;
  }

  /** The report wasn't answered; false if an active bucket reports now, or nobody can. */
  boolean restoreLostCharges(long now) {
    ActiveBucket last;
    synchronized (this) {
      last = active();
      lostCharges = last == null && !evicted;
    }
    return last == null || !last.reportLostCharges(now);
  }

  @Override
  public synchronized boolean rest(BucketHistory history, long now) {
    if (evicted) {
      return false;
    }
    StoreSnapshot seen = history.snapshot();
    charged = (int) Math.min(Integer.MAX_VALUE, history.charged().total(now));
    chargedUntil = (int) Math.min(Integer.MAX_VALUE, (history.charged().until() >> UNIT) + 1);
    used = (int) Math.min(Integer.MAX_VALUE, Math.max(0, seen.burst() - seen.left()));
    resetAt = seen.resetAt() <= seen.at() ? Long.MIN_VALUE : seen.resetAt();
    borrowed = history.borrowed();
    backoff = (byte) history.backoff();
    earnings = (byte) history.earnings();
    activeOrLease = history.lease();
    return true;
  }

  /** Leaves the cache; the active bucket that leaves with it, or null. */
  @Nullable ActiveBucket evict(OvershootAllowance allowance, boolean tellsAll) {
    ActiveBucket last = close(allowance);
    if (last != null) {
      last.evict(tellsAll);
    }
    return last;
  }

  private synchronized @Nullable ActiveBucket close(OvershootAllowance allowance) {
    evicted = true;
    if (borrowed != null) {
      allowance.remember(bucket, borrowed.at());
    }
    return active();
  }
}

package io.weir.internal.writeback;

import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.BucketId;
import org.jspecify.annotations.Nullable;

/**
 * Where a bucket is known at this node. While it is in use it has an entry; when nothing is held,
 * owed or under way any more, what is left is what a caller may still be told: how much of it was
 * used, when that comes back, and how patient and how deserving who asks now and then has been; and
 * what the store must be told again if it loses its data.
 *
 * <p>A node holds many buckets that were asked for once, and few that are in use at one moment. So
 * this is small, and an entry may take what it needs.
 *
 * <p>Invariant: one entry at a time; none any more once this is evicted.
 *
 * <p>Safe for concurrent use. Its monitor may be taken under that of an entry, never the other way.
 */
final class CachedBucket {
  private static final long LONG_AGO = Long.MIN_VALUE / 2;

  /** Times are kept in steps of 2^16 µs, so that an int holds four years of them. */
  private static final int STEP = 16;

  private final BucketId bucket;
  private volatile @Nullable ActiveBucket entry;
  private @Nullable BorrowedPermits loan;
  private long resetAt = Long.MIN_VALUE;
  private int used;
  private int granted;
  private int countsUntil;
  private byte earned;
  private byte backoff;
  private boolean evicted;
  private boolean untold;

  CachedBucket(BucketId bucket) {
    this.bucket = bucket;
  }

  BucketId bucket() {
    return bucket;
  }

  /** The entry if the bucket is in use. */
  @Nullable ActiveBucket entry() {
    return entry;
  }

  /** The entry, made if the bucket wasn't in use; null if this is evicted. */
  synchronized @Nullable ActiveBucket open(BucketRequest first, CacheContext node) {
    ActiveBucket last = entry;
    if (last != null || evicted) {
      return last;
    }
    long now = node.clock().micros();
    ActiveBucket opened =
        new ActiveBucket(
            this,
            first,
            node,
            recalled(first.terms()),
            backoff,
            loan,
            still(now),
            new Demand(earned));
    if (untold) {
      untold = false;
      opened.recount(now); // by its first claim
    }
    loan = null;
    entry = opened;
    node.busy().add(opened);
    return opened;
  }

  private ChargedPermits still(long now) {
    long until = (long) countsUntil << STEP;
    boolean counts = granted > 0 && now < until;
    return counts
        ? new ChargedPermits(bucket.spec().algorithm(), granted, until)
        : new ChargedPermits(bucket.spec().algorithm());
  }

  /** Has the store told again what it charged and has lost. */
  void recount(DataLossRecovery recount, Channel lane, long now) {
    ActiveBucket last = remind(recount, lane, now);
    while (last != null && !last.recount(now)) { // more than once only if it rests in between
      last = remind(recount, lane, now);
    }
    if (last != null && last.wantsToTell()) {
      lane.requestTerms(last);
    }
  }

  /** The entry, which tells it itself; if there is none, somebody who does. */
  private synchronized @Nullable ActiveBucket remind(
      DataLossRecovery recount, Channel lane, long now) {
    untold = entry == null && !evicted && granted > 0 && now < (long) countsUntil << STEP;
    if (untold) {
      lane.requestTerms(new RecoveryClaim(this, recount));
    }
    return evicted ? null : entry;
  }

  /** What the store is to be told, as far as nobody else tells it. */
  synchronized long tells(long now) {
    boolean tells = untold && !evicted && now < (long) countsUntil << STEP;
    untold = false;
    return tells ? granted : 0;
  }

  /** The store wasn't told; false if an entry tells it with the next flush, or nobody can. */
  boolean untold(long now) {
    ActiveBucket last;
    synchronized (this) {
      untold = entry == null && !evicted;
      last = entry;
    }
    return last == null || !last.recount(now);
  }

  private StoreSnapshot recalled(RequestTerms requestTerms) {
    long left = Math.max(0, requestTerms.burst() - used);
    return new StoreSnapshot(
        LONG_AGO, left, requestTerms.effectiveLimit(), requestTerms.burst(), resetAt);
  }

  /**
   * Lets the entry go and keeps what may be asked of it; false if this is evicted.
   *
   * @param charged what the store has charged and may still count
   * @param flushes for how many the last refusal was remembered
   * @param requests how many have earned something
   */
  synchronized boolean rest(
      StoreSnapshot seen,
      @Nullable BorrowedPermits borrowed,
      ChargedPermits charged,
      long now,
      long flushes,
      int requests) {
    if (evicted) {
      return false;
    }
    granted = (int) Math.min(Integer.MAX_VALUE, charged.total(now));
    countsUntil = (int) Math.min(Integer.MAX_VALUE, (charged.until() >> STEP) + 1);
    used = (int) Math.min(Integer.MAX_VALUE, Math.max(0, seen.burst() - seen.left()));
    resetAt = seen.resetAt() <= seen.at() ? Long.MIN_VALUE : seen.resetAt();
    loan = borrowed;
    backoff = (byte) flushes;
    earned = (byte) requests;
    entry = null;
    return true;
  }

  /** Leaves the cache, with the entry if there is one. */
  void evict(OvershootAllowance overdraft) {
    ActiveBucket last = close(overdraft);
    if (last != null) {
      last.evict();
    }
  }

  private synchronized @Nullable ActiveBucket close(OvershootAllowance overdraft) {
    evicted = true;
    if (loan != null) {
      overdraft.remember(bucket, loan.at());
    }
    return entry;
  }
}

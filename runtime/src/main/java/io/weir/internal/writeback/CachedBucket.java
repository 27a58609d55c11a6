package io.weir.internal.writeback;

import io.weir.Decision;
import io.weir.Key;
import io.weir.internal.permits.RequestDecision;
import io.weir.internal.permits.RequestTerms;
import io.weir.internal.writeback.debt.BorrowedPermits;
import io.weir.internal.writeback.debt.OvershootAllowance;
import io.weir.internal.writeback.debt.RecoverableCharges;
import io.weir.internal.writeback.lease.BucketLimits;
import io.weir.internal.writeback.lease.BucketSnapshot;
import io.weir.internal.writeback.lease.PackedFarLease;
import io.weir.internal.writeback.lease.RestingLease;
import io.weir.store.BucketId;
import io.weir.store.Grant;
import org.jspecify.annotations.Nullable;

/**
 * A bucket in the cache. While in use it has an active bucket. At rest it keeps: how much was used
 * and when that comes back, its far lease, the current back-off, how many requests count towards a
 * lease, and what to report if the store loses its data.
 *
 * <p>A node holds many buckets that were requested once, and few that are in use at one moment. So
 * this is small, and an active bucket may take what it needs. Admissions by a far lease don't
 * activate the bucket: an infrequent caller costs hardly more than a look-up.
 *
 * <p>Invariant: it has at most one active bucket at a time, and no new one once it is evicted. It
 * keeps a far lease only while it has none.
 *
 * <p>Safe for concurrent use. Its monitor may be taken under that of an active bucket, never the
 * other way round.
 */
final class CachedBucket extends PackedFarLease implements ActiveBucket.Owner, LocalDecider {
  private static final long LONG_AGO = Long.MIN_VALUE / 2;

  /** Times are kept in units of 2^16 µs, so that an int holds four years of them. */
  private static final int UNIT = 16;

  private static final int MAX_EARNINGS = 10;

  // The parts of what is packed, from the lowest bit on.
  private static final long EVICTED = 1;
  private static final long LOST_CHARGES = 2;
  private static final int BACKOFF_AT = 2;
  private static final int BACKOFF = 31;
  private static final int EARNINGS_AT = 7;
  private static final int EARNINGS = 15;
  private static final int RESET_AT = 11;

  /** The active bucket, or at rest {@link RestingExtras} if there are any; those may be shared. */
  private volatile @Nullable Object activeOrExtras;

  private int used;
  private int charged;
  private int chargedUntil;
  private long packed;

  /** Returns null if this is at rest. */
  @Nullable ActiveBucket active() {
    return activeOrExtras instanceof ActiveBucket active ? active : null;
  }

  private RestingExtras extras() {
    return activeOrExtras instanceof RestingExtras extras ? extras : RestingExtras.NONE;
  }

  private boolean isEvicted() {
    return (packed & EVICTED) != 0;
  }

  private boolean hasLost() {
    return (packed & LOST_CHARGES) != 0;
  }

  private void setLost(boolean lost) {
    packed = lost ? packed | LOST_CHARGES : packed & ~LOST_CHARGES;
  }

  private int backoff() {
    return (int) (packed >>> BACKOFF_AT) & BACKOFF;
  }

  private int earnings() {
    return (int) (packed >>> EARNINGS_AT) & EARNINGS;
  }

  /** Returns when more is free; {@link Long#MIN_VALUE} if that isn't known. */
  private long resetAt() {
    long time = packed >>> RESET_AT;
    return time == 0 ? Long.MIN_VALUE : time;
  }

  /** Returns the active bucket, made if this is at rest; null if this is evicted. */
  synchronized @Nullable ActiveBucket activate(
      BucketId bucket, BucketLimits limits, CacheContext context) {
    ActiveBucket last = active();
    if (last != null || isEvicted()) {
      return last;
    }
    long now = context.now();
    RestingExtras rare = extras();
    RestingLease lease = rare.lease() == null ? unpack(rare.farLimit()) : rare.lease();
    RecoverableCharges charges = charges(bucket, now);
    RestingBucketState history =
        new RestingBucketState(
            snapshot(limits), rare.borrowed(), charges, backoff(), earnings(), lease);
    ActiveBucket made = new ActiveBucket(bucket, this, limits, history, context);
    if (hasLost()) {
      setLost(false);
      made.reportLostCharges(now); // by its first claim
    }
    pack(null);
    activeOrExtras = made;
    context.flushQueue().add(made);
    return made;
  }

  /**
   * Returns whether it is at rest and keeps permits of far leases that are worth giving back. Those
   * of an expired lease age out soon.
   */
  synchronized boolean isWorthGivingBack(long now) {
    return active() == null && (held(now) > 0 || extras().lease() != null);
  }

  private BucketSnapshot snapshot(BucketLimits limits) {
    long left = Math.max(0, limits.burst() - used);
    return new BucketSnapshot(LONG_AGO, left, limits.effectiveLimit(), limits.burst(), resetAt());
  }

  private RecoverableCharges charges(BucketId bucket, long now) {
    return stillCounts(now)
        ? new RecoverableCharges(bucket.spec().algorithm(), charged, (long) chargedUntil << UNIT)
        : new RecoverableCharges(bucket.spec().algorithm());
  }

  private boolean stillCounts(long now) {
    return charged > 0 && now < (long) chargedUntil << UNIT;
  }

  @Override
  public @Nullable Decision decide(RequestTerms terms, Key key, long now) {
    return admit(terms, key, now);
  }

  @Override
  public synchronized @Nullable Decision admit(RequestTerms terms, Key key, long now) {
    return spendAtRest(terms, now)
        ? RequestDecision.admit(terms, key, left(terms, now), reset(now), farStamp())
        : null;
  }

  /** Spends permits of the far lease; null if this isn't at rest, or the lease has too few. */
  synchronized @Nullable Grant spend(RequestTerms terms, long now) {
    return spendAtRest(terms, now)
        ? Grant.builder()
            .granted(terms.permits(), farStamp(), endsAt() - now)
            .left(left(terms, now))
            .reset(reset(now))
            .build()
        : null;
  }

  private boolean spendAtRest(RequestTerms terms, long now) {
    boolean spends = wouldAdmit(terms, now);
    if (spends) {
      spendFar(terms.permits());
      packed += earnings() < MAX_EARNINGS ? 1L << EARNINGS_AT : 0;
    }
    return spends;
  }

  @Override
  public synchronized boolean wouldAdmit(RequestTerms terms, long now) {
    return !isEvicted() && terms.permits() <= held(now) && extras().farLimit() <= terms.limit();
  }

  @Override
  public synchronized boolean undoAdmit(long stamp, long permits, long now) {
    return undoSpendFar(stamp, permits, now);
  }

  private long left(RequestTerms terms, long now) {
    return Math.min(terms.burst(), held(now) + Math.max(0, terms.burst() - used));
  }

  private long reset(long now) {
    long at = resetAt();
    return at < 0 ? 0 : Math.max(1, at - now);
  }

  /**
   * Handles a loss of the store's data. An active bucket, which is returned, reports what had been
   * charged; at rest, this notes whether there is something to {@linkplain #takeLostCharges
   * report}, and returns null.
   */
  synchronized @Nullable ActiveBucket noteDataLoss(long now) {
    ActiveBucket active = active();
    if (active == null) { // the store doesn't count its far lease any more
      pack(null);
      BorrowedPermits borrowed = extras().borrowed();
      activeOrExtras = borrowed == null ? null : new RestingExtras(borrowed, null, 0);
    }
    setLost(active == null && !isEvicted() && stillCounts(now));
    return isEvicted() ? null : active;
  }

  /** Drops what is held of a period after the store has lost its data; nothing is reported. */
  void forgetHeld() {
    ActiveBucket active = active();
    if (active != null) {
      active.forgetHeld();
    }
  }

  /** Returns whether charges of a resting bucket are still to be reported. */
  synchronized boolean hasLostCharges() {
    return hasLost();
  }

  /** Removes and returns the charges to report; 0 if an active bucket reports them. */
  synchronized long takeLostCharges(long now) {
    boolean reports = hasLost() && !isEvicted() && stillCounts(now);
    setLost(false);
    return reports ? charged : 0;
  }

  /**
   * Restores charges whose report wasn't answered; false if an active bucket reports now, or this
   * is evicted.
   */
  boolean restoreLostCharges(long now) {
    ActiveBucket last;
    synchronized (this) {
      last = active();
      setLost(last == null && !isEvicted());
    }
    return last == null || !last.reportLostCharges(now);
  }

  @Override
  public synchronized boolean rest(RestingBucketState history, CacheContext context, long now) {
    if (isEvicted()) {
      return false;
    }
    BucketSnapshot seen = history.snapshot();
    charged = (int) Math.min(Integer.MAX_VALUE, history.charged().total(now));
    chargedUntil = (int) Math.min(Integer.MAX_VALUE, (history.charged().until() >> UNIT) + 1);
    used = (int) Math.min(Integer.MAX_VALUE, Math.max(0, seen.burst() - seen.left()));
    long reset = seen.resetAt() <= seen.at() ? 0 : Math.max(0, seen.resetAt());
    packed =
        Math.min(-1L >>> RESET_AT, reset) << RESET_AT
            | (long) history.earnings() << EARNINGS_AT
            | history.backoff() << BACKOFF_AT
            | packed & LOST_CHARGES;
    RestingLease lease = history.lease();
    boolean packed = pack(lease);
    long limit = lease == null ? 0 : lease.limit();
    activeOrExtras = context.rarities().of(history.borrowed(), packed ? null : lease, limit);
    return true;
  }

  /** Leaves the cache; returns the active bucket that leaves with it, or null. */
  @Nullable ActiveBucket evict(BucketId bucket, OvershootAllowance allowance, EvictionReason why) {
    ActiveBucket last = close(bucket, allowance);
    if (last != null) {
      last.evict(why);
    }
    return last;
  }

  private synchronized @Nullable ActiveBucket close(BucketId bucket, OvershootAllowance allowance) {
    packed |= EVICTED;
    BorrowedPermits borrowed = extras().borrowed();
    if (borrowed != null) {
      allowance.remember(bucket, borrowed.at());
    }
    return active();
  }
}

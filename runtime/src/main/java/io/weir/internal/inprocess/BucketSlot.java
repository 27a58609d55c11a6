package io.weir.internal.inprocess;

import io.weir.Decision;
import io.weir.Key;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.LiveBucket;
import org.jspecify.annotations.Nullable;

/**
 * Holds one bucket in memory. Its monitor guards the state; nothing that waits runs inside.
 *
 * <p>Where time changes nothing for a while, the second request with the same limit opens a {@link
 * LockFreeAllowance}, and the next ones need no monitor: two threads would wait for each other
 * longer than the arithmetic takes. An infrequently used bucket has none. Nor is the monitor needed
 * to repeat the last refusal.
 *
 * <p>Once sealed, a slot is no longer in the map and never will be: a thread that finds a sealed
 * one looks the bucket up again.
 *
 * <p>Safe for concurrent use.
 */
final class BucketSlot {
  private final LiveBucket state;
  private volatile @Nullable LockFreeAllowance allowance;
  private volatile @Nullable StandingRefusal refusal;
  private long steadyUntil = Long.MIN_VALUE;
  private long effectiveLimit;
  private boolean sealed;

  BucketSlot(LiveBucket state) {
    this.state = state;
  }

  /** Decides a request without the monitor; null if that isn't possible. */
  @Nullable Decision decide(RequestTerms terms, Key key, long now) {
    StandingRefusal standing = refusal;
    return standing != null && standing.holds(terms, now)
        ? standing.decide(terms, key, now)
        : admit(terms, key, now);
  }

  /** Admits a request without the monitor; null if that isn't possible. */
  @Nullable Decision admit(RequestTerms terms, Key key, long now) {
    LockFreeAllowance open = allowance;
    return open == null ? null : open.decide(terms, key, now);
  }

  /** Returns whether {@link #admit} would admit a request, unless another thread is faster. */
  boolean wouldAdmit(RequestTerms terms, long now) {
    LockFreeAllowance open = allowance;
    return open != null && open.wouldAdmit(terms, now);
  }

  /** Returns null if this is sealed. */
  synchronized @Nullable Grant execute(Claim claim, long now) {
    if (sealed) {
      return null;
    }
    closeAllowance(claim.bucket());
    refusal = null;
    Grant grant = state.execute(claim, now);
    if (StandingRefusal.is(claim, grant)) {
      refusal = StandingRefusal.of(claim, grant, state.lastClaimAt());
    }
    if (claim.needed() > 0 && grant.left() > 0 && grant.permits() > 0) {
      openAllowance(claim, grant);
    }
    return grant;
  }

  private void closeAllowance(BucketId bucket) {
    LockFreeAllowance open = allowance;
    if (open != null) {
      allowance = null;
      state.execute(open.close(bucket), state.lastClaimAt());
    }
  }

  private void openAllowance(Claim claim, Grant grant) {
    long until = state.steadyUntil();
    if (until == steadyUntil && claim.effectiveLimit() == effectiveLimit) {
      allowance = new LockFreeAllowance(claim, grant, state.lastClaimAt(), until);
    }
    steadyUntil = until;
    effectiveLimit = claim.effectiveLimit();
  }

  /** Seals this whatever has been used; false if it was sealed before. */
  synchronized boolean seal(BucketId bucket) {
    if (sealed) {
      return false;
    }
    closeAllowance(bucket);
    sealed = true;
    return true;
  }

  /**
   * Seals this if the bucket equals a fresh one; false if it doesn't, or was sealed before. A
   * bucket with an allowance has been charged, and time changes nothing of that before the
   * allowance ends: it stays open, so that a sweep doesn't send the next requests to the monitor.
   */
  synchronized boolean drop(BucketId bucket, long now) {
    LockFreeAllowance open = allowance;
    if (sealed || open != null && open.lastsAt(now)) {
      return false;
    }
    closeAllowance(bucket);
    sealed = state.expiresAt() <= now;
    return sealed;
  }

  /** Returns when the bucket equals a fresh one, or earlier where an allowance is open. */
  synchronized long expiresAt() {
    return state.expiresAt();
  }
}

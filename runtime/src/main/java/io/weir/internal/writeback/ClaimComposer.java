package io.weir.internal.writeback;

import io.weir.internal.clock.NodeClock;
import io.weir.internal.writeback.debt.BucketLedger;
import io.weir.internal.writeback.lease.BucketLimits;
import io.weir.internal.writeback.lease.BucketSnapshot;
import io.weir.internal.writeback.lease.CachedAnswers;
import io.weir.internal.writeback.lease.LeaseHolder;
import io.weir.internal.writeback.lease.LeaseSizer;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import org.jspecify.annotations.Nullable;

/**
 * Composes the next claim of a bucket: permits that requests wait for, permits for a lease,
 * give-backs and debts.
 *
 * <p>Needs the bucket's lock.
 */
final class ClaimComposer {
  private final BucketId bucket;
  private final WaitQueue waiting;
  private final LeaseHolder holder;
  private final LeaseSizer sizer;
  private final BucketLedger ledger;
  private final CachedAnswers view;
  private BucketLimits limits;
  private long claimedLimit;
  private boolean topUp;

  /**
   * Whether a request was decided without the store, so that a peek at what is left there is
   * worthwhile.
   */
  private boolean peek;

  ClaimComposer(
      BucketId bucket,
      BucketLimits limits,
      WaitQueue waiting,
      LeaseHolder holder,
      LeaseSizer sizer,
      BucketLedger ledger,
      CachedAnswers view) {
    this.bucket = bucket;
    this.limits = limits;
    this.waiting = waiting;
    this.holder = holder;
    this.sizer = sizer;
    this.ledger = ledger;
    this.view = view;
  }

  BucketId bucket() {
    return bucket;
  }

  BucketLimits limits() {
    return limits;
  }

  void setLimits(BucketLimits inForce) {
    limits = inForce;
  }

  /** Returns the limit that the last claim was composed under, before mode, load and reserve. */
  long claimedLimit() {
    return claimedLimit;
  }

  /** Sets whether to claim permits although no request waits. */
  void setTopUp(boolean wanted) {
    topUp = wanted;
  }

  boolean wantsTopUp() {
    return topUp;
  }

  void setPeek(boolean wanted) {
    peek = wanted;
  }

  boolean wantsPeek() {
    return peek;
  }

  /**
   * Composes a claim of all that has come up; null if nothing has.
   *
   * @param used the number of permits known to be used
   * @param roundTrip how long the answer is likely to take
   */
  @Nullable Claim compose(BucketSnapshot seen, long used, long roundTrip, long now) {
    boolean needs = !waiting.isEmpty();
    BucketLimits inForce = needs ? waiting.limits(limits) : limits;
    claimedLimit = inForce.limit();
    boolean claimsFar = needs || ledger.debt() > 0;
    if (claimsFar) {
      holder.releaseFar(); // leases don't merge: the rest goes back, and all is claimed anew
    }
    if (needs && !holder.lease().isAlive(NodeClock.after(now, roundTrip))) {
      holder.releaseNear(); // it will have ended by the answer, so all is claimed anew
    }
    boolean leases = (needs || topUp) && sizer.isWorthLeasing(inForce, roundTrip);
    long held = holder.lease().held(now);
    long needed = needs ? Math.max(1, waiting.needed() - held) : 0;
    long least = needs ? Math.max(1, waiting.least() - held) : 0;
    long extra = leases ? sizer.extra(needed, needs ? 0 : held, inForce, seen) : 0;
    Claim claim =
        Claim.builder(bucket, inForce.effectiveLimit(), inForce.burst())
            .needed(needed)
            .atLeast(least)
            .extra(extra)
            .far(claimsFar ? sizer.far(needed, inForce, now) : 0)
            .giveBacks(holder.takeGiveBacks())
            .debt(ledger.debt())
            .lostDebt(ledger.lostDebt())
            .refusedAt(view.sendRefusal(now))
            .clearBefore(holder.takeClearBefore())
            .usedAtLeast(used)
            .build();
    topUp = false;
    peek = false;
    return claim.peeks() ? null : claim;
  }

  /** Composes a claim of debts only, or one that peeks; null if neither is needed. */
  @Nullable Claim composeDebt(long used) {
    boolean worthIt = peek || ledger.debt() > 0;
    topUp = false;
    peek = false;
    return worthIt
        ? Claim.builder(bucket, limits.effectiveLimit(), limits.burst())
            .atLeast(1)
            .debt(ledger.debt())
            .lostDebt(ledger.lostDebt())
            .usedAtLeast(used)
            .build()
        : null;
  }
}

package io.weir.internal.writeback;

import io.weir.Decision;
import io.weir.Key;
import io.weir.internal.clock.DriftMargin;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.LocalBucketView;
import io.weir.internal.permits.RequestTerms;
import io.weir.internal.writeback.channel.AfterUnlock;
import io.weir.internal.writeback.lease.BucketLimits;
import io.weir.internal.writeback.lease.BucketSnapshot;
import io.weir.internal.writeback.lease.CachedRefusal;
import io.weir.internal.writeback.lease.FastPath;
import io.weir.store.BucketId;
import io.weir.store.Grant;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A bucket in use: the permits that this node holds, the state that it knows, its debts, and the
 * requests that wait.
 *
 * <p>{@link #decide}, {@link #spend} and {@link #refuse}, which answer most requests, take no lock.
 * Everything else runs under this object's monitor, for well under a microsecond: nothing waits in
 * there, no foreign code runs in there and the cache isn't touched from there.
 *
 * <p>Invariants: it is in the flush queue from its creation until it is {@link LifeCycle#GONE}.
 * Once evicted, it holds no lease.
 *
 * <p>Safe for concurrent use.
 */
final class ActiveBucket extends ClaimingBucket implements FlushableBucket, LocalDecider {
  /** The number of flushes for which a snapshot is fresh: longer than any refusal is remembered. */
  private static final int FRESH_FLUSHES = 20;

  /** Its life, which goes down this list; only a late answer undoes the last step. */
  private enum LifeCycle {
    /** In the cache. Each flush visits it. */
    ACTIVE,

    /** Evicted, but with something to report, and counted in the backlog; still visited. */
    BACKLOG,

    /**
     * Evicted with nothing to report, or at rest before a flush. Perhaps still in the flush queue,
     * which may drop it.
     */
    LEAVING,

    /** At rest, or evicted and has reported everything. Not in the flush queue. */
    GONE
  }

  private final Owner owner;
  private volatile LifeCycle life = LifeCycle.ACTIVE;

  /** Keeps a bucket's state while it rests. */
  interface Owner {
    /** Returns false, keeping nothing, if the bucket is being evicted. */
    boolean rest(RestingBucketState history, CacheContext context, long now);
  }

  /** The caller adds it to the flush queue. */
  ActiveBucket(
      BucketId bucket,
      Owner owner,
      BucketLimits first,
      RestingBucketState history,
      CacheContext context) {
    super(bucket, first, history, context);
    this.owner = owner;
    if (history.lease() != null) {
      holder.restore(history.lease());
    }
  }

  @Override
  public BucketId bucket() {
    return composer.bucket();
  }

  @Override
  boolean isEvicted() {
    return life != LifeCycle.ACTIVE;
  }

  @Override
  public boolean isGone() {
    return life == LifeCycle.LEAVING || life == LifeCycle.GONE;
  }

  /** Returns the answer to a peek by other terms than the requests', if it is remembered. */
  @Nullable Grant recallPeek(BucketRequest peek, long now) {
    BucketSnapshot seen = view.peeked(peek.terms(), now, context.flushInterval());
    return seen == null ? null : peeked(peek.terms(), now, seen.left(), seen.reset(now));
  }

  /** Notes the store's answer to a peek, and returns the answer for the request. */
  synchronized Grant learnPeek(BucketRequest peek, Grant grant) {
    long now = context.now();
    view.learnPeek(peek.terms(), grant, now);
    return peeked(peek.terms(), now, grant.left(), grant.retry());
  }

  void note(BucketRequest request) {
    demand.note(request.permits());
  }

  @Override
  public @Nullable Decision decide(RequestTerms terms, Key key, long now) {
    Decision admission = admit(terms, key, now);
    if (admission != null) {
      return admission;
    }
    CachedRefusal refusal = findRefusal(terms, now);
    if (refusal == null) {
      return null;
    }
    demand.note(terms.permits());
    return refusedBy(refusal, terms, key, now);
  }

  /** Spends permits of the lease, unless others wait. */
  @Nullable Grant spendUnlessWaiting(BucketRequest request, long now) {
    return hasWaiters() ? null : spend(request.terms(), now);
  }

  /** See {@link #spendUncounted}. */
  synchronized @Nullable Grant spendUncountedUnlessWaiting(BucketRequest request, long now) {
    return hasWaiters() ? null : spendUncounted(request.terms(), now);
  }

  /** Answers a request or has it wait; false if this is evicted. */
  synchronized boolean serveOrWait(WaitingRequest request, long now, AfterUnlock after) {
    if (isEvicted()) {
      return false;
    }
    setInForce(request.request());
    waiting.serveOrAdd(request, this, now, after);
    setHasWaiters(!waiting.isEmpty());
    return true;
  }

  /** Admits a request ahead of the store, if that is allowed. */
  synchronized @Nullable Grant borrow(BucketRequest request, long now) {
    if (isEvicted() || isRefused(request.terms(), now)) {
      return null;
    }
    expectWindowEnd(now);
    if (!ledger.borrow(request, now)) {
      return null;
    }
    setInForce(request);
    composer.setTopUp(true);
    return grantBorrowed(request.terms(), now);
  }

  /** Has debts end with the window of the calendar, even while no answer says when that ends. */
  private void expectWindowEnd(long now) {
    bucket()
        .spec()
        .calendar()
        .ifPresent(windows -> ledger.expectWindowEnd(context.restOf(windows), now));
  }

  @Override
  void revive() { // all but those that are gone are in the flush queue
    if (life == LifeCycle.GONE) {
      life = LifeCycle.LEAVING;
      context.flushQueue().add(this);
    }
  }

  /** Refunds permits of a grant; false if this is evicted. */
  synchronized boolean refund(long stamp, long permits, long now) {
    if (isEvicted()) {
      return false;
    }
    if (stamp == FastPath.BORROWED) {
      ledger.cancel(permits);
    } else {
      holder.refund(stamp, permits, now);
    }
    return true;
  }

  /** Notes what became of a request, for a success to clear; false if this is evicted. */
  synchronized boolean end(long stamp, long permits, boolean succeeded) {
    if (isEvicted()) {
      return false;
    }
    if (succeeded) {
      holder.succeeded(stamp, permits);
    } else {
      holder.failed(stamp, permits);
    }
    return true;
  }

  /** Adds a debt; null if this is evicted. Completed when the store has charged it. */
  synchronized @Nullable CompletionStage<Void> oweAndConfirm(BucketRequest debt, long now) {
    if (isEvicted()) {
      return null;
    }
    setInForce(debt);
    expectWindowEnd(now);
    return ledger.oweAndConfirm(debt, now);
  }

  /** Adds a debt; false if this is evicted. */
  synchronized boolean owe(BucketRequest debt, long now) {
    if (!isEvicted()) {
      setInForce(debt);
      expectWindowEnd(now);
      ledger.owe(debt, now);
    }
    return !isEvicted();
  }

  synchronized void cancelDebt(long permits) {
    ledger.cancel(permits);
  }

  /**
   * Reports by the next claim what the store had charged before it lost its data; false if this is
   * evicted.
   */
  synchronized boolean reportLostCharges(long now) {
    if (!isEvicted()) {
      holder.forgetFar(); // its slots are still to come, but the store no longer counts it
      ledger.reportLostCharges(composer.limits().burst(), now);
    }
    return !isEvicted();
  }

  /**
   * Drops what is held of a period after the store has lost its data. Nothing is reported, because
   * claims say how much is known to be used; what is held was charged in the lost data, and is
   * neither spent nor given back.
   */
  synchronized void forgetHeld() {
    holder.release();
    holder.takeGiveBacks();
  }

  /** Determines what is known here of the bucket while the store can't be asked. */
  synchronized LocalBucketView localView(BucketRequest request, long share, int nodes, long now) {
    ledger.expire(now);
    composer.setPeek(true);
    RequestTerms terms = request.terms();
    Grant refusal = refuseUntilReset(terms, now);
    if (refusal == null) {
      long fresh = FRESH_FLUSHES * context.flushInterval();
      refusal = refuseBeyondShare(terms, nodes, ledger.unconfirmed(), fresh, now);
    }
    if (refusal != null) {
      if (!request.peek()) {
        view.noteRefusal(now);
      }
      return LocalBucketView.refuses(refusal);
    }
    long granted = ledger.grantedPermits(now);
    if (granted + terms.permits() <= share || terms.permits() > share) {
      return LocalBucketView.granted(granted);
    }
    long dropsAt = ledger.grantedDropsTo(share - terms.permits(), now);
    long retry = DriftMargin.lengthen(Math.max(1, dropsAt - now));
    return LocalBucketView.refuses(Grant.refused(Math.max(0, share - granted), retry, retry));
  }

  @Override
  public boolean wasUsed() {
    return demand.quiet() == 0;
  }

  @Override
  public synchronized FlushResult flush(long now) {
    demand.collect(holder.lease());
    demand.tick();
    if (!claims.isIdle()) {
      return FlushResult.STAY;
    }
    holder.expire(now);
    ledger.expire(now);
    boolean givesBack = isEvicted() || sizer.idle(snapshot());
    if (isEvicted()) {
      holder.release();
    }
    if (givesBack) {
      holder.releaseNear();
      composer.setTopUp(false);
    } else {
      BucketLimits limits = composer.limits();
      holder.trim(sizer.keep(holder.lease().held(now), limits), now);
      if (!view.isEmpty(now) && sizer.wantsTopUp(holder.lease(), limits, now)) {
        composer.setTopUp(true);
      }
    }
    boolean claim = wantsToClaim() || view.hasUnreportedRefusal(now) || holder.hasOutcomes();
    if (claim || givesBack && holder.hasGiveBacks()) {
      claims.queue(false);
      return FlushResult.CLAIM;
    }
    boolean stays = !holder.isEmpty() || ledger.isInDoubt() || !isEvicted() && !isAtRest(now);
    return stays ? FlushResult.STAY : leave(now);
  }

  private boolean wantsToClaim() {
    return composer.wantsTopUp() || composer.wantsPeek() || ledger.owes();
  }

  private boolean isAtRest(long now) {
    return sizer.atRest() && !expectsAnything(now);
  }

  private boolean expectsAnything(long now) {
    return hasWaiters() || !view.isOver(now, context.flushInterval());
  }

  /**
   * Rests without waiting for a flush if a far lease is all that matters now. There are many such
   * buckets, and most would only live long enough for a collection to copy them.
   */
  @Override
  void restIfSlow(long now) {
    if (life == LifeCycle.ACTIVE
        && demand.isSlow()
        && holder.holdsSmallFarLease()
        && !wantsToClaim()
        && !ledger.isInDoubt()
        && !expectsAnything(now)) {
      rest(now);
      life = LifeCycle.LEAVING;
    }
  }

  private FlushResult leave(long now) {
    if (life == LifeCycle.ACTIVE) {
      rest(now);
    } else if (life == LifeCycle.BACKLOG) {
      context.backlog().release();
    }
    life = LifeCycle.GONE;
    return FlushResult.LEAVE;
  }

  private void rest(long now) {
    bucket().forgetName();
    if (!owner.rest(restingState(now), context, now)) {
      ledger.close();
    }
  }

  /** Leaves the cache, giving its lease back, so that there are never two leases. */
  synchronized void evict(EvictionReason why) {
    if (isEvicted()) {
      return; // it is at rest
    }
    holder.release();
    if (why != EvictionReason.TOO_MANY) {
      holder.sendFar();
    }
    ledger.endDoubt();
    if (why == EvictionReason.RESET) {
      ledger.forgive();
    }
    ledger.close();
    boolean tells = !claims.isIdle() || holder.hasGiveBacks() || ledger.owes();
    boolean kept = tells && context.backlog().keeps(ledger.owes());
    if (tells && !kept) {
      holder.takeGiveBacks();
      ledger.clear();
    }
    life = kept ? LifeCycle.BACKLOG : LifeCycle.LEAVING;
  }
}

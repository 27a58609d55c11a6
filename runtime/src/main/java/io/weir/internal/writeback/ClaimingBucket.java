package io.weir.internal.writeback;

import io.weir.annotation.Count;
import io.weir.internal.clock.DriftMargin;
import io.weir.internal.clock.ExtendableTimeout;
import io.weir.internal.clock.NodeClock;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.writeback.channel.AfterUnlock;
import io.weir.internal.writeback.channel.ClaimSource;
import io.weir.internal.writeback.channel.SentBatch;
import io.weir.internal.writeback.channel.SentClaim;
import io.weir.internal.writeback.debt.BucketLedger;
import io.weir.internal.writeback.debt.SentDebts;
import io.weir.internal.writeback.lease.BucketLimits;
import io.weir.internal.writeback.lease.CachedAnswers;
import io.weir.internal.writeback.lease.DemandMeter;
import io.weir.internal.writeback.lease.FarLeaseSizer;
import io.weir.internal.writeback.lease.FastPath;
import io.weir.internal.writeback.lease.LeaseHolder;
import io.weir.internal.writeback.lease.LeaseSizer;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Claims for an {@link ActiveBucket}: makes a claim when its turn comes in the channel, processes
 * the answer, and serves the requests that waited for it.
 *
 * <p>A superclass, so that a bucket stays one object with one monitor.
 *
 * <p>Invariants: at most one claim that isn't overdue is in flight; requests wait only while {@link
 * #hasWaiters} says so, and are queued to be claimed for.
 *
 * <p>Safe for concurrent use.
 */
abstract class ClaimingBucket extends FastPath implements ClaimSource {
  final CacheContext context;
  final LeaseHolder holder;
  final CachedAnswers view;
  final WaitQueue waiting = new WaitQueue();
  final DemandMeter demand;
  final LeaseSizer sizer;
  final FarLeaseSizer farSizer;
  final BucketLedger ledger;
  final ClaimComposer composer;
  final ClaimProgress claims = new ClaimProgress();

  ClaimingBucket(
      BucketId bucket, BucketLimits first, RestingBucketState history, CacheContext context) {
    super(bucket, history.snapshot());
    this.context = context;
    this.view = new CachedAnswers(this, history.backoff() * context.flushInterval());
    this.farSizer = new FarLeaseSizer(bucket.spec(), context.horizon());
    this.holder = new LeaseHolder(this, farSizer);
    this.demand = new DemandMeter(history.earnings());
    this.sizer = new LeaseSizer(bucket.spec(), context.horizon(), demand, farSizer);
    this.ledger =
        new BucketLedger(bucket, context.allowance(), history.borrowed(), history.charged());
    this.composer = new ClaimComposer(bucket, first, waiting, holder, sizer, ledger, view);
  }

  abstract boolean isEvicted();

  final void setInForce(BucketRequest request) {
    composer.setLimits(BucketLimits.of(request));
    noteUsed(request.terms());
    farSizer.setReports(request.policy().count() == Count.ALL);
  }

  /** Returns the state that the bucket leaves behind; it holds nothing afterwards. */
  final RestingBucketState restingState(long now) {
    return new RestingBucketState(
        snapshot(),
        ledger.borrowed(now),
        ledger.charged(),
        view.backoff() / context.flushInterval(),
        demand.earnings(),
        holder.rest(now));
  }

  /** Has an evicted bucket flushed once more, in case a late answer brought something. */
  abstract void revive();

  /** Comes to rest at once if nothing but a far lease for infrequent callers matters now. */
  abstract void restIfSlow(long now);

  /** Returns whether the caller is to queue this in its channel. */
  final synchronized boolean queueClaim() {
    return (hasWaiters() || composer.wantsTopUp()) && claims.queue(hasWaiters());
  }

  /** Returns whether the caller is to queue this after {@link ActiveBucket#reportLostCharges}. */
  final synchronized boolean queueReport() {
    return ledger.owes() && claims.queue(false);
  }

  @Override
  public final synchronized boolean isUrgent() {
    return claims.isUrgent();
  }

  @Override
  public final synchronized @Nullable SentClaim nextClaim(long now, AfterUnlock after) {
    if (!claims.isQueued()) {
      return null;
    }
    demand.collect(holder.lease());
    holder.expire(now);
    ledger.expire(now);
    failWaiting(now - context.timeout(), after);
    Claim claim = composer.compose(snapshot(), used(), claims.roundTrip(), now);
    if (claim != null) {
      waiting.noteClaim(claims.next());
      boolean givesBack = !claim.giveBacks().isEmpty();
      if (claim.needed() + claim.extra() + claim.far() == 0 && givesBack) {
        demand.forfeit();
      }
    }
    return send(claim, after);
  }

  @Override
  public final synchronized @Nullable SentClaim nextDebtClaim(long now, AfterUnlock after) {
    if (!claims.isQueued()) {
      return null;
    }
    ledger.expire(now);
    failWaiting(NodeClock.NEVER, after);
    return send(composer.composeDebt(used()), after);
  }

  private @Nullable SentClaim send(@Nullable Claim claim, AfterUnlock after) {
    SentDebts debts = ledger.send();
    if (claim == null) {
      after.add(debts::confirm); // of a window that has ended
      claims.cancel();
      return null;
    }
    return new BucketClaim(claim, composer.claimedLimit(), claims.send(), debts);
  }

  @Override
  public final synchronized void storeUnavailable(AfterUnlock after) {
    if (claims.isQueued()) {
      claims.cancel();
      composer.setPeek(false);
      failWaiting(NodeClock.NEVER, after);
      SentDebts debts = ledger.send();
      ledger.restore(debts);
      after.add(debts::fail);
    }
  }

  private void failWaiting(long sinceAtLatest, AfterUnlock after) {
    waiting.failIf(each -> each.since() <= sinceAtLatest, after);
    setHasWaiters(!waiting.isEmpty());
  }

  /**
   * Processes a grant and answers the requests that waited for it; returns whether to queue another
   * claim.
   */
  private synchronized boolean answered(
      BucketClaim sent, Grant grant, SentBatch batch, boolean late, AfterUnlock after) {
    if (!batch.isDataCurrent()) { // what it grants is charged nowhere any more
      return !late && unanswered(sent, batch, after);
    }
    long now = context.now();
    demand.collect(holder.lease());
    claims.arrived(sent.number);
    // A late answer is true as well, unless a later claim was answered before it.
    boolean newest = claims.isNewest(sent.number);
    ledger.charge(sent.claim, sent.debts, grant, late, newest, now);
    // Counted from before the claim was sent: however late the grant, what stays in a lease isn't
    // spent after its slot.
    long endsAt = NodeClock.after(batch.sentAt(), DriftMargin.shorten(grant.life()));
    List<WaitingRequest> served = takeSentFor(sent, grant, now);
    long permits = served.stream().mapToLong(each -> each.request().permits()).sum();
    boolean goesBack = grant.permits() > permits && holder.goesBack(grant, endsAt, now);
    long stamp = holder.add(grant, permits, sent.limit, endsAt, now);
    farSizer.learn(grant.left(), sent.claim.burst(), now);
    if (newest) {
      claims.answered(sent.number);
      claims.took(now - batch.sentAt());
      view.learn(sent.claim, grant, goesBack, batch.sentAt(), now, context.flushInterval());
      ledger.noteWindowEnd(grant, batch.sentAt(), now);
    }
    answer(served, stamp, permits, now, after);
    if (!late && sent.debts.isAwaited()) {
      after.add(sent.debts::confirm);
    }
    waiting.serve(this, now, after);
    if (waiting.anyRefused(this, now)) {
      // The lease ends before the store has what it lacks, so it is unknown when there is enough.
      // Once it is given back, the next answer says.
      holder.release();
    }
    boolean again = queueAgain(true);
    if (!again && claims.isIdle()) {
      restIfSlow(now);
    }
    return again;
  }

  /**
   * Takes out the waiting requests that get their permits by the store's decision: those that the
   * claim was sent for, of what it needed for them, as long as a decision may take at most. The
   * slot must have lasted when the store decided.
   */
  private List<WaitingRequest> takeSentFor(BucketClaim sent, Grant grant, long now) {
    long permits = grant.life() > 0 ? Math.min(grant.permits(), sent.claim.needed()) : 0;
    long limit = grant.isFar() ? sent.limit : 0;
    long since = now - ExtendableTimeout.MAX_TIMES * context.timeout();
    return waiting.takeSentFor(sent.number, permits, limit, since);
  }

  private void answer(
      List<WaitingRequest> served, long stamp, long permits, long now, AfterUnlock after) {
    long others = permits;
    for (WaitingRequest each : served) {
      others -= each.request().permits();
      each.answer(grantOfStore(each.request().terms(), stamp, others, now), after);
    }
  }

  /**
   * Handles that the store executed nothing of a claim that named another window. Its give-backs
   * count nowhere any more, because their window has ended. Waiting requests are claimed for again.
   */
  private synchronized boolean namedOtherWindow(
      BucketClaim sent, SentBatch batch, AfterUnlock after) {
    if (!batch.isDataCurrent()) {
      return unanswered(sent, batch, after);
    }
    claims.arrived(sent.number);
    ledger.resend(sent.debts);
    waiting.serve(this, context.now(), after);
    return queueAgain(true);
  }

  /**
   * Handles that it is unknown whether the store has executed a claim: its debts are sent again,
   * its give-backs are lost. Returns whether to queue another claim.
   */
  private synchronized boolean unanswered(BucketClaim sent, SentBatch batch, AfterUnlock after) {
    claims.arrived(sent.number);
    long mayComeUntil = NodeClock.after(batch.sentAt(), 2 * context.timeout());
    if (batch.isDataCurrent() && context.now() < mayComeUntil) {
      ledger.doubt(sent.debts, mayComeUntil);
    } else {
      ledger.restore(sent.debts);
    }
    after.add(sent.debts::fail);
    waiting.failIf(each -> each.tries() > 0, after);
    if (queueAgain(false)) {
      return true;
    }
    // New data gets the report of what it lacks at once.
    return !batch.isDataCurrent() && ledger.hasLostCharges() && claims.queue(false);
  }

  private boolean queueAgain(boolean answered) {
    setHasWaiters(!waiting.isEmpty());
    if (isEvicted()) {
      holder.release();
      revive();
    }
    // An evicted bucket may not be flushed again, but mustn't ask a broken store forever.
    boolean leftover = isEvicted() && answered && (holder.hasGiveBacks() || ledger.owes());
    return (hasWaiters() || leftover) && claims.isIdle() && claims.queue(hasWaiters());
  }

  /** A claim of this bucket in flight. */
  private final class BucketClaim implements SentClaim {
    private final Claim claim;
    private final long limit;
    private final long number;
    private final SentDebts debts;

    BucketClaim(Claim claim, long limit, long number, SentDebts debts) {
      this.claim = claim;
      this.limit = limit;
      this.number = number;
      this.debts = debts;
    }

    @Override
    public Claim claim() {
      return claim;
    }

    @Override
    public @Nullable ClaimSource answered(
        Grant grant, SentBatch batch, boolean late, AfterUnlock after) {
      boolean again = ClaimingBucket.this.answered(this, grant, batch, late, after);
      return again ? ClaimingBucket.this : null;
    }

    @Override
    public @Nullable ClaimSource namedOtherWindow(
        SentBatch batch, boolean late, AfterUnlock after) {
      boolean again = !late && ClaimingBucket.this.namedOtherWindow(this, batch, after);
      return again ? ClaimingBucket.this : null;
    }

    @Override
    public @Nullable ClaimSource unanswered(SentBatch batch, AfterUnlock after) {
      return ClaimingBucket.this.unanswered(this, batch, after) ? ClaimingBucket.this : null;
    }
  }
}

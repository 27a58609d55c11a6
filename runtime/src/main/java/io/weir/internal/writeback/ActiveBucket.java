package io.weir.internal.writeback;

import io.weir.Decision;
import io.weir.Key;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.LocalBucketView;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What this node has and knows of one bucket that is in use.
 *
 * <p>{@link #spend} and {@link #refuse}, which answer most requests, take no lock. Everything else
 * runs under the monitor of the entry: for well under a microsecond, for nothing waits in there, no
 * foreign code runs in there and the cache isn't touched from there.
 *
 * <p>Invariants: at most one claim that isn't overdue is in flight. An entry is among the busy ones
 * from its making until it rests, and later when it has something to tell. Once evicted, it holds
 * no lease; when it rests it is as if evicted, but nothing is left of it except in its place.
 *
 * <p>Safe for concurrent use.
 */
final class ActiveBucket extends FastPath implements ClaimSource {
  private static final int TRIES = 6;

  /** For so many flushes what the store has left is news: longer than a refusal is remembered. */
  private static final int FRESH = 20;

  private enum State {
    IDLE,
    QUEUED,
    HURRIED,
    FLYING
  }

  /** What the flusher does with an entry. */
  enum Next {
    ASK,
    STAY,
    DROP
  }

  private final CachedBucket place;
  private final BucketId bucket;
  private final CacheContext node;
  private final LeaseHolder stock;
  private final StoreView heard;
  private final WaitQueue waiters = new WaitQueue();
  private final Demand demand;
  private final LeaseSizer sizing;
  private final BucketLedger account;

  private volatile boolean busy = true;
  private volatile boolean gone;
  private State state = State.IDLE;
  private long flights;
  private long lastAnswered;
  private boolean fills;

  /**
   * Whether a request was decided without the store, so that what is left there is worth a look.
   */
  private boolean looks;

  private volatile boolean evicted;
  private boolean kept;
  private BucketTerms terms;

  /** Whoever makes it adds it to the busy ones. */
  ActiveBucket(
      CachedBucket place,
      BucketRequest first,
      CacheContext node,
      StoreSnapshot recalled,
      int backoff,
      @Nullable BorrowedPermits loan,
      ChargedPermits granted,
      Demand demand) {
    super(place.bucket(), recalled);
    this.place = place;
    this.bucket = place.bucket();
    this.node = node;
    this.heard = new StoreView(this, backoff * node.pace().flush());
    this.stock = new LeaseHolder(this);
    this.terms = BucketTerms.of(first);
    this.demand = demand;
    this.sizing = new LeaseSizer(bucket.spec(), node.pace(), demand);
    this.account = new BucketLedger(bucket, node.overdraft(), loan, granted);
  }

  boolean isEvicted() {
    return evicted;
  }

  BucketId bucket() {
    return bucket;
  }

  /** The answer to a look by another capacity than the wish's own, if it is remembered. */
  @Nullable Grant nominal(BucketRequest look, long now) {
    StoreSnapshot seen = heard.nominal(look.terms(), now, node.pace().flush());
    return seen == null ? null : left(look.terms(), now, seen.left(), seen.reset(now));
  }

  /** Notes what a look saw, and what it is told. */
  Grant looked(BucketRequest look, Grant grant) {
    long now = node.clock().micros();
    heard.look(look.terms(), grant, now);
    return left(look.terms(), now, grant.left(), grant.retry());
  }

  void note(BucketRequest wish) {
    demand.note(wish.permits());
  }

  /** Decides by what is at hand or known, unless others have waited longer. */
  @Nullable Decision decide(RequestTerms requestTerms, Key key, long now) {
    Decision admission = admit(requestTerms, key, now);
    if (admission != null) {
      return admission;
    }
    CachedRefusal refusal = refusal(requestTerms, now);
    if (refusal == null) {
      return null;
    }
    demand.note(requestTerms.permits());
    stayBusy();
    return refuse(refusal, requestTerms, key, now);
  }

  /** Spends from the lease for a request, unless others have waited longer. */
  @Nullable Grant spend(BucketRequest wish, long now) {
    return crowded() ? null : spend(wish.terms(), now);
  }

  /** The same for a request that is noted, or for what is none. */
  synchronized @Nullable Grant take(BucketRequest wish, long now) {
    return crowded() ? null : take(wish.terms(), now);
  }

  /** Refuses what is known not to be there. */
  @Nullable Grant refuse(BucketRequest wish, long now) {
    Grant refusal = refuse(wish.terms(), now);
    if (refusal != null) {
      stayBusy();
    }
    return refusal;
  }

  // What is asked for is counted by the flush.
  private void stayBusy() {
    if (!busy) {
      wake();
    }
  }

  /** Lets a wish wait, or answers it if that has become possible; false if this is evicted. */
  synchronized boolean enter(WaitingRequest waiter, long now, AfterUnlock after) {
    if (evicted) {
      return false;
    }
    terms = BucketTerms.of(waiter.wish());
    wake();
    if (!waiters.isEmpty() || !served(waiter, now, after) && !refused(waiter, now, after)) {
      waiters.add(waiter);
      crowded(true);
    }
    return true;
  }

  /** Admits ahead of the store, if that is allowed. */
  synchronized @Nullable Grant borrow(BucketRequest wish, long now) {
    if (evicted || lacks(wish.terms(), now) || !account.borrow(wish, now)) {
      return null;
    }
    terms = BucketTerms.of(wish);
    fills = true;
    wake();
    return lent(wish.terms(), now);
  }

  /** Whether to queue this now, because there is something to ask and it isn't asking. */
  synchronized boolean wantsToAsk() {
    State wanted = waiters.isEmpty() ? State.QUEUED : State.HURRIED;
    boolean wants =
        state == State.IDLE && (!waiters.isEmpty() || fills)
            || state == State.QUEUED && wanted == State.HURRIED;
    state = wants ? wanted : state;
    return wants;
  }

  @Override
  public synchronized boolean hurries() {
    return state == State.HURRIED;
  }

  // Who was queued and then hurried has two turns, and uses the first.
  private boolean isQueued() {
    return state == State.QUEUED || state == State.HURRIED;
  }

  private boolean served(WaitingRequest waiter, long now, AfterUnlock after) {
    return told(waiter, take(waiter.wish().terms(), now), now, after);
  }

  private boolean refused(WaitingRequest waiter, long now, AfterUnlock after) {
    return told(waiter, refuse(waiter.wish().terms(), now), now, after);
  }

  private boolean refusedAnyhow(WaitingRequest waiter, long now, AfterUnlock after) {
    return told(waiter, refuseForAWindow(waiter.wish().terms(), now), now, after);
  }

  private static boolean told(
      WaitingRequest waiter, @Nullable Grant answer, long now, AfterUnlock after) {
    if (answer != null) {
      after.answer(waiter, Optional.of(answer), FastPath.endsAt(answer, now));
    }
    return answer != null;
  }

  private void drop(Predicate<WaitingRequest> which, AfterUnlock after) {
    waiters.removeIf(
        each -> {
          boolean drops = which.test(each);
          if (drops) {
            after.answer(each, Optional.empty());
          }
          return drops;
        });
  }

  @Override
  public synchronized @Nullable InFlightClaim depart(long now, AfterUnlock after) {
    if (!isQueued()) {
      return null;
    }
    demand.collect(stock.lease());
    stock.expire(now);
    account.expire(now);
    drop(each -> each.since() <= now - node.timeout(), after);
    crowded(!waiters.isEmpty());
    Claim claim = claim(now);
    SentDebts bill = account.bill();
    fills = false;
    looks = false;
    if (claim.needed() + claim.extra() + claim.debt() == 0 && claim.giveBacks().isEmpty()) {
      bill.paid(after); // by a window that is over
      state = State.IDLE;
      return null;
    }
    state = State.FLYING;
    waiters.tried();
    if (claim.needed() + claim.extra() == 0 && !claim.giveBacks().isEmpty()) {
      demand.forfeit();
    }
    return new BucketClaim(this, claim, ++flights, bill);
  }

  @Override
  public synchronized @Nullable InFlightClaim tell(long now, AfterUnlock after) {
    if (!isQueued()) {
      return null;
    }
    account.expire(now);
    drop(each -> true, after);
    crowded(false);
    fills = false;
    long debt = account.debt();
    SentDebts bill = account.bill();
    boolean worthIt = looks;
    looks = false;
    if (debt == 0 && !worthIt) {
      bill.paid(after); // by a window that is over
      state = State.IDLE;
      return null;
    }
    state = State.FLYING;
    Claim claim =
        Claim.builder(bucket, terms.effectiveLimit(), terms.burst()).atLeast(1).debt(debt).build();
    return new BucketClaim(this, claim, ++flights, bill);
  }

  /** The store has lost its data, and is told what it had charged; false if this is evicted. */
  synchronized boolean recount(long now) {
    if (!evicted) {
      account.recount(terms.burst(), now);
      wake();
    }
    return !evicted;
  }

  /** Whether to queue this now, because the store is to be told something. */
  synchronized boolean wantsToTell() {
    boolean tells = state == State.IDLE && account.owes();
    state = tells ? State.QUEUED : state;
    return tells;
  }

  private Claim claim(long now) {
    boolean needs = crowded();
    BucketTerms inForce = needs ? waiters.terms(terms) : terms;
    long held = stock.lease().held(now);
    long needed = needs ? Math.max(1, waiters.needed() - held) : 0;
    long least = needs ? Math.max(1, waiters.least() - held) : 0;
    boolean more = needs || fills;
    long extra = more ? sizing.extra(needed, needs ? 0 : held, inForce, sight()) : 0;
    return Claim.builder(bucket, inForce.effectiveLimit(), inForce.burst())
        .needed(needed)
        .atLeast(least)
        .extra(extra)
        .giveBacks(stock.takeBacks())
        .debt(account.debt())
        .build();
  }

  @Override
  public synchronized void stay(AfterUnlock after) {
    if (!isQueued()) {
      return;
    }
    state = State.IDLE;
    looks = false;
    drop(each -> true, after);
    crowded(false);
    SentDebts bill = account.bill();
    account.unpaid(bill, true);
    bill.unpaid(after);
  }

  /** Takes a grant in, and lets those go who waited for it. */
  synchronized boolean landed(
      BucketClaim flight, Grant grant, Sending sent, boolean late, AfterUnlock after) {
    if (!sent.stands()) { // what it grants is charged nowhere any more
      return !late && lost(flight, sent, after);
    }
    long now = node.clock().micros();
    demand.collect(stock.lease());
    arrive(flight);
    // What a late answer tells is true as well, unless a later claim has been answered before it.
    boolean news = flight.number() > lastAnswered;
    account.charged(flight, grant, late, news, now);
    // Counted from before the send, it is never spent after its slot, however late it came.
    stock.bank(grant, NodeClock.after(sent.at(), ClockDrift.of(grant.life())), now);
    if (news) {
      lastAnswered = flight.number();
      heard.learn(flight.claim(), grant, now, node.pace().flush());
      account.heard(grant, now);
    }
    if (!late) {
      flight.bill().paid(after);
    }
    waiters.removeIf(each -> served(each, now, after));
    waiters.removeIf(each -> refused(each, now, after));
    waiters.removeIf(each -> each.tries() >= TRIES && refusedAnyhow(each, now, after));
    drop(each -> each.tries() >= TRIES, after);
    return rest(true);
  }

  /** Nobody knows what came of a claim: debts are told again, what was given back is gone. */
  synchronized boolean lost(BucketClaim flight, Sending sent, AfterUnlock after) {
    arrive(flight);
    long mayBeLateUntil = NodeClock.after(sent.at(), 2 * node.timeout());
    if (sent.stands() && node.clock().micros() < mayBeLateUntil) {
      account.doubtful(flight.bill(), mayBeLateUntil);
    } else {
      account.unpaid(flight.bill(), sent.stands());
    }
    flight.bill().unpaid(after);
    drop(each -> each.tries() > 0, after);
    boolean again = rest(false);
    if (again || state != State.IDLE || sent.stands() || !account.recounts()) {
      return again;
    }
    state = State.QUEUED; // other data doesn't wait for a flush to hear what it lacks
    return true;
  }

  // A flight that is overdue may have been replaced by a newer one, which isn't freed by it.
  private void arrive(BucketClaim flight) {
    if (flight.number() == flights && state == State.FLYING) {
      state = State.IDLE;
    }
  }

  private boolean rest(boolean answers) {
    crowded(!waiters.isEmpty());
    if (evicted) {
      stock.release();
    }
    wake();
    // Who was evicted may have no flush to come, but mustn't ask a store in vain for ever.
    boolean leftover = evicted && answers && (stock.hasBacks() || account.owes());
    boolean again = state == State.IDLE && (crowded() || leftover);
    state = again ? crowded() ? State.HURRIED : State.QUEUED : state;
    return again;
  }

  /** Puts permits back that a wish got; false if this entry is evicted. */
  synchronized boolean putBack(long stamp, long permits, long now) {
    if (evicted) {
      return false;
    }
    if (stamp == FastPath.BORROWED) {
      account.forgive(permits);
    } else {
      stock.putBack(stamp, permits, now);
      wake();
    }
    return true;
  }

  /** Notes permits that were spent without a grant; nothing if this entry is evicted. */
  synchronized @Nullable CompletionStage<Void> charge(BucketRequest debt, long now) {
    if (evicted) {
      return null;
    }
    terms = BucketTerms.of(debt);
    wake();
    return account.charge(debt.permits(), now);
  }

  /** The same, for nobody in particular; false if this entry is evicted. */
  synchronized boolean owe(BucketRequest debt, long now) {
    if (!evicted) {
      terms = BucketTerms.of(debt);
      account.owe(debt.permits(), now);
      wake();
    }
    return !evicted;
  }

  synchronized void forgive(long permits) {
    account.forgive(permits);
  }

  /** What is known here of the bucket while the store can't be asked. */
  synchronized LocalBucketView view(BucketRequest wish, long share, int nodes, long now) {
    account.expire(now);
    looks = true;
    wake();
    RequestTerms requestTerms = wish.terms();
    Grant refusal = knownEmpty(requestTerms, now);
    if (refusal == null) {
      refusal = beyondPart(requestTerms, nodes, account.untold(), FRESH * node.pace().flush(), now);
    }
    if (refusal != null) {
      return LocalBucketView.refuses(refusal);
    }
    long granted = account.grantedPermits(now);
    if (granted + requestTerms.permits() <= share || requestTerms.permits() > share) {
      return LocalBucketView.granted(granted);
    }
    long dropsAt = account.grantedDropsTo(share - requestTerms.permits(), now);
    long retry = ClockDrift.surely(Math.max(1, dropsAt - now));
    return LocalBucketView.refuses(Grant.refused(Math.max(0, share - granted), retry, retry));
  }

  /** Whether it was asked for in the interval that the last flush ended. */
  boolean wasUsed() {
    return demand.quiet() == 0;
  }

  /** Looks after the entry once a flush interval. */
  synchronized Next flush(long now) {
    demand.collect(stock.lease());
    demand.tick();
    if (state != State.IDLE) {
      return Next.STAY;
    }
    stock.expire(now);
    account.expire(now);
    boolean gives = evicted || sizing.idle(sight());
    if (gives) {
      stock.release();
      fills = false;
    } else {
      stock.trim(sizing.keep(stock.lease().held(now), terms), now);
      fills |= !heard.isEmpty(now) && sizing.wantsMore(stock.lease(), terms, now);
    }
    if (fills || looks || account.owes() || stock.hasBacks() && gives) {
      state = State.QUEUED;
      return Next.ASK;
    }
    busy = !stock.isEmpty() || account.isInDoubt() || !evicted && !isAtRest(now);
    return busy ? Next.STAY : drop(now);
  }

  private boolean isAtRest(long now) {
    return !crowded() && sizing.atRest() && heard.isOver(now, node.pace().flush());
  }

  private Next drop(long now) {
    if (kept) {
      kept = false;
      node.leftovers().done();
    }
    if (!evicted) {
      rest(now);
    }
    return Next.DROP;
  }

  private void rest(long now) {
    leave();
    gone = true;
    long flushes = heard.backoff() / node.pace().flush();
    int requests = demand.earnings();
    if (!place.rest(sight(), account.loan(now), account.granted(), now, flushes, requests)) {
      account.close();
    }
  }

  private void leave() {
    evicted = true;
    node.shortcuts().remove(this);
  }

  /** Leaves the cache: gives its lease up, so that it never meets that of a newer entry. */
  synchronized void evict() {
    if (evicted) {
      return; // it rests
    }
    leave();
    stock.release();
    account.endDoubt();
    account.close();
    boolean tells = state != State.IDLE || stock.hasBacks() || account.owes();
    kept = tells && node.leftovers().keeps(account.owes());
    if (kept) {
      wake();
    } else if (tells) {
      stock.takeBacks();
      account.clear();
    }
    gone = !kept;
  }

  /** Whether this is evicted and has nothing left to tell. */
  boolean isGone() {
    return gone;
  }

  synchronized void wake() {
    if (!busy) {
      busy = true;
      node.busy().add(this);
    }
  }
}

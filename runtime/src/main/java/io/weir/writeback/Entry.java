package io.weir.writeback;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Offer;
import io.weir.store.Bucket;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.LocalView;
import io.weir.store.Wish;
import java.util.List;
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
final class Entry extends Answers implements Asker {
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

  private final Place place;
  private final Bucket bucket;
  private final Node node;
  private final Stock stock;
  private final Heard heard;
  private final Waiters waiters = new Waiters();
  private final Demand demand;
  private final Sizing sizing;
  private final Account account;

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
  private Terms terms;

  /** Whoever makes it adds it to the busy ones. */
  Entry(
      Place place,
      Wish first,
      Node node,
      Sight recalled,
      int backoff,
      @Nullable Loan loan,
      Granted granted,
      Demand demand) {
    super(place.bucket(), recalled);
    this.place = place;
    this.bucket = place.bucket();
    this.node = node;
    this.heard = new Heard(this, backoff * node.pace().flush());
    this.stock = new Stock(this);
    this.terms = Terms.of(first);
    this.demand = demand;
    this.sizing = new Sizing(bucket.shape(), node.pace(), demand);
    this.account = new Account(bucket, node.overdraft(), loan, granted);
  }

  boolean isEvicted() {
    return evicted;
  }

  Bucket bucket() {
    return bucket;
  }

  /** The answer to a look by another capacity than the wish's own, if it is remembered. */
  @Nullable Grant nominal(Wish look, long now) {
    Sight seen = heard.nominal(look.offer(), now, node.pace().flush());
    return seen == null ? null : left(look.offer(), now, seen.left(), seen.reset(now));
  }

  /** Notes what a look saw, and what it is told. */
  Grant looked(Wish look, Grant grant) {
    long now = node.clock().micros();
    heard.look(look.offer(), grant, now);
    return left(look.offer(), now, grant.left(), grant.retry());
  }

  void note(Wish wish) {
    demand.note(wish.permits());
  }

  /** Decides by what is at hand or known, unless others have waited longer. */
  @Nullable Decision decide(Offer offer, Key key, long now) {
    Decision admission = admit(offer, key, now);
    if (admission != null) {
      return admission;
    }
    Refusal refusal = refusal(offer, now);
    if (refusal == null) {
      return null;
    }
    demand.note(offer.permits());
    stayBusy();
    return refuse(refusal, offer, key, now);
  }

  /** Spends from the lease for a request, unless others have waited longer. */
  @Nullable Grant spend(Wish wish, long now) {
    return crowded() ? null : spend(wish.offer(), now);
  }

  /** The same for a request that is noted, or for what is none. */
  synchronized @Nullable Grant take(Wish wish, long now) {
    return crowded() ? null : take(wish.offer(), now);
  }

  /** Refuses what is known not to be there. */
  @Nullable Grant refuse(Wish wish, long now) {
    Grant refusal = refuse(wish.offer(), now);
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
  synchronized boolean enter(Waiter waiter, long now, Afterwards after) {
    if (evicted) {
      return false;
    }
    terms = Terms.of(waiter.wish());
    wake();
    if (!waiters.isEmpty() || !served(waiter, now, after) && !refused(waiter, now, after)) {
      waiters.add(waiter);
      crowded(true);
    }
    return true;
  }

  /** Admits ahead of the store, if that is allowed. */
  synchronized @Nullable Grant borrow(Wish wish, long now) {
    if (evicted || lacks(wish.offer(), now) || !account.borrow(wish, now)) {
      return null;
    }
    terms = Terms.of(wish);
    fills = true;
    wake();
    return lent(wish.offer(), now);
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

  private boolean served(Waiter waiter, long now, Afterwards after) {
    return told(waiter, take(waiter.wish().offer(), now), now, after);
  }

  private boolean refused(Waiter waiter, long now, Afterwards after) {
    return told(waiter, refuse(waiter.wish().offer(), now), now, after);
  }

  private boolean refusedAnyhow(Waiter waiter, long now, Afterwards after) {
    return told(waiter, refuseForAWindow(waiter.wish().offer(), now), now, after);
  }

  private static boolean told(Waiter waiter, @Nullable Grant answer, long now, Afterwards after) {
    if (answer != null) {
      after.answer(waiter, Optional.of(answer), Answers.endsAt(answer, now));
    }
    return answer != null;
  }

  private void drop(Predicate<Waiter> which, Afterwards after) {
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
  public synchronized @Nullable Flight depart(long now, Afterwards after) {
    if (!isQueued()) {
      return null;
    }
    demand.collect(stock.lease());
    stock.expire(now);
    account.expire(now);
    drop(each -> each.since() <= now - node.timeout(), after);
    crowded(!waiters.isEmpty());
    Claim claim = claim(now);
    Bill bill = account.bill();
    fills = false;
    looks = false;
    if (claim.needed() + claim.extra() + claim.owed() == 0 && claim.backs().isEmpty()) {
      bill.paid(after); // by a window that is over
      state = State.IDLE;
      return null;
    }
    state = State.FLYING;
    waiters.tried();
    if (claim.needed() + claim.extra() == 0 && !claim.backs().isEmpty()) {
      demand.forfeit();
    }
    return new EntryFlight(this, claim, ++flights, bill);
  }

  @Override
  public synchronized @Nullable Flight tell(long now, Afterwards after) {
    if (!isQueued()) {
      return null;
    }
    account.expire(now);
    drop(each -> true, after);
    crowded(false);
    fills = false;
    long owed = account.owed();
    Bill bill = account.bill();
    boolean worthIt = looks;
    looks = false;
    if (owed == 0 && !worthIt) {
      bill.paid(after); // by a window that is over
      state = State.IDLE;
      return null;
    }
    state = State.FLYING;
    Claim claim = new Claim(bucket, 0, 1, 0, List.of(), owed, terms.capacity(), terms.burst());
    return new EntryFlight(this, claim, ++flights, bill);
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
    Terms inForce = needs ? waiters.terms(terms) : terms;
    long held = stock.lease().held(now);
    long needed = needs ? Math.max(1, waiters.needed() - held) : 0;
    long least = needs ? Math.max(1, waiters.least() - held) : 0;
    boolean more = needs || fills;
    long extra = more ? sizing.extra(needed, needs ? 0 : held, inForce, sight()) : 0;
    return new Claim(
        bucket,
        needed,
        least,
        extra,
        stock.takeBacks(),
        account.owed(),
        inForce.capacity(),
        inForce.burst());
  }

  @Override
  public synchronized void stay(Afterwards after) {
    if (!isQueued()) {
      return;
    }
    state = State.IDLE;
    looks = false;
    drop(each -> true, after);
    crowded(false);
    Bill bill = account.bill();
    account.unpaid(bill, true);
    bill.unpaid(after);
  }

  /** Takes a grant in, and lets those go who waited for it. */
  synchronized boolean landed(
      EntryFlight flight, Grant grant, Sending sent, boolean late, Afterwards after) {
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
    stock.bank(grant, NodeClock.after(sent.at(), LeaseLife.of(grant.life())), now);
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
  synchronized boolean lost(EntryFlight flight, Sending sent, Afterwards after) {
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
  private void arrive(EntryFlight flight) {
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
    if (stamp == Answers.BORROWED) {
      account.forgive(permits);
    } else {
      stock.putBack(stamp, permits, now);
      wake();
    }
    return true;
  }

  /** Notes permits that were spent without a grant; nothing if this entry is evicted. */
  synchronized @Nullable CompletionStage<Void> charge(Wish debt, long now) {
    if (evicted) {
      return null;
    }
    terms = Terms.of(debt);
    wake();
    return account.charge(debt.permits(), now);
  }

  /** The same, for nobody in particular; false if this entry is evicted. */
  synchronized boolean owe(Wish debt, long now) {
    if (!evicted) {
      terms = Terms.of(debt);
      account.owe(debt.permits(), now);
      wake();
    }
    return !evicted;
  }

  synchronized void forgive(long permits) {
    account.forgive(permits);
  }

  /** What is known here of the bucket while the store can't be asked. */
  synchronized LocalView view(Wish wish, long share, int nodes, long now) {
    account.expire(now);
    looks = true;
    wake();
    Offer offer = wish.offer();
    Grant refusal = knownEmpty(offer, now);
    if (refusal == null) {
      refusal = beyondPart(offer, nodes, account.untold(), FRESH * node.pace().flush(), now);
    }
    if (refusal != null) {
      return LocalView.refuses(refusal);
    }
    long granted = account.grantedPermits(now);
    if (granted + offer.permits() <= share || offer.permits() > share) {
      return LocalView.granted(granted);
    }
    long dropsAt = account.grantedDropsTo(share - offer.permits(), now);
    long retry = LeaseLife.surely(Math.max(1, dropsAt - now));
    return LocalView.refuses(new Grant(0, 0, 0, Math.max(0, share - granted), retry, retry));
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

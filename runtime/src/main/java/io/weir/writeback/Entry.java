package io.weir.writeback;

import io.weir.store.Bucket;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.Wish;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What this node has and knows of one bucket.
 *
 * <p>{@link #spend} and {@link #refuse}, which answer most requests, take no lock. Everything else
 * runs under the monitor of the entry: for well under a microsecond, for nothing waits in there, no
 * foreign code runs in there and the cache isn't touched from there.
 *
 * <p>Invariant: at most one claim of an entry that isn't overdue is in flight.
 *
 * <p>Safe for concurrent use.
 */
final class Entry implements Asker {
  private static final int TRIES = 6;

  private enum State {
    IDLE,
    QUEUED,
    FLYING
  }

  private final Bucket bucket;
  private final Node node;
  private final Stock stock = new Stock();
  private final Demand demand = new Demand();
  private final Heard heard = new Heard();
  private final Debts debts = new Debts();
  private final Waiters waiters = new Waiters();

  private volatile boolean crowded;
  private volatile boolean busy;
  private State state = State.IDLE;
  private long flights;
  private boolean fills;
  private boolean evicted;
  private Terms terms;

  Entry(Bucket bucket, Node node, Wish first) {
    this.bucket = bucket;
    this.node = node;
    this.terms = Terms.of(first);
  }

  Bucket bucket() {
    return bucket;
  }

  void note(Wish wish) {
    demand.note(wish.permits());
  }

  /** Spends from the lease, unless others have waited longer. */
  @Nullable Grant spend(Wish wish, long now) {
    Lease lease = stock.lease();
    return !crowded && lease.spend(wish.permits(), now) ? granted(wish, lease.stamp(), now) : null;
  }

  /** Refuses what is known not to be there. A lease that lives is spent first. */
  @Nullable Grant refuse(Wish wish, long now) {
    Refusal refusal = heard.refusal(wish, now);
    if (refusal == null || stock.lease().held(now) >= wish.permits()) {
      return null;
    }
    if (!busy) {
      wake();
    }
    long left = Math.min(left(wish, now), wish.permits() - 1);
    long retry = Math.max(1, refusal.retryAt() - now);
    return new Grant(0, 0, 0, left, retry, Math.max(1, refusal.resetAt() - now));
  }

  /** What a wish is told that isn't taken, because another of its request is refused. */
  Grant passedOver(Wish wish, long now) {
    return new Grant(0, 0, 0, left(wish, now), 0, heard.reset(now));
  }

  private Grant granted(Wish wish, long stamp, long now) {
    return new Grant(wish.permits(), stamp, 0, left(wish, now), 0, heard.reset(now));
  }

  private long left(Wish wish, long now) {
    return Math.min(wish.burst(), stock.lease().held(now) + heard.left(wish));
  }

  /**
   * Lets a wish wait, or answers it if that has become possible; false if this entry is evicted.
   */
  synchronized boolean enter(Waiter waiter, long now, Afterwards after) {
    if (evicted) {
      return false;
    }
    terms = Terms.of(waiter.wish());
    wake();
    if (!waiters.isEmpty() || !served(waiter, now, after) && !refused(waiter, now, after)) {
      waiters.add(waiter);
      crowded = true;
    }
    return true;
  }

  /** Whether to queue it now because it has something to ask and isn't asking. */
  synchronized boolean wantsToAsk() {
    boolean wants = state == State.IDLE && (!waiters.isEmpty() || fills || !debts.isEmpty());
    state = wants ? State.QUEUED : state;
    return wants;
  }

  private boolean served(Waiter waiter, long now, Afterwards after) {
    Lease lease = stock.lease();
    boolean served = lease.spend(waiter.wish().permits(), now);
    if (served) {
      after.answer(waiter, Optional.of(granted(waiter.wish(), lease.stamp(), now)));
    }
    return served;
  }

  private boolean refused(Waiter waiter, long now, Afterwards after) {
    Grant refusal = refuse(waiter.wish(), now);
    if (refusal != null) {
      after.answer(waiter, Optional.of(refusal));
    }
    return refusal != null;
  }

  private boolean dropped(Waiter waiter, boolean drop, Afterwards after) {
    if (drop) {
      after.answer(waiter, Optional.empty());
    }
    return drop;
  }

  @Override
  public synchronized @Nullable Flight depart(long now, Afterwards after) {
    stock.expire(now);
    debts.expire(now);
    long oldest = now - node.timeout();
    waiters.removeIf(each -> dropped(each, each.since() <= oldest, after));
    crowded = !waiters.isEmpty();
    Claim claim = claim(now);
    fills = false;
    boolean empty = claim.needed() + claim.extra() + claim.owed() == 0 && claim.backs().isEmpty();
    state = empty ? State.IDLE : State.FLYING;
    if (empty) {
      return null;
    }
    waiters.tried();
    if (claim.needed() + claim.extra() == 0 && !claim.backs().isEmpty()) {
      demand.forfeit();
    }
    return new EntryFlight(this, claim, ++flights, debts.take());
  }

  private Claim claim(long now) {
    long held = stock.lease().held(now);
    boolean needs = !waiters.isEmpty();
    Terms now0 = needs ? new Terms(waiters.capacity(), waiters.burst(), terms.above()) : terms;
    long needed = needs ? Math.max(1, waiters.needed() - held) : 0;
    long least = needs ? Math.max(1, waiters.least() - held) : 0;
    long extra = needs || fills ? extra(needed, needs ? 0 : held, now0) : 0;
    return new Claim(
        bucket,
        needed,
        least,
        extra,
        stock.takeBacks(),
        debts.total(),
        now0.capacity(),
        now0.burst());
  }

  /** Permits ahead of requests: as many as were asked for lately, if that was often enough. */
  private long extra(long needed, long held, Terms inForce) {
    if (!demand.earned() || bucket.shape().windowMicros() < node.pace().flush()) {
      return 0;
    }
    // What this claim itself serves is no evidence of a rate: a herd would hoard.
    long asked = Math.max(demand.sinceFlush() - needed, needed > 0 ? 0 : demand.lastInterval());
    long extra = node.pace().over(horizon(), Math.max(demand.rate(), asked), inForce.burst());
    Sight seen = heard.sight();
    long within = seen == null ? extra : seen.left(inForce.burst()) - inForce.above();
    long wanted = Math.min(extra - held, within);
    return wanted < 2 ? 0 : wanted;
  }

  private long horizon() {
    return node.pace().horizon(bucket.shape(), terms.capacity(), terms.burst());
  }

  @Override
  public synchronized void stay(Afterwards after) {
    state = State.IDLE;
    waiters.removeIf(each -> dropped(each, true, after));
    crowded = false;
  }

  /** Takes a grant in, and lets those go who waited for it. */
  synchronized boolean landed(
      EntryFlight flight, Grant grant, long sent, boolean late, Afterwards after) {
    long now = node.clock().micros();
    arrive(flight);
    // From before the send, less a thousandth for clocks that differ: never later than its slot.
    long endsAt = NodeClock.after(sent, grant.life() - grant.life() / 1_000);
    stock.bank(grant, endsAt, now);
    if (!late) {
      heard.learn(flight.claim(), grant, now, node.pace().flush());
    }
    waiters.removeIf(each -> served(each, now, after));
    waiters.removeIf(each -> refused(each, now, after));
    waiters.removeIf(each -> dropped(each, each.tries() >= TRIES, after));
    return rest();
  }

  /** Nobody knows what came of a claim: debts are told again, what was given back is gone. */
  synchronized boolean lost(EntryFlight flight, Afterwards after) {
    arrive(flight);
    debts.restore(flight.debts());
    waiters.removeIf(each -> dropped(each, each.tries() > 0, after));
    return rest();
  }

  // A flight that is overdue was replaced by a newer one, which isn't freed by it.
  private void arrive(EntryFlight flight) {
    if (flight.number() == flights && state == State.FLYING) {
      state = State.IDLE;
    }
  }

  private boolean rest() {
    crowded = !waiters.isEmpty();
    if (evicted) {
      stock.release();
    }
    wake();
    boolean again = crowded && state == State.IDLE;
    state = again ? State.QUEUED : state;
    return again;
  }

  /** Puts permits back that a wish got; false if this entry is evicted. */
  synchronized boolean putBack(long stamp, long permits, long now) {
    if (!evicted) {
      stock.putBack(stamp, permits, now);
      wake();
    }
    return !evicted;
  }

  /** Notes permits that were spent without a grant; false if this entry is evicted. */
  synchronized boolean owe(Wish debt, long until) {
    if (!evicted) {
      terms = Terms.of(debt);
      debts.add(debt.permits(), until);
      wake();
    }
    return !evicted;
  }

  synchronized void forgive(long permits) {
    debts.forgive(permits);
  }

  /** Looks after the entry once a flush interval. */
  synchronized Next flush(long now) {
    demand.tick();
    if (state != State.IDLE) {
      return Next.STAY;
    }
    stock.expire(now);
    debts.expire(now);
    boolean idle = evicted || demand.quiet() >= idleAfter();
    boolean trimmed = idle ? giveUp() : trim(now);
    fills = !idle && wantsMore(now);
    if (fills || !debts.isEmpty() || stock.hasBacks() && (idle || trimmed)) {
      state = State.QUEUED;
      return Next.ASK;
    }
    busy = !stock.isEmpty() || demand.quiet() == 0 || demand.rate() > 0;
    return busy ? Next.STAY : Next.DROP;
  }

  private int idleAfter() {
    Sight seen = heard.sight();
    boolean plenty = seen != null && seen.left() >= seen.capacity() - seen.left();
    return node.pace().idleAfter(plenty, bucket.shape().windowMicros());
  }

  private boolean giveUp() {
    stock.release();
    return true;
  }

  private boolean trim(long now) {
    long held = stock.lease().held(now);
    long most = Math.max(demand.rate(), demand.lastInterval());
    long keep = node.pace().over(horizon(), most, terms.burst());
    boolean trims = held > 2 * keep + 10;
    if (trims) {
      stock.trim(keep, now);
    }
    return trims;
  }

  private boolean wantsMore(long now) {
    Lease lease = stock.lease();
    long held = lease.held(now);
    return demand.quiet() == 0
        && demand.earned()
        && held > 0
        && held < 2 * demand.rate()
        && node.pace().worthToppingUp(horizon())
        && lease.endsAt() - now > node.pace().flush()
        && !heard.isEmpty(now);
  }

  /** What the flusher does with an entry. */
  enum Next {
    ASK,
    STAY,
    DROP
  }

  /** Leaves the cache: seals the lease, so that it never meets that of a newer entry. */
  synchronized void evict() {
    evicted = true;
    stock.release();
    if (!stock.isEmpty() || !debts.isEmpty()) {
      wake();
    }
  }

  synchronized void wake() {
    if (!busy) {
      busy = true;
      node.busy().add(this);
    }
  }

  /** Microseconds until a permit that is spent now counts no more. */
  Heard heard() {
    return heard;
  }
}

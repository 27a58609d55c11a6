package io.weir.internal.writeback;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * Permits of one slot of the store's time, which this node may spend until that slot ends.
 *
 * <p>A lease is sealed once; what was left in it then is the sealer's, and nothing is spent from it
 * or put into it afterwards. Invariant: what was put in = what was spent + what is in it + what the
 * sealer got.
 *
 * <p>How much it was asked for is told by the same number: the requests that spent something are
 * counted above the permits, and what they spent is what was put in and isn't there any more. So a
 * request writes once, to one place, however many threads there are.
 *
 * <p>Safe for concurrent use, without locks; but {@link #put}, {@link #take} and {@link #used} need
 * the entry's lock to agree about what was spent.
 */
final class Lease {
  /** What {@link #spend} says where it spends nothing. */
  static final long NOTHING = -1;

  /** The lease of a bucket that holds none. */
  static final Lease NONE = new Lease(Long.MIN_VALUE, Long.MIN_VALUE, 0);

  private static final long SEALED = -1;
  private static final int PERMIT_BITS = 40;

  /** What is above the requests, and the permits. */
  private static final int OTHER_BITS = PERMIT_BITS + 1;

  private static final long REQUEST = 1L << PERMIT_BITS;
  private static final long PERMITS = REQUEST - 1;
  private static final AtomicLongFieldUpdater<Lease> STATE =
      AtomicLongFieldUpdater.newUpdater(Lease.class, "state");

  private final long stamp;
  private final long endsAt;

  /** Permits in the low bits, requests above them, round and round; or {@link #SEALED}. */
  private volatile long state;

  /** What was put in and not taken out again but by requests. */
  private long put;

  private long requestsThen;

  Lease(long stamp, long endsAt, long permits) {
    this.stamp = stamp;
    this.endsAt = endsAt;
    this.put = Math.min(PERMITS, permits);
    this.state = put;
  }

  /**
   * Takes all of so many permits for a request.
   *
   * @return what is left; {@link #NOTHING} if there are fewer or the slot has ended
   */
  long spend(long wanted, long now) {
    if (now >= endsAt) {
      return NOTHING;
    }
    while (true) {
      long held = state;
      long left = (held & PERMITS) - wanted;
      if (left < 0 || held == SEALED) {
        return NOTHING;
      }
      if (STATE.compareAndSet(this, held, plus(held, REQUEST - wanted))) {
        return left;
      }
    }
  }

  /** Undoes what {@link #spend} did; false if this is sealed or its slot has ended. */
  boolean unspend(long spent, long now) {
    return add(spent - REQUEST, now);
  }

  /** Adds permits, unless the lease is sealed or full, or its slot has ended. */
  boolean put(long more, long now) {
    boolean added = permits() + more <= PERMITS && add(more, now);
    put += added ? more : 0;
    return added;
  }

  private boolean add(long what, long now) {
    if (now >= endsAt) {
      return false;
    }
    while (true) {
      long held = state;
      if (held == SEALED) {
        return false;
      }
      if (STATE.compareAndSet(this, held, plus(held, what))) {
        return true;
      }
    }
  }

  /** Takes permits that no request asks for now; false if there are fewer or the slot has ended. */
  boolean take(long wanted, long now) {
    boolean taken = spend(wanted, now) != NOTHING;
    if (taken) {
      STATE.getAndUpdate(this, held -> held == SEALED ? SEALED : plus(held, -REQUEST));
      put -= wanted;
    }
    return taken;
  }

  // The count of requests goes round below the sign, which is the seal's.
  private static long plus(long held, long what) {
    return held + what & Long.MAX_VALUE;
  }

  /** Ends the lease; what is left in it, which is nothing the second time. */
  long seal() {
    long last = STATE.getAndSet(this, SEALED);
    if (last == SEALED) {
      return 0;
    }
    long left = last & PERMITS;
    put -= left;
    requestsThen = last >>> PERMIT_BITS;
    return left;
  }

  /** Permits that requests have spent so far. */
  long used() {
    return put - permits();
  }

  /** Requests that have spent some, since the count last went round. */
  long requests() {
    long held = state;
    return held == SEALED ? requestsThen : held >>> PERMIT_BITS;
  }

  /** How many requests there were between two counts; less than 0 if some were undone. */
  static long between(long before, long after) {
    return after - before << OTHER_BITS >> OTHER_BITS;
  }

  boolean lives(long now) {
    return now < endsAt;
  }

  /** What may be spent at this time. */
  long held(long now) {
    return lives(now) ? permits() : 0;
  }

  /** What is in it, dead or alive. */
  long permits() {
    long held = state;
    return held == SEALED ? 0 : held & PERMITS;
  }

  long stamp() {
    return stamp;
  }

  long endsAt() {
    return endsAt;
  }
}

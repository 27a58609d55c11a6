package io.weir.internal.writeback.lease;

import io.weir.internal.permits.RequestTerms;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * Permits of one slot of the store's time, which this node may spend until that slot ends.
 *
 * <p>A lease is sealed once. The sealing thread gets what is left in it; afterwards nothing is
 * spent from it or added to it. Invariant: permits added = spent + left + those returned by {@link
 * #seal}.
 *
 * <p>One number holds the permits and, in its upper bits, how many requests have spent some; so a
 * request writes once, to one place, however many threads there are.
 *
 * <p>A far lease also remembers how many permits were granted: those not left when it is sealed
 * were spent. And it remembers the limit that it was granted under: it may outlive that by an
 * eighth of the window, so it doesn't admit a request with a lower limit.
 *
 * <p>Safe for concurrent use, without locks; but {@link #add}, {@link #withdraw} and {@link #used}
 * need the bucket's lock to agree about what was spent.
 */
public final class Lease {
  /** The result of {@link #spend} if it spends nothing. */
  static final long NOTHING = -1;

  static final Lease NONE = new Lease(Long.MIN_VALUE, Long.MIN_VALUE, 0);

  private static final long SEALED = -1;
  private static final int PERMIT_BITS = 40;

  /** The bits that don't count requests: the permits' and the sign. */
  private static final int OTHER_BITS = PERMIT_BITS + 1;

  private static final long REQUEST = 1L << PERMIT_BITS;
  private static final long PERMITS = REQUEST - 1;
  private static final AtomicLongFieldUpdater<Lease> STATE =
      AtomicLongFieldUpdater.newUpdater(Lease.class, "state");

  private final long stamp;
  private final long endsAt;

  /** Permits granted with a far lease; 0 for any other. */
  private final int farSize;

  /** The limit that a far lease was granted under; 0 for any other. */
  private final int farLimit;

  /** Permits in the low bits, requests above them, wrapping around; or {@link #SEALED}. */
  private volatile long state;

  /** Permits added and not withdrawn. */
  private long added;

  private long requestsWhenSealed;

  Lease(long stamp, long endsAt, long permits) {
    this(stamp, endsAt, permits, 0, 0);
  }

  Lease(long stamp, long endsAt, long permits, int farSize, long farLimit) {
    this.stamp = stamp;
    this.endsAt = endsAt;
    this.farSize = farSize;
    this.farLimit = (int) farLimit; // Policy.MAX_LIMIT fits
    this.added = Math.min(PERMITS, permits);
    this.state = added;
  }

  /**
   * Spends permits for a request, all or none; returns the permits left, {@link #NOTHING} if there
   * are fewer or the slot has ended.
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

  /** Undoes a {@link #spend}; false if this is sealed or its slot has ended. */
  boolean undoSpend(long spent, long now) {
    return change(spent - REQUEST, now);
  }

  /** Adds permits, unless the lease is sealed or full, or its slot has ended. */
  boolean add(long more, long now) {
    boolean done = permits() + more <= PERMITS && change(more, now);
    added += done ? more : 0;
    return done;
  }

  /** Adds permits that were refunded, even if the slot has ended; false if this is sealed. */
  boolean refund(long permits) {
    boolean done = change(permits);
    added += done ? permits : 0;
    return done;
  }

  private boolean change(long what, long now) {
    return now < endsAt && change(what);
  }

  private boolean change(long what) {
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

  /**
   * Takes permits out without counting a request; false if there are fewer or the slot has ended.
   */
  boolean withdraw(long wanted, long now) {
    boolean taken = spend(wanted, now) != NOTHING;
    if (taken) {
      STATE.getAndUpdate(this, held -> held == SEALED ? SEALED : plus(held, -REQUEST));
      added -= wanted;
    }
    return taken;
  }

  // The count of requests wraps around below the sign bit, which marks the seal.
  private static long plus(long held, long what) {
    return held + what & Long.MAX_VALUE;
  }

  /** Ends the lease and returns the permits left in it; 0 the second time. */
  long seal() {
    long last = STATE.getAndSet(this, SEALED);
    if (last == SEALED) {
      return 0;
    }
    long left = last & PERMITS;
    added -= left;
    requestsWhenSealed = last >>> PERMIT_BITS;
    return left;
  }

  long used() {
    return added - permits();
  }

  /** Requests that have spent some, since the count last wrapped around. */
  long requests() {
    long held = state;
    return held == SEALED ? requestsWhenSealed : held >>> PERMIT_BITS;
  }

  /** Returns the number of requests between two counts; less than 0 if some were undone. */
  static long between(long before, long after) {
    return after - before << OTHER_BITS >> OTHER_BITS;
  }

  boolean isFar() {
    return farSize > 0;
  }

  int farSize() {
    return farSize;
  }

  long farLimit() {
    return farLimit;
  }

  /**
   * Returns whether requests under a limit may spend from it: not if the limit has been lowered
   * since.
   */
  boolean isFor(RequestTerms terms) {
    return farLimit <= terms.limit();
  }

  /** Returns whether its slot lasts beyond a time. */
  public boolean isAlive(long now) {
    return now < endsAt;
  }

  /** Permits that may be spent now. */
  public long held(long now) {
    return isAlive(now) ? permits() : 0;
  }

  /** Permits that requests under a limit may spend now. */
  long held(RequestTerms terms, long now) {
    return isFor(terms) ? held(now) : 0;
  }

  /** Permits in it, even if its slot has ended. */
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

package io.weir.writeback;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * Permits of one slot of the store's time, which this node may spend until that slot ends.
 *
 * <p>A lease is sealed once; what was left in it then is the sealer's, and nothing is spent from it
 * or put into it afterwards. Invariant: what was put in = what was spent + what is in it + what the
 * sealer got.
 *
 * <p>Safe for concurrent use, without locks.
 */
final class Lease {
  /** The lease of a bucket that holds none. */
  static final Lease NONE = new Lease(Long.MIN_VALUE, Long.MIN_VALUE, 0);

  private static final long SEALED = -1;
  private static final AtomicLongFieldUpdater<Lease> PERMITS =
      AtomicLongFieldUpdater.newUpdater(Lease.class, "permits");

  private final long stamp;
  private final long endsAt;
  private volatile long permits;

  // They lie beside the permits, so that whoever has just spent some has them at hand.
  private long used;
  private long requests;

  Lease(long stamp, long endsAt, long permits) {
    this.stamp = stamp;
    this.endsAt = endsAt;
    this.permits = permits;
  }

  /** Takes all of so many permits, or none if there are fewer or the slot has ended. */
  boolean spend(long wanted, long now) {
    if (now >= endsAt) {
      return false;
    }
    while (true) {
      long held = permits;
      if (held < wanted) {
        return false;
      }
      if (PERMITS.compareAndSet(this, held, held - wanted)) {
        return true;
      }
    }
  }

  /**
   * Notes a request that has spent so many. Without a lock, so that some may be lost when several
   * note at the same time: counted too low, never too high.
   */
  void note(long spent) {
    used += spent;
    requests++;
  }

  /** Permits noted so far. */
  long used() {
    return used;
  }

  /** Requests noted so far. */
  long requests() {
    return requests;
  }

  /** Adds permits, unless the lease is sealed or its slot has ended. */
  boolean put(long more, long now) {
    if (now >= endsAt) {
      return false;
    }
    while (true) {
      long held = permits;
      if (held == SEALED) {
        return false;
      }
      if (PERMITS.compareAndSet(this, held, held + more)) {
        return true;
      }
    }
  }

  /** Ends the lease; what is left in it, which is nothing the second time. */
  long seal() {
    return Math.max(0, PERMITS.getAndSet(this, SEALED));
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
    return Math.max(0, permits);
  }

  long stamp() {
    return stamp;
  }

  long endsAt() {
    return endsAt;
  }
}

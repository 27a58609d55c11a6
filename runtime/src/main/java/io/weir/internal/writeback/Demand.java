package io.weir.internal.writeback;

/**
 * How much a bucket is asked for at this node: what sizes its leases.
 *
 * <p>{@link #note} runs without a lock and may lose to another thread that notes at the same time,
 * or to the flusher. So demand is counted too low, never too high, and a lease comes out smaller.
 * Everything else needs the entry's lock.
 *
 * <p>What is spent from a lease is counted there, and {@linkplain #collect collected} before
 * anybody wants to know it: a counter that all threads write would cost as much as the spending.
 */
final class Demand {
  /** Of a permit. In whole ones, who asks less than once a flush would never have a rate. */
  static final int PARTS = 16;

  private static final int EARNS = 10;

  // These two only rise (but for a race) and are never reset: a reset could be overwritten.
  private long used;
  private long requests;

  private long usedBefore;
  private long requestsBefore;
  private long lastInterval;
  private long rate;
  private int quiet;

  private Lease counted = Lease.NONE;
  private long usedThere;
  private long requestsThere;

  /** Begins with so many requests that have earned something before. */
  Demand(int earnings) {
    requests = earnings;
  }

  void note(long permits) {
    used += permits;
    requests++;
  }

  /** Counts what was spent from the lease that is in force. */
  void collect(Lease lease) {
    if (lease != counted) {
      counted = lease;
      usedThere = 0;
      requestsThere = 0;
    }
    long usedNow = lease.used();
    long requestsNow = lease.requests();
    used += usedNow - usedThere; // less than 0 if some were undone
    requests += Lease.between(requestsThere, requestsNow);
    usedThere = usedNow;
    requestsThere = requestsNow;
  }

  /** Permits asked for since the last flush. */
  long sinceFlush() {
    return Math.max(0, used - usedBefore);
  }

  /** A flush interval is over. */
  void tick() {
    lastInterval = sinceFlush();
    usedBefore = used;
    quiet = lastInterval > 0 ? 0 : Math.min(quiet + 1, Integer.MAX_VALUE - 1);
    long now = lastInterval * PARTS;
    // Up fast and down slowly; halves are cut, so that it comes to rest at nothing.
    long rise = now > rate ? (now - rate) / 4 : 0;
    rate = (rate + now) / 2 + rise;
  }

  /** Permits a flush interval, smoothed, in {@value #PARTS}ths of a permit. */
  long rate() {
    return rate;
  }

  /** Permits asked for in the interval that the last flush ended. */
  long lastInterval() {
    return lastInterval;
  }

  /** How many flushes in a row saw nobody ask. */
  int quiet() {
    return quiet;
  }

  /** Whether there were so many requests that permits may be taken ahead of them. */
  boolean earned() {
    return earnings() == EARNS;
  }

  /** How many requests count for that; more than enough is as good as enough. */
  int earnings() {
    return (int) Math.max(0, Math.min(EARNS, requests - requestsBefore));
  }

  /** Permits went back to the store in an exchange of their own: begin to earn anew. */
  void forfeit() {
    requestsBefore = requests;
  }
}

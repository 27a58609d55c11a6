package io.weir.internal.writeback.lease;

/**
 * How much a bucket is asked for at this node: what sizes its leases.
 *
 * <p>{@link #note} runs without a lock, and a count may be lost to another thread. So demand is
 * never counted too high, and a lease comes out smaller. Everything else needs the bucket's lock.
 *
 * <p>What is spent from a lease is counted there, and {@linkplain #collect collected} before it is
 * used here: one more counter that all threads write would cost as much as the spending.
 */
public final class Demand {
  /** Parts of a permit. In whole permits, less than one a flush would never be a rate. */
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
  private long leaseUsed;
  private long leaseRequests;

  /** Begins with so many requests that count towards a lease. */
  public Demand(int earnings) {
    requests = earnings;
  }

  /** Counts a request that isn't served from the lease. */
  public void note(long permits) {
    used += permits;
    requests++;
  }

  /** Counts what was spent from the lease in force. */
  public void collect(Lease lease) {
    if (lease != counted) {
      counted = lease;
      leaseUsed = 0;
      leaseRequests = 0;
    }
    long usedNow = lease.used();
    long requestsNow = lease.requests();
    used += usedNow - leaseUsed; // less than 0 if some were undone
    requests += Lease.between(leaseRequests, requestsNow);
    leaseUsed = usedNow;
    leaseRequests = requestsNow;
  }

  /** Permits asked for since the last flush. */
  long sinceFlush() {
    return Math.max(0, used - usedBefore);
  }

  /** Whether no more than one permit was asked for since the last flush. */
  public boolean isSlow() {
    return sinceFlush() <= 1;
  }

  /** A flush interval is over. */
  public void tick() {
    lastInterval = sinceFlush();
    usedBefore = used;
    quiet = lastInterval > 0 ? 0 : Math.min(quiet + 1, Integer.MAX_VALUE - 1);
    long now = lastInterval * PARTS;
    // Up fast and down slowly; halves are cut, so that it ends at zero.
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

  /** How many flushes in a row saw no request. */
  public int quiet() {
    return quiet;
  }

  /** Whether there were enough requests to take permits ahead of them. */
  boolean earned() {
    return earnings() == EARNS;
  }

  /** How many requests count towards a lease, up to enough. */
  public int earnings() {
    return (int) Math.max(0, Math.min(EARNS, requests - requestsBefore));
  }

  /** Permits were given back in an exchange of their own: earning a lease begins anew. */
  public void forfeit() {
    requestsBefore = requests;
  }
}

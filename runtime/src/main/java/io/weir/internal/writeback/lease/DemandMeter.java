package io.weir.internal.writeback.lease;

/**
 * Measures the demand for a bucket at this node, which sizes its leases.
 *
 * <p>{@link #note} runs without a lock, and a count may be lost to another thread. So demand is
 * never counted too high, and a lease comes out smaller. Everything else needs the bucket's lock.
 *
 * <p>Permits spent from a lease are counted there, and {@linkplain #collect collected} before they
 * are used here: another counter written by all threads would cost as much as the spending.
 */
public final class DemandMeter {
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

  /** Begins with a number of requests that count towards a lease. */
  public DemandMeter(int earnings) {
    requests = earnings;
  }

  /** Counts a request that isn't served from the lease. */
  public void note(long permits) {
    used += permits;
    requests++;
  }

  /** Counts the permits spent from the lease in force. */
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

  /** Permits requested since the last flush. */
  long sinceFlush() {
    return Math.max(0, used - usedBefore);
  }

  /** Returns whether at most one permit was requested since the last flush. */
  public boolean isSlow() {
    return sinceFlush() <= 1;
  }

  /** Ends a flush interval. */
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

  /** Permits requested in the interval that the last flush ended. */
  long lastInterval() {
    return lastInterval;
  }

  /** Returns the number of consecutive flushes without a request. */
  public int quiet() {
    return quiet;
  }

  /** Returns whether there were enough requests to take permits in advance. */
  boolean hasEarned() {
    return earnings() == EARNS;
  }

  /** Returns the number of requests that count towards a lease, up to those needed. */
  public int earnings() {
    return (int) Math.max(0, Math.min(EARNS, requests - requestsBefore));
  }

  /** Starts earning a lease anew: permits were given back in an exchange of their own. */
  public void forfeit() {
    requestsBefore = requests;
  }
}

package io.weir.internal.writeback;

/**
 * What the entries of one node share.
 *
 * <p>Immutable.
 *
 * @param clock the node's time
 * @param pace how far ahead it provides permits
 * @param timeout microseconds that a settle may take
 * @param overdraft how much it may admit ahead of the store
 * @param busy the entries that flushes look at
 * @param leftovers how many of them are evicted
 * @param shortcuts the entries that were asked for last
 */
record CacheContext(
    NodeClock clock,
    LeaseHorizon pace,
    long timeout,
    OvershootAllowance overdraft,
    FlushQueue busy,
    EvictedBacklog leftovers,
    RecentBuckets shortcuts) {

  /**
   * By how much the end of a time-out is noticed late, at most by as much again. So much longer the
   * answer is waited for: where timers are late it may lie there without having been read.
   */
  long lateness(long since) {
    return Math.max(0, Math.min(clock.micros() - since - timeout, timeout));
  }
}

package io.weir.internal.writeback;

import io.weir.internal.clock.ExtendableTimeout;
import io.weir.internal.clock.NodeClock;
import io.weir.internal.writeback.channel.WaitingThread;
import io.weir.internal.writeback.debt.OvershootAllowance;
import io.weir.internal.writeback.lease.LeaseHorizon;
import io.weir.store.CalendarWindow;

/**
 * Holds what the active buckets of one cache share.
 *
 * <p>Safe for concurrent use.
 */
final class CacheContext {
  private final NodeClock clock;
  private final LeaseHorizon horizon;
  private final ExtendableTimeout timeout;
  private final OvershootAllowance allowance;
  private final FlushQueue<FlushableBucket> flushQueue;
  private final EvictedBacklogLimit backlog;
  private final RestingExtrasInterner rarities = new RestingExtrasInterner();

  CacheContext(
      NodeClock clock,
      LeaseHorizon horizon,
      ExtendableTimeout timeout,
      OvershootAllowance allowance,
      FlushQueue<FlushableBucket> flushQueue,
      EvictedBacklogLimit backlog) {
    this.clock = clock;
    this.horizon = horizon;
    this.timeout = timeout;
    this.allowance = allowance;
    this.flushQueue = flushQueue;
    this.backlog = backlog;
  }

  long now() {
    return clock.micros();
  }

  /**
   * Returns the time for which a store still counts in the running window of a calendar, by this
   * node's time of day.
   */
  long restOf(CalendarWindow windows) {
    long today = clock.epochMicros();
    return Math.max(0, windows.closes(today) - today);
  }

  LeaseHorizon horizon() {
    return horizon;
  }

  /** Returns microseconds. */
  long flushInterval() {
    return horizon.flushInterval();
  }

  /** Returns microseconds. */
  long timeout() {
    return timeout.length();
  }

  WaitingThread newWaitingThread(long now) {
    return new WaitingThread(timeout, now);
  }

  OvershootAllowance allowance() {
    return allowance;
  }

  FlushQueue<FlushableBucket> flushQueue() {
    return flushQueue;
  }

  RestingExtrasInterner rarities() {
    return rarities;
  }

  EvictedBacklogLimit backlog() {
    return backlog;
  }
}

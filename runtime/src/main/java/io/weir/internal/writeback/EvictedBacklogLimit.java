package io.weir.internal.writeback;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the evicted buckets that still have something to report to the store. They are kept until
 * they have, but no more of them than the cache holds; beyond that their give-backs are lost, and
 * beyond twice as many their debts as well.
 *
 * <p>Safe for concurrent use.
 */
final class EvictedBacklogLimit {
  private static final System.Logger LOG = System.getLogger(EvictedBacklogLimit.class.getName());

  private final long most;
  private final AtomicLong kept = new AtomicLong();
  private final AtomicBoolean warned = new AtomicBoolean();

  EvictedBacklogLimit(long most) {
    this.most = most;
  }

  /** Returns whether one more is kept, for its give-backs or for its debts; counts it if so. */
  boolean keeps(boolean owes) {
    long bound = owes ? 2 * most : most;
    if (kept.getAndUpdate(now -> now < bound ? now + 1 : now) < bound) {
      return true;
    }
    if (owes && warned.compareAndSet(false, true)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "more evicted buckets owe permits to the store than fit in memory, so some debts are"
              + " lost. Raise"
              + " weir.write-back.max-buckets");
    }
    return false;
  }

  /** Counts one that has reported everything. */
  void release() {
    kept.decrementAndGet();
  }

  long kept() {
    return kept.get();
  }
}

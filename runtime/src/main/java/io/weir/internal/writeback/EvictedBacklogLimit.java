package io.weir.internal.writeback;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many evicted buckets still have something to tell the store. They are kept until they have,
 * but no more of them than the cache holds; beyond that, what they would give back is lost, and
 * beyond twice as many, what they owe as well.
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

  /** Whether one more is kept, for what it gives back or for what it owes. */
  boolean keeps(boolean owes) {
    long bound = owes ? 2 * most : most;
    if (kept.getAndUpdate(now -> now < bound ? now + 1 : now) < bound) {
      return true;
    }
    if (owes && warned.compareAndSet(false, true)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "more buckets owe permits to the store than are kept; some of it is forgotten. Raise"
              + " weir.write-back.max-buckets");
    }
    return false;
  }

  /** One of them has told everything. */
  void done() {
    kept.decrementAndGet();
  }

  long kept() {
    return kept.get();
  }
}

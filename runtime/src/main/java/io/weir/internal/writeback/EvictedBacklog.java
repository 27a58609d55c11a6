package io.weir.internal.writeback;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many evicted entries still have something to tell the store. They are kept until they have,
 * but no more of them than of those in the cache; beyond that what they would give back is lost,
 * and beyond twice as many also what they owe.
 *
 * <p>Safe for concurrent use.
 */
final class EvictedBacklog {
  private static final System.Logger LOG = System.getLogger(EvictedBacklog.class.getName());

  private final long most;
  private final AtomicLong kept = new AtomicLong();
  private final AtomicBoolean warned = new AtomicBoolean();

  EvictedBacklog(long most) {
    this.most = most;
  }

  /** Whether one more may be kept for the sake of what it gives back, or what it owes. */
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

  /** One has told all. */
  void done() {
    kept.decrementAndGet();
  }

  long kept() {
    return kept.get();
  }
}

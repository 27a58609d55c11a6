package io.weir.internal.writeback;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The entries that the next flush looks at, so that its work grows with the buckets in use and not
 * with all that are cached.
 *
 * <p>Whoever floods a node with keys makes entries that are evicted before that flush. When there
 * are too many they are thrown out, so that memory is bounded between flushes too.
 *
 * <p>Safe for concurrent use; never blocks.
 */
final class FlushQueue {
  private final Queue<ActiveBucket> entries = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();
  private final AtomicBoolean clearing = new AtomicBoolean();
  private final long most;

  /**
   * None yet.
   *
   * @param most above how many those are thrown out that are gone; more than there can be others
   */
  FlushQueue(long most) {
    this.most = most;
  }

  /** Adds an entry that isn't in here: the entry's own flag sees to that. */
  void add(ActiveBucket entry) {
    entries.add(entry);
    if (size.incrementAndGet() > most && clearing.compareAndSet(false, true)) {
      drain(this::addUnlessGone);
      clearing.set(false);
    }
  }

  private void addUnlessGone(ActiveBucket entry) {
    if (!entry.isGone()) {
      entries.add(entry);
      size.incrementAndGet();
    }
  }

  int size() {
    return size.get();
  }

  /** Takes out all that are in here at the beginning. */
  void drain(Consumer<ActiveBucket> look) {
    for (int i = size.get(); i > 0; i--) {
      ActiveBucket entry = entries.poll();
      if (entry == null) {
        return;
      }
      size.decrementAndGet();
      look.accept(entry);
    }
  }
}

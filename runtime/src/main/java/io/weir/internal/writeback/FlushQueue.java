package io.weir.internal.writeback;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Queues the buckets that the next flush visits, so that its work grows with the active buckets and
 * not with all cached ones.
 *
 * <p>A flood of keys makes buckets that are evicted before that flush. When there are too many in
 * here, those that are gone are dropped, so that memory is bounded between flushes too.
 *
 * <p>Safe for concurrent use; never blocks.
 */
final class FlushQueue<B> {
  private final Queue<B> buckets = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();
  private final AtomicBoolean cleaning = new AtomicBoolean();
  private final long most;
  private final Predicate<B> gone;

  /**
   * Makes an empty queue.
   *
   * @param most the size from which on gone buckets are dropped; more than there can be others
   * @param gone whether a bucket needs no flush any more
   */
  FlushQueue(long most, Predicate<B> gone) {
    this.most = most;
    this.gone = gone;
  }

  /** Adds a bucket that isn't in here. */
  void add(B bucket) {
    buckets.add(bucket);
    if (size.incrementAndGet() > most && cleaning.compareAndSet(false, true)) {
      drain(this::addUnlessGone);
      cleaning.set(false);
    }
  }

  private void addUnlessGone(B bucket) {
    if (!gone.test(bucket)) {
      buckets.add(bucket);
      size.incrementAndGet();
    }
  }

  int size() {
    return size.get();
  }

  /** Removes and visits all that are in here at the beginning. */
  void drain(Consumer<B> visit) {
    for (int i = size.get(); i > 0; i--) {
      B bucket = buckets.poll();
      if (bucket == null) {
        return;
      }
      size.decrementAndGet();
      visit.accept(bucket);
    }
  }
}

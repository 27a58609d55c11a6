package io.weir.internal.writeback.channel;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Queues sources that want to claim, urgent ones first: a request waits for those, while debts and
 * the like may wait. Every fourth poll prefers the others, so that a crowd of requests can't keep
 * debts from the store.
 *
 * <p>Adding is safe for concurrent use; confine polling to one thread at a time.
 */
final class ClaimQueue {
  private static final int FAIR_TURNS = 4;

  private final Queue<ClaimSource> urgent = new ConcurrentLinkedQueue<>();
  private final Queue<ClaimSource> others = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();
  private int turn;

  void add(ClaimSource source) {
    size.incrementAndGet(); // before it may be polled
    (source.isUrgent() ? urgent : others).add(source);
  }

  /** Returns null if the queue is empty. */
  @Nullable ClaimSource poll() {
    turn = (turn + 1) % FAIR_TURNS;
    ClaimSource next = turn == 0 ? either(others, urgent) : either(urgent, others);
    if (next != null) {
      size.decrementAndGet();
    }
    return next;
  }

  private static @Nullable ClaimSource either(Queue<ClaimSource> first, Queue<ClaimSource> second) {
    ClaimSource next = first.poll();
    return next == null ? second.poll() : next;
  }

  boolean isEmpty() {
    return urgent.isEmpty() && others.isEmpty();
  }

  /** Counts those just being added, too. */
  int size() {
    return size.get();
  }
}

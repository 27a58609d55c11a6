package io.weir.internal.writeback;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Those that want to ask the store, in the order of their turns: first those that hurry, since a
 * request waits for them, then those with debts and the like, which may be told a little later.
 *
 * <p>One in {@value #FAIR} is of the latter all the same: a crowd that waits doesn't keep from the
 * store what is owed to it.
 *
 * <p>Adding is safe for concurrent use; confine taking out to one thread at a time.
 */
final class ClaimQueue {
  private static final int FAIR = 4;

  private final Queue<ClaimSource> hurried = new ConcurrentLinkedQueue<>();
  private final Queue<ClaimSource> others = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();
  private int turn;

  void add(ClaimSource asker) {
    size.incrementAndGet(); // before it may be taken out
    (asker.hurries() ? hurried : others).add(asker);
  }

  /** Takes out whose turn it is; null if there is nobody. */
  @Nullable ClaimSource poll() {
    turn = (turn + 1) % FAIR;
    ClaimSource next = turn == 0 ? either(others, hurried) : either(hurried, others);
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
    return hurried.isEmpty() && others.isEmpty();
  }

  /** How many there are, those included that are being added. */
  int size() {
    return size.get();
  }
}

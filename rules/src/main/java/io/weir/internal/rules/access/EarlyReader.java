package io.weir.internal.rules.access;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads tokens and sessions ahead of time, for callers that show a secret which is unknown here and
 * may have been made a moment ago. All that wait share the next reading.
 *
 * <p>Invariants: a caller is served by a reading that began after it asked, since an earlier one
 * may have missed its row. Whatever is asked, at most five readings begin within any second, one at
 * a time, and at most a thousand callers wait.
 *
 * <p>Safe for concurrent use.
 */
final class EarlyReader {
  static final int MOST_A_SECOND = 5;
  static final int MOST_WAITING = 1_000;

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final ScheduledExecutorService thread;
  private final BooleanSupplier reading;
  private final LongSupplier nanoTime;

  /** When the latest readings began. Guarded by this. */
  private final Deque<Long> began = new ArrayDeque<>(MOST_A_SECOND);

  /** The reading that is to come; null: none. Guarded by this. */
  private @Nullable CompletableFuture<Boolean> next;

  /** The number of waiting callers. Guarded by this. */
  private int waiting;

  /**
   * Reads nothing until somebody asks.
   *
   * @param thread runs readings one after another
   * @param reading reads; false if it couldn't
   * @param nanoTime a clock that doesn't jump
   */
  EarlyReader(ScheduledExecutorService thread, BooleanSupplier reading, LongSupplier nanoTime) {
    this.thread = thread;
    this.reading = reading;
    this.nanoTime = nanoTime;
  }

  /** Completes after a reading that begins from now on; false: there was none, or it failed. */
  synchronized CompletableFuture<Boolean> ask() {
    CompletableFuture<Boolean> coming = next;
    if (coming == null) {
      coming = new CompletableFuture<>();
      try {
        var unused = thread.schedule(this::read, delay(), TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException closed) {
        return CompletableFuture.completedFuture(false);
      }
      next = coming;
      waiting = 0;
    }
    return ++waiting > MOST_WAITING ? CompletableFuture.completedFuture(false) : coming;
  }

  /** Until there are fewer than five within a second. */
  private long delay() {
    return began.size() < MOST_A_SECOND
        ? 0
        : Math.max(0, began.getFirst() + SECOND - nanoTime.getAsLong());
  }

  private void read() {
    CompletableFuture<Boolean> served;
    synchronized (this) {
      served = next;
      next = null;
      if (began.size() == MOST_A_SECOND) {
        began.removeFirst();
      }
      began.addLast(nanoTime.getAsLong());
    }
    boolean isRead = reading.getAsBoolean();
    if (served != null) {
      served.complete(isRead);
    }
  }
}

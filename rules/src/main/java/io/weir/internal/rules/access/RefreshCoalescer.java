package io.weir.internal.rules.access;

import io.weir.Ticker;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads tokens and sessions ahead of time, for callers that show a secret which is unknown here and
 * may have been made a moment ago. Waiting callers share the next reading.
 *
 * <p>Invariants: a caller is served by a reading that began after it asked, since an earlier one
 * may have missed its row. Whatever is asked, at most five readings begin within any second, one at
 * a time, and at most a thousand callers wait.
 *
 * <p>Safe for concurrent use.
 */
final class RefreshCoalescer {
  static final int MAX_READINGS_PER_SECOND = 5;
  static final int MAX_WAITING = 1_000;

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final ScheduledExecutorService thread;
  private final BooleanSupplier reading;
  private final Ticker ticker;

  /** The beginnings of the latest readings, in nanoseconds of the ticker. Guarded by this. */
  private final Deque<Long> began = new ArrayDeque<>(MAX_READINGS_PER_SECOND);

  /** The next reading; null if none is scheduled. Guarded by this. */
  private @Nullable CompletableFuture<Boolean> next;

  /** The number of waiting callers. Guarded by this. */
  private int waiting;

  /**
   * Creates one that reads nothing until it is asked.
   *
   * @param thread runs readings one after another
   * @param reading reads all; returns false if it couldn't
   */
  RefreshCoalescer(ScheduledExecutorService thread, BooleanSupplier reading, Ticker ticker) {
    this.thread = thread;
    this.reading = reading;
    this.ticker = ticker;
  }

  /** Completes after a reading that begins from now on; with false if none did, or it failed. */
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
    return ++waiting > MAX_WAITING ? CompletableFuture.completedFuture(false) : coming;
  }

  /** Returns the nanoseconds until one more reading makes no more than five within a second. */
  private long delay() {
    return began.size() < MAX_READINGS_PER_SECOND
        ? 0
        : Math.max(0, began.getFirst() + SECOND - ticker.nanoTime());
  }

  private void read() {
    CompletableFuture<Boolean> served;
    synchronized (this) {
      served = next;
      next = null;
      if (began.size() == MAX_READINGS_PER_SECOND) {
        began.removeFirst();
      }
      began.addLast(ticker.nanoTime());
    }
    boolean isRead = reading.getAsBoolean();
    if (served != null) {
      served.complete(isRead);
    }
  }
}

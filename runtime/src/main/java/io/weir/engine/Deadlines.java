package io.weir.engine;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Ends the wait of requests that nobody waits for in a thread of their own.
 *
 * <p>Its thread starts with the first answer that isn't there at once, so that a store in this
 * process never has one. Safe for concurrent use.
 */
final class Deadlines {
  private final ScheduledExecutorService scheduler;
  private final Duration timeout;
  private final boolean own;

  Deadlines(Duration timeout, Optional<ScheduledExecutorService> given) {
    this.timeout = timeout;
    this.own = given.isEmpty();
    this.scheduler = given.orElseGet(Deadlines::daemon);
  }

  private static ScheduledExecutorService daemon() {
    ScheduledThreadPoolExecutor one = new ScheduledThreadPoolExecutor(1, Deadlines::thread);
    one.setRemoveOnCancelPolicy(true);
    return one;
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "weir-deadlines");
    thread.setDaemon(true);
    thread.setContextClassLoader(Deadlines.class.getClassLoader());
    return thread;
  }

  void bound(Asking asking) {
    if (asking.decision().isDone()) {
      return;
    }
    try {
      Future<?> end =
          scheduler.schedule(() -> asking.late(timeout), timeout.toNanos(), TimeUnit.NANOSECONDS);
      asking.whenDecided(() -> end.cancel(false));
    } catch (RejectedExecutionException closed) {
      asking.giveUp();
    }
  }

  /** Ends when the last request that is being waited for is decided. */
  void close() {
    if (own) {
      scheduler.shutdown();
    }
  }
}

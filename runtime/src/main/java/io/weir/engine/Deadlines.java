package io.weir.engine;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Ends the wait of requests that nobody waits for in a thread of their own.
 *
 * <p>Safe for concurrent use.
 *
 * @param timeout how long a request waits
 * @param scheduler what ends it
 */
record Deadlines(Duration timeout, ScheduledExecutorService scheduler) {
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
}

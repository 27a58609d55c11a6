package io.weir.internal.engine;

import io.weir.internal.threads.DaemonThreadFactory;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/**
 * Schedules work that no request waits for: time-outs, flushes, heartbeats. Uses the scheduler that
 * was given, or one daemon thread of its own, which starts when it is first needed, so that a store
 * in this process has none before it is full.
 *
 * <p>Safe for concurrent use.
 */
final class BackgroundScheduler {
  private final ScheduledExecutorService scheduler;
  private final boolean own;

  BackgroundScheduler(Optional<ScheduledExecutorService> given) {
    this.own = given.isEmpty();
    this.scheduler = given.orElseGet(BackgroundScheduler::daemon);
  }

  private static ScheduledExecutorService daemon() {
    ScheduledThreadPoolExecutor one =
        DaemonThreadFactory.scheduler(DaemonThreadFactory.named("weir-background"), 1);
    // Requests that still wait for the store when the limiter closes need their time-outs.
    one.setExecuteExistingDelayedTasksAfterShutdownPolicy(true);
    return one;
  }

  ScheduledExecutorService scheduler() {
    return scheduler;
  }

  /**
   * Ends the thread once the time-outs of waiting requests have run; does nothing to a given
   * scheduler.
   */
  void close() {
    if (own) {
      scheduler.shutdown();
    }
  }
}

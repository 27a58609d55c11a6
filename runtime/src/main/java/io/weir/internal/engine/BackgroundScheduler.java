package io.weir.internal.engine;

import io.weir.internal.threads.DaemonThreads;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/**
 * Runs what no request waits for: ends of waits, flushes, heartbeats. Either in the scheduler that
 * was given, or in one daemon thread of its own, which starts when it is first needed, so that a
 * store in this process never has one.
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
        DaemonThreads.scheduler(DaemonThreads.named("weir-background"), 1);
    one.setExecuteExistingDelayedTasksAfterShutdownPolicy(true); // time-outs that are still due
    return one;
  }

  ScheduledExecutorService scheduler() {
    return scheduler;
  }

  /** Ends the thread when the last request that is being waited for is decided. */
  void close() {
    if (own) {
      scheduler.shutdown();
    }
  }
}

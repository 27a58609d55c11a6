package io.weir.internal.engine;

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
        new ScheduledThreadPoolExecutor(1, BackgroundScheduler::thread);
    one.setRemoveOnCancelPolicy(true);
    return one;
  }

  // A request starts it, and none of that request's things may stay with it: neither its
  // application's class loader nor what its thread hands down.
  private static Thread thread(Runnable work) {
    Thread thread = new Thread(null, work, "weir-background", 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(BackgroundScheduler.class.getClassLoader());
    return thread;
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

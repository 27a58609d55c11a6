package io.weir.internal.writeback;

import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Runs things later on the given scheduler. Nothing that is thrown in there ends anything else.
 *
 * <p>Safe for concurrent use.
 *
 * @param scheduler whose threads run them
 * @param reports is told what was thrown
 */
record SafeScheduler(ScheduledExecutorService scheduler, SafeStoreListener reports) {

  /** Runs a step after a while; never if the scheduler has been shut down. */
  void after(long micros, Runnable step) {
    Future<?> unused = alarm(micros, step);
  }

  /** The same, if it isn't cancelled before. */
  Future<?> alarm(long micros, Runnable step) {
    try {
      return scheduler.schedule(() -> run(step), micros, TimeUnit.MICROSECONDS);
    } catch (RejectedExecutionException closed) {
      return new FutureTask<>(step, null);
    }
  }

  private void run(Runnable step) {
    try {
      step.run();
    } catch (Throwable mistake) { // an Error too: the flusher must outlive it
      reports.failed(mistake);
    }
  }
}

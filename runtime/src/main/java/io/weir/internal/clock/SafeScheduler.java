package io.weir.internal.clock;

import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs tasks later on a scheduler. An exception of one task affects no other.
 *
 * <p>Safe for concurrent use.
 */
public final class SafeScheduler {
  private final ScheduledExecutorService scheduler;
  private final Consumer<Throwable> failed;

  /** Has {@code failed} receive what a task throws. */
  public SafeScheduler(ScheduledExecutorService scheduler, Consumer<Throwable> failed) {
    this.scheduler = scheduler;
    this.failed = failed;
  }

  /** Does nothing if the scheduler has been shut down. */
  public void runAfter(long micros, Runnable task) {
    Future<?> unused = schedule(micros, task);
  }

  public Future<?> schedule(long micros, Runnable task) {
    try {
      return scheduler.schedule(() -> run(task), micros, TimeUnit.MICROSECONDS);
    } catch (RejectedExecutionException closed) {
      return new FutureTask<>(task, null);
    }
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable mistake) { // an Error too: flushes must go on
      failed.accept(mistake);
    }
  }
}

package io.weir.internal.threads;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Repeats one task on a daemon thread of its own until it is closed, even if the task throws.
 *
 * <p>Safe for concurrent use.
 */
public final class PeriodicTask implements AutoCloseable {
  private final ScheduledExecutorService thread;

  private PeriodicTask(ScheduledExecutorService thread) {
    this.thread = thread;
  }

  /**
   * Starts a task on a thread of its own.
   *
   * @param first the time from now to the first run; may be zero
   * @param pause the time from the end of a run to the next one
   * @param task reports its own failures; what still escapes from it is logged
   */
  public static PeriodicTask start(
      ThreadFactory factory, Duration first, Duration pause, Runnable task) {
    return start(DaemonThreadFactory.scheduler(factory, 1), first, pause, task);
  }

  /**
   * Starts a task.
   *
   * @param thread runs nothing else, and is shut down with the task
   * @param first the time from now to the first run; may be zero
   * @param pause the time from the end of a run to the next one
   * @param task reports its own failures
   */
  public static PeriodicTask start(
      ScheduledExecutorService thread, Duration first, Duration pause, Runnable task) {
    PeriodicTask periodic = new PeriodicTask(thread);
    var unused =
        periodic.thread.scheduleWithFixedDelay(
            task, first.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
    return periodic;
  }

  public boolean isClosed() {
    return thread.isShutdown();
  }

  /** Ends the task, and interrupts a run that is under way. Idempotent. */
  @Override
  public void close() {
    thread.shutdownNow();
  }

  /** Ends the task, and waits for a run that is under way. */
  public void closeAndWait(Duration patience) {
    close();
    try {
      boolean unused = thread.awaitTermination(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

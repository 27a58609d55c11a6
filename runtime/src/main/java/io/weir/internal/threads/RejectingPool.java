package io.weir.internal.threads;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs tasks on a fixed number of threads, which start when there is work and end after being idle
 * for a while. Rejects a task if too many wait, and also if no thread can be started, because a
 * limit of processes or of memory is reached: Java's pools throw an Error then, for which no caller
 * is prepared, so that whatever waits for the task would wait for good.
 *
 * <p>Safe for concurrent use.
 */
public final class RejectingPool extends ThreadPoolExecutor {
  /**
   * Makes a pool without threads.
   *
   * @param threads the number of threads, at least 1
   * @param maxWaiting the number of tasks that may wait for a thread, at least 1
   * @param idle the time after which an idle thread ends
   */
  public RejectingPool(ThreadFactory factory, int threads, int maxWaiting, Duration idle) {
    super(
        threads,
        threads,
        idle.toNanos(),
        TimeUnit.NANOSECONDS,
        new LinkedBlockingQueue<>(maxWaiting),
        factory);
    allowCoreThreadTimeOut(true);
  }

  /** Rejects a task that won't run; with the Error as the cause if no thread could be started. */
  @Override
  public void execute(Runnable task) {
    try {
      super.execute(task);
    } catch (OutOfMemoryError noThread) {
      remove(task); // it may have been queued before
      throw new RejectedExecutionException("no thread can be started", noThread);
    }
  }
}

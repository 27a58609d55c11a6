package io.weir.internal.rules.threads;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads that an application needn't wait for when it ends. Safe for concurrent use. */
public final class DaemonThreads {
  private static final long IDLE_SECONDS = 5;

  private DaemonThreads() {}

  /**
   * Makes threads of one name.
   *
   * @param name {@code weir-rules}, and what they do
   * @return the factory
   */
  public static ThreadFactory named(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /**
   * Threads for work that comes again and again; what is delayed ends with the scheduler. No
   * failure ends a task that is repeated: it is logged, and the task runs again.
   *
   * @param name {@code weir-rules}, and what they do
   * @param threads how many
   * @return a scheduler, which the caller shuts down
   */
  public static ScheduledThreadPoolExecutor scheduler(String name, int threads) {
    ScheduledThreadPoolExecutor scheduler = new RepeatingScheduler(name, threads);
    scheduler.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    return scheduler;
  }

  /**
   * As many threads as there is work at once; idle ones end after some seconds.
   *
   * @param name {@code weir-rules}, and what they do
   * @return an executor, which nobody needs to shut down
   */
  public static ExecutorService cached(String name) {
    return new ThreadPoolExecutor(
        0,
        Integer.MAX_VALUE,
        IDLE_SECONDS,
        TimeUnit.SECONDS,
        new SynchronousQueue<>(),
        named(name));
  }
}

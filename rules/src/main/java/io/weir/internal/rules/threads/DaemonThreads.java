package io.weir.internal.rules.threads;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;

/** Threads that an application needn't wait for when it ends. Safe for concurrent use. */
public final class DaemonThreads {
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
   * Threads for work that comes again and again; what is delayed ends with the scheduler.
   *
   * @param name {@code weir-rules}, and what they do
   * @param threads how many
   * @return a scheduler, which the caller shuts down
   */
  public static ScheduledThreadPoolExecutor scheduler(String name, int threads) {
    ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(threads, named(name));
    scheduler.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    return scheduler;
  }
}

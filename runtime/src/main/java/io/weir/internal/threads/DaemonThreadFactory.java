package io.weir.internal.threads;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Makes daemon threads, which don't keep a JVM alive. They inherit no thread-locals from the thread
 * that starts them, which may be serving a request.
 *
 * <p>Safe for concurrent use.
 */
public final class DaemonThreadFactory {
  private static final long IDLE_SECONDS = 5;

  private DaemonThreadFactory() {}

  /**
   * Makes threads for Weir's own work. Their context class loader is Weir's own, so that they don't
   * keep a stopped application in memory.
   *
   * @param name of each thread; begins with {@code weir}
   */
  public static ThreadFactory named(String name) {
    return factory(name, DaemonThreadFactory.class.getClassLoader());
  }

  /**
   * Makes threads that call an application's code, such as its database driver or its listeners.
   * Their context class loader is the one of the thread that calls this method.
   *
   * @param name of each thread; begins with {@code weir}
   */
  public static ThreadFactory ofApplication(String name) {
    return factory(name, Thread.currentThread().getContextClassLoader());
  }

  private static ThreadFactory factory(String name, ClassLoader context) {
    return work -> {
      Thread thread = new Thread(null, work, name, 0, false);
      thread.setDaemon(true);
      thread.setContextClassLoader(context);
      return thread;
    };
  }

  /**
   * Makes a scheduler that repeats a task even if it throws: the failure is logged, and the task
   * runs again. Cancelled tasks are removed at once, and delayed tasks don't run after a shutdown.
   * The first thread starts when it is needed; the caller shuts the scheduler down.
   *
   * @param threads the number of threads, at least 1
   */
  public static ScheduledThreadPoolExecutor scheduler(ThreadFactory factory, int threads) {
    ScheduledThreadPoolExecutor scheduler = new RepeatingScheduler(factory, threads);
    scheduler.setRemoveOnCancelPolicy(true);
    scheduler.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    return scheduler;
  }

  /**
   * Makes an executor that starts a thread for each task that finds none idle; idle threads end
   * after five seconds, so it need not be shut down.
   */
  public static ExecutorService cached(ThreadFactory factory) {
    return new ThreadPoolExecutor(
        0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
  }
}

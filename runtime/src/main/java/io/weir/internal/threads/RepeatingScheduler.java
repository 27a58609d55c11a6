package io.weir.internal.threads;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Repeats tasks even if they throw, whereas Java's scheduler drops a task for good once it has
 * thrown. Tasks report their own failures; what still escapes from one is an error, or comes from
 * the logger that it reports to.
 *
 * <p>Safe for concurrent use.
 */
final class RepeatingScheduler extends ScheduledThreadPoolExecutor {
  private static final Logger LOG = System.getLogger("io.weir");

  RepeatingScheduler(ThreadFactory factory, int threads) {
    super(threads, factory);
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable task, long first, long pause, TimeUnit unit) {
    return super.scheduleWithFixedDelay(() -> run(task), first, pause, unit);
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable task, long first, long period, TimeUnit unit) {
    return super.scheduleAtFixedRate(() -> run(task), first, period, unit);
  }

  private static void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable unreported) { // Java's scheduler would drop the task for an Error as well
      report(unreported);
    }
  }

  private static void report(Throwable unreported) {
    try {
      LOG.log(
          Level.ERROR,
          "A task of the thread " + Thread.currentThread().getName() + " failed; it will run again",
          unreported);
    } catch (Throwable broken) {
      // The logger itself is broken: there is nowhere left to report it.
    }
  }
}

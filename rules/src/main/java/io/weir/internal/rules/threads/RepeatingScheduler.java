package io.weir.internal.rules.threads;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Repeats tasks whatever they throw: Java's scheduler drops a task for good once it has thrown.
 * Tasks report their failures themselves; what still comes out of one is an error, or the logger
 * that it reports to.
 *
 * <p>Safe for concurrent use.
 */
final class RepeatingScheduler extends ScheduledThreadPoolExecutor {
  private static final Logger LOG = System.getLogger("io.weir");

  private final String name;

  RepeatingScheduler(String name, int threads) {
    super(threads, DaemonThreads.named(name));
    this.name = name;
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

  private void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error unreported) {
      report(unreported);
    }
  }

  private void report(Throwable unreported) {
    try {
      LOG.log(Level.ERROR, "A task of " + name + " failed; it is run again", unreported);
    } catch (RuntimeException | Error broken) {
      // The logger itself: there is nowhere left to report it.
    }
  }
}

package io.weir.internal.server.threads;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs a task again and again on a daemon thread of its own, until it is closed. No failure ends
 * it: Java's scheduler drops a task for good once it has thrown.
 *
 * <p>Safe for concurrent use.
 */
public final class PeriodicTask implements AutoCloseable {
  private static final Logger LOG = System.getLogger("io.weir");

  private final String name;
  private final Runnable task;
  private final ScheduledThreadPoolExecutor thread;

  private PeriodicTask(String name, Runnable task) {
    this.name = name;
    this.task = task;
    this.thread =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread daemon = new Thread(work, name);
              daemon.setDaemon(true);
              return daemon;
            });
  }

  /**
   * Starts it.
   *
   * @param name of the thread
   * @param first when the task runs for the first time, from now; may be zero
   * @param pause from the end of a run to the next one
   * @param task reports its failures itself; what still comes out of it is logged
   * @return ends it when it is closed
   */
  public static PeriodicTask start(String name, Duration first, Duration pause, Runnable task) {
    PeriodicTask periodic = new PeriodicTask(name, task);
    var unused =
        periodic.thread.scheduleWithFixedDelay(
            periodic::run, first.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
    return periodic;
  }

  private void run() {
    try {
      task.run();
    } catch (RuntimeException | Error unreported) {
      report(unreported);
    }
  }

  private void report(Throwable unreported) {
    try {
      LOG.log(
          Level.ERROR, "The task of the thread " + name + " failed; it is run again", unreported);
    } catch (RuntimeException | Error broken) {
      // The logger itself: there is nowhere left to report it.
    }
  }

  /** Whether it has been closed. */
  public boolean isClosed() {
    return thread.isShutdown();
  }

  /** Ends it, and interrupts a run that is under way. Idempotent. */
  @Override
  public void close() {
    thread.shutdownNow();
  }

  /**
   * Ends it, and waits for a run that is under way.
   *
   * @param patience how long at most
   */
  public void closeAndWait(Duration patience) {
    close();
    try {
      boolean unused = thread.awaitTermination(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

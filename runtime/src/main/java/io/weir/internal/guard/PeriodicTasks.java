package io.weir.internal.guard;

import io.weir.Weir;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Runs the tasks of a {@link WeirRuntime} every few seconds. A task that fails is run again next
 * time; each failure is logged once.
 *
 * <p>Safe for concurrent use.
 */
final class PeriodicTasks implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Weir.class.getName());

  /** Settings take effect when read the same twice: so this is often enough for 10 s at most. */
  private static final long PERIOD_SECONDS = 3;

  private final ScheduledExecutorService scheduler;
  private final Future<?> round;

  /** Logged already. Only the thread of the tasks adds to it. */
  private final Set<String> failures = new HashSet<>();

  /** Starts the tasks; the scheduler is shut down at the end. */
  PeriodicTasks(ScheduledExecutorService scheduler, List<Runnable> tasks) {
    this.scheduler = scheduler;
    this.round =
        scheduler.scheduleWithFixedDelay(
            () -> tasks.forEach(this::run), PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
  }

  /** Catches everything: an executor drops for good what throws once. */
  private void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable broken) { // an Error too
      report(broken);
    }
  }

  /** The logger may be what is broken, or the failure can't even say what it is. */
  private void report(Throwable broken) {
    try {
      if (failures.add(broken.toString())) {
        LOG.log(System.Logger.Level.ERROR, "A periodic task failed; it is tried again", broken);
      }
    } catch (Throwable unreported) {
      failures.clear(); // the next failure is reported; one without text as well
    }
  }

  /**
   * A daemon that takes nothing over from the request that starts it: neither its application's
   * class loader, so that it keeps nothing of a stopped application, nor what its thread hands
   * down.
   */
  static Thread thread(Runnable work) {
    Thread thread = new Thread(null, work, "weir", 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(WeirRuntime.class.getClassLoader());
    return thread;
  }

  /** A scheduler of one thread, which starts when it is first needed. */
  static ScheduledExecutorService newScheduler() {
    return Executors.newSingleThreadScheduledExecutor(PeriodicTasks::thread);
  }

  @Override
  public void close() {
    round.cancel(false);
    scheduler.shutdownNow();
  }
}

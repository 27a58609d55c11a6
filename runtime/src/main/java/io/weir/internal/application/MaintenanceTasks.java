package io.weir.internal.application;

import io.weir.Weir;
import io.weir.internal.threads.DaemonThreadFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs the tasks of a {@link WeirRuntime} every few seconds. A task that fails runs again next
 * time; each failure is logged once.
 *
 * <p>Confine to one thread until the start; afterwards safe for concurrent use.
 */
final class MaintenanceTasks implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Weir.class.getName());

  /** Settings take effect when read the same twice, so within 10 s. */
  private static final long PERIOD_SECONDS = 3;

  private final ScheduledExecutorService scheduler;
  private final Runnable last;
  private final List<Runnable> tasks = new ArrayList<>();
  private Optional<Future<?>> round = Optional.empty();

  /** The failures that were logged. Only the thread of the tasks adds to it. */
  private final Set<String> failures = new HashSet<>();

  /**
   * Makes a list of one task, which runs after those that are added.
   *
   * @param scheduler is shut down when this is closed
   */
  MaintenanceTasks(ScheduledExecutorService scheduler, Runnable last) {
    this.scheduler = scheduler;
    this.last = last;
  }

  /** Adds a task, before the start. */
  MaintenanceTasks add(Runnable task) {
    tasks.add(task);
    return this;
  }

  void start() {
    List<Runnable> all = Stream.concat(tasks.stream(), Stream.of(last)).toList();
    round =
        Optional.of(
            scheduler.scheduleWithFixedDelay(
                () -> all.forEach(this::run), PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS));
  }

  ScheduledExecutorService scheduler() {
    return scheduler;
  }

  /** Catches everything, since an executor drops a task for good once it has thrown. */
  private void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable broken) { // an Error too
      report(broken);
    }
  }

  /** Survives a logger that throws, and a failure whose text can't be made. */
  private void report(Throwable broken) {
    try {
      if (failures.add(broken.toString())) {
        LOG.log(System.Logger.Level.ERROR, "A periodic task failed; it will run again", broken);
      }
    } catch (Throwable unreported) {
      failures.clear(); // the next failure is reported; one without text as well
    }
  }

  /** Makes a scheduler of one thread, which starts when it is first needed. */
  static ScheduledExecutorService newScheduler() {
    return DaemonThreadFactory.scheduler(DaemonThreadFactory.named("weir"), 1);
  }

  @Override
  public void close() {
    round.ifPresent(each -> each.cancel(false));
    scheduler.shutdownNow();
  }
}

package io.weir.internal.rules.maintenance;

import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.rules.problem.RulesUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Repeats tasks one at a time, in a thread of its own, while this node is the leader.
 *
 * <p>Safe for concurrent use.
 */
public final class LeaderTasks implements AutoCloseable {
  private static final Logger LOG = System.getLogger("io.weir");

  private final Leadership leadership;
  private final ScheduledThreadPoolExecutor thread;

  public LeaderTasks(Leadership leadership) {
    this.leadership = leadership;
    this.thread =
        DaemonThreadFactory.scheduler(DaemonThreadFactory.ofApplication("weir-rules-purge"), 1);
  }

  /**
   * Repeats a task. A failure is logged, and the task runs again the next time.
   *
   * @param first the time from now to the first run
   * @param pause the time from the end of a run to the next one
   */
  public void repeat(Duration first, Duration pause, Runnable task) {
    var unused =
        thread.scheduleWithFixedDelay(
            () -> run(task), first.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void run(Runnable task) {
    try {
      if (leadership.isLeader()) {
        task.run();
      }
    } catch (RulesUnavailableException away) {
      LOG.log(Level.DEBUG, "rules: old rows aren't deleted now: " + away.getMessage());
    } catch (RuntimeException | Error mistake) {
      LOG.log(Level.ERROR, "rules: old rows can't be deleted", mistake);
    }
  }

  /** Stops all tasks. Idempotent. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}

package io.weir.testkit.virtual;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Schedules the tasks of one machine on a {@link VirtualTime}: measures delays by the machine's
 * clock and hands due tasks to the machine, which may be paused or gone.
 *
 * <p>Tasks run on the one thread that lets time pass. Waiting for one would never end.
 *
 * <p>Confine to one thread.
 */
public final class VirtualScheduler extends AbstractExecutorService
    implements ScheduledExecutorService {
  private final VirtualTime time;
  private final VirtualClock clock;
  private final Executor machine;
  private boolean shutdown;

  /**
   * A scheduler with a perfect clock, whose machine always runs.
   *
   * @param time what passes
   */
  public VirtualScheduler(VirtualTime time) {
    this(time, new VirtualClock(time, 0, 0, 0), Runnable::run);
  }

  /**
   * The scheduler of a machine.
   *
   * @param time what really passes
   * @param clock what measures delays
   * @param machine runs what is due: at once, later or never
   */
  public VirtualScheduler(VirtualTime time, VirtualClock clock, Executor machine) {
    this.time = time;
    this.clock = clock;
    this.machine = machine;
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    return plan(new VirtualTask<>(this, command, 0), unit.toNanos(delay));
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
    return plan(new VirtualTask<>(this, callable), unit.toNanos(delay));
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable command, long initialDelay, long period, TimeUnit unit) {
    return periodic(command, initialDelay, period, unit);
  }

  /** As {@link #scheduleAtFixedRate}: tasks take no time here. */
  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable command, long initialDelay, long delay, TimeUnit unit) {
    return periodic(command, initialDelay, delay, unit);
  }

  private ScheduledFuture<?> periodic(Runnable command, long delay, long period, TimeUnit unit) {
    if (period <= 0) {
      throw new IllegalArgumentException("period must be more than zero, not " + period);
    }
    return plan(new VirtualTask<>(this, command, unit.toNanos(period)), unit.toNanos(delay));
  }

  private <V> VirtualTask<V> plan(VirtualTask<V> task, long nanos) {
    again(task, Math.max(0, nanos));
    return task;
  }

  void again(VirtualTask<?> task, long nanos) {
    if (shutdown) {
      task.cancel(false);
    } else {
      long micros = clock.real(nanos);
      task.planned(time.after(micros, () -> machine.execute(task)), clock.nanoTime() + nanos);
    }
  }

  long nanoTime() {
    return clock.nanoTime();
  }

  @Override
  public void execute(Runnable command) {
    again(new VirtualTask<>(this, command, 0), 0);
  }

  /** Accepts no more tasks; a repeated task is cancelled when it would be planned again. */
  @Override
  public void shutdown() {
    shutdown = true;
  }

  @Override
  public List<Runnable> shutdownNow() {
    shutdown = true;
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return shutdown;
  }

  @Override
  public boolean isTerminated() {
    return shutdown;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return shutdown;
  }
}

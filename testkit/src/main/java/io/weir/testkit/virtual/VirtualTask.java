package io.weir.testkit.virtual;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A task of a {@link VirtualScheduler}, which runs once or again and again.
 *
 * @param <V> the type of its result
 */
final class VirtualTask<V extends @Nullable Object> extends FutureTask<V>
    implements ScheduledFuture<V> {
  private final VirtualScheduler scheduler;
  private final long period;
  private Optional<VirtualEvent> event = Optional.empty();
  private long due;

  VirtualTask(VirtualScheduler scheduler, Callable<V> work) {
    super(work);
    this.scheduler = scheduler;
    this.period = 0;
  }

  @SuppressWarnings("NullAway") // a Runnable has no result
  VirtualTask(VirtualScheduler scheduler, Runnable work, long period) {
    super(work, null);
    this.scheduler = scheduler;
    this.period = period;
  }

  void planned(VirtualEvent at, long dueNanos) {
    event = Optional.of(at);
    due = dueNanos;
  }

  @Override
  public void run() {
    if (period == 0) {
      super.run();
    } else if (runAndReset()) {
      // What a pause has let pile up isn't made up for.
      scheduler.again(this, Math.max(1, due + period - scheduler.nanoTime()));
    }
  }

  @Override
  protected void done() {
    if (isCancelled()) {
      event.ifPresent(VirtualEvent::cancel);
    }
  }

  @Override
  public long getDelay(TimeUnit unit) {
    return unit.convert(due - scheduler.nanoTime(), TimeUnit.NANOSECONDS);
  }

  @Override
  public int compareTo(Delayed other) {
    return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
  }
}

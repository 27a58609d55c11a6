package io.weir.internal.writeback;

import io.weir.internal.clock.SafeScheduler;
import io.weir.internal.permits.StoreListener;
import io.weir.internal.writeback.channel.SafeStoreListener;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A scheduler whose alarms go off when the test says so, also those that were cancelled: which an
 * alarm may do that goes off at that moment.
 */
public final class HandTimers extends AbstractExecutorService implements ScheduledExecutorService {
  private static final ScheduledFuture<?> ALARM = new Alarm();

  /** Ignores all events. */
  public static final SafeStoreListener NOBODY = new SafeStoreListener(new Deaf());

  private final Queue<Runnable> alarms = new ConcurrentLinkedQueue<>();

  public SafeScheduler scheduler() {
    return new SafeScheduler(this, NOBODY::failed);
  }

  /** Lets the oldest alarm go off; false if there is none. */
  public boolean ring() {
    Runnable oldest = alarms.poll();
    if (oldest != null) {
      oldest.run();
    }
    return oldest != null;
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable step, long delay, TimeUnit unit) {
    alarms.add(step);
    return ALARM;
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> step, long delay, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable step, long delay, long period, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable step, long delay, long period, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void execute(Runnable step) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void shutdown() {}

  @Override
  public List<Runnable> shutdownNow() {
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean awaitTermination(long wait, TimeUnit unit) {
    return false;
  }

  /** Can't be stopped. */
  private static final class Alarm implements ScheduledFuture<Object> {
    @Override
    public boolean cancel(boolean interrupts) {
      return false;
    }

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public boolean isDone() {
      return false;
    }

    @Override
    public Object get() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Object get(long wait, TimeUnit unit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return 0;
    }

    @Override
    public int compareTo(Delayed other) {
      return 0;
    }
  }

  private static final class Deaf implements StoreListener {
    @Override
    public void storeExecuted(int claims, long nanos) {}

    @Override
    public void failed(Throwable cause) {}

    @Override
    public void answered() {}
  }
}

package io.weir.benchmarks.redis;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler that runs everything in time but the flush, which it runs on request; so that what
 * there is to flush can be made first, and only the flush be measured.
 *
 * <p>Safe for concurrent use.
 */
final class HeldFlush extends ScheduledThreadPoolExecutor {
  private final long flushNanos;
  private final AtomicReference<@Nullable Runnable> held = new AtomicReference<>();

  /** Holds back what is to run after exactly the flush interval. */
  HeldFlush(long flushNanos) {
    super(1, Executors.defaultThreadFactory());
    this.flushNanos = flushNanos;
    setRemoveOnCancelPolicy(true);
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    if (unit.toNanos(delay) != flushNanos) {
      return super.schedule(command, delay, unit);
    }
    held.set(command);
    return super.schedule(() -> {}, 0, unit);
  }

  /** Runs the flush in this scheduler's thread. */
  void flush() {
    Runnable flush = held.getAndSet(null);
    if (flush == null) {
      throw new IllegalStateException("there is no flush to run");
    }
    execute(flush);
  }
}

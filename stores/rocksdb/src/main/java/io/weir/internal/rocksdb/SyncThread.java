package io.weir.internal.rocksdb;

import io.weir.internal.threads.DaemonThreadFactory;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Syncs at a fixed interval, and ahead of time on request. It goes on whatever a sync throws.
 *
 * <p>Safe for concurrent use.
 */
final class SyncThread implements AutoCloseable {
  private final ScheduledThreadPoolExecutor executor =
      DaemonThreadFactory.scheduler(DaemonThreadFactory.named("weir-rocksdb-sync"), 1);
  private final AtomicBoolean isAsked = new AtomicBoolean();
  private final Runnable sync;

  /** Waits for {@code interval} from the end of a sync to the next one. */
  SyncThread(Duration interval, Runnable sync) {
    this.sync = sync;
    var unused =
        executor.scheduleWithFixedDelay(
            this::run, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void run() {
    isAsked.set(false);
    try {
      sync.run();
    } catch (RuntimeException | Error unreported) {
      // It couldn't be reported either, because a logger throws, for example. The next sync is
      // still needed.
    }
  }

  /** Syncs as soon as it can. */
  void syncSoon() {
    if (isAsked.compareAndSet(false, true)) {
      try {
        executor.execute(this::run);
      } catch (RejectedExecutionException closed) {
        // the closing thread syncs
      }
    }
  }

  @Override
  public void close() {
    executor.shutdown();
  }
}

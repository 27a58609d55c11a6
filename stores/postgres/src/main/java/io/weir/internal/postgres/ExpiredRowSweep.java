package io.weir.internal.postgres;

import io.weir.internal.threads.DaemonThreadFactory;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Removes expired rows: it walks through the keys in slices, again and again, faster while it finds
 * much. All nodes do so, each in a part of the time, so that it goes on whichever of them live.
 *
 * <p>Safe for concurrent use.
 */
final class ExpiredRowSweep implements AutoCloseable {
  /**
   * How long rows must have expired: longer than a statement may be under way, and longer than a
   * node compares what it remembers of them.
   */
  static final long MARGIN_MICROS = 60_000_000;

  private static final int SLICE = 2_000;
  private static final int MUCH = SLICE / 10;
  private static final long SOON_MILLIS = 100;
  private static final long USUAL_MILLIS = 1_000;

  private final Function<PostgresWorkers.Task<Integer>, CompletionStage<Integer>> workers;
  private final BucketTable table;
  private final ScheduledExecutorService timer =
      DaemonThreadFactory.scheduler(DaemonThreadFactory.ofApplication("weir-postgres-sweep"), 1);
  private final AtomicBoolean started = new AtomicBoolean();
  private volatile int nodes = 1;
  private byte[] position = BucketKeyEncoder.first();

  /**
   * Sweeps nothing yet.
   *
   * @param workers work with the database; may throw
   */
  ExpiredRowSweep(
      Function<PostgresWorkers.Task<Integer>, CompletionStage<Integer>> workers,
      BucketTable table) {
    this.workers = workers;
    this.table = table;
  }

  /** Begins, once. */
  void start() {
    if (started.compareAndSet(false, true)) {
      later(USUAL_MILLIS);
    }
  }

  /** Divides the work among so many nodes. */
  void shareAmong(int live) {
    nodes = live;
  }

  private void later(long millis) {
    if (!timer.isShutdown()) {
      var unused = timer.schedule(this::next, millis * nodes, TimeUnit.MILLISECONDS);
    }
  }

  private void next() {
    try {
      var unused =
          workers
              .apply(session -> sweep(session, MARGIN_MICROS))
              .whenComplete(
                  (removed, failure) ->
                      later(failure == null && removed > MUCH ? SOON_MILLIS : USUAL_MILLIS));
    } catch (RuntimeException | Error noThread) { // or nothing would ever be removed again
      later(USUAL_MILLIS);
    }
  }

  /** Removes the expired rows of the next slice; returns their number. */
  int sweep(PostgresSession session, long margin) throws SQLException {
    byte[] from = position();
    BucketTable.SweptSlice swept = table.sweep(session, from, SLICE, margin);
    byte[] last = swept.last();
    synchronized (this) {
      position = last == null ? BucketKeyEncoder.first() : last;
    }
    return swept.removed();
  }

  private synchronized byte[] position() {
    return Arrays.copyOf(position, position.length);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}

package io.weir.internal.postgres;

import io.weir.internal.store.StoreFailureLog;
import io.weir.internal.store.StoreUnavailableException;
import io.weir.internal.threads.DaemonThreadFactory;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

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

  private static final int MOST_ROWS = 2_000;
  private static final int LEAST_ROWS = 10;

  /** The rows by which a slice grows again after one that took no longer than a statement may. */
  private static final int GROWTH = 50;

  /** The part of a slice that is much. */
  private static final int MUCH = 10;

  private static final long SOON_MILLIS = 100;
  private static final long USUAL_MILLIS = 1_000;

  private final PostgresWorkers workers;
  private final BucketTable table;
  private final PostgresSettings settings;
  private final StoreFailureLog log;
  private final ScheduledExecutorService timer =
      DaemonThreadFactory.scheduler(DaemonThreadFactory.ofApplication("weir-postgres-sweep"), 1);
  private final AtomicBoolean started = new AtomicBoolean();
  private final AtomicBoolean refused = new AtomicBoolean();
  private volatile int nodes = 1;
  private volatile int slice = MOST_ROWS;
  private byte[] position = BucketKeyEncoder.first();

  ExpiredRowSweep(
      PostgresWorkers workers, BucketTable table, PostgresSettings settings, StoreFailureLog log) {
    this.workers = workers;
    this.table = table;
    this.settings = settings;
    this.log = log;
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
    int much = slice / MUCH;
    var unused =
        workers
            .submit(session -> sweep(session, MARGIN_MICROS))
            .whenComplete(
                (removed, failure) ->
                    later(failure == null && removed > much ? SOON_MILLIS : USUAL_MILLIS));
  }

  /** Removes the expired rows of the next slice; returns their number. */
  int sweep(PostgresSession session, long margin) throws SQLException {
    byte[] from = position();
    BucketTable.SweptSlice swept = slice(session, from, margin);
    byte[] last = swept.last();
    synchronized (this) {
      position = last == null ? BucketKeyEncoder.first() : last;
    }
    return swept.removed();
  }

  /** Sweeps as many rows as the server gets through in the time of a statement. */
  private BucketTable.SweptSlice slice(PostgresSession session, byte[] from, long margin)
      throws SQLException {
    int most = slice;
    try {
      BucketTable.SweptSlice swept = table.sweep(session, from, most, margin);
      slice = Math.min(MOST_ROWS, most + GROWTH);
      return swept;
    } catch (SQLException failure) {
      if (Failures.isTimeOut(failure)) {
        slice = Math.max(LEAST_ROWS, most / 2);
      }
      if (Failures.isWithoutRight(failure)) { // claims may work all the same
        throw withoutRight(failure);
      }
      throw failure;
    }
  }

  private StoreUnavailableException withoutRight(SQLException failure) {
    if (refused.compareAndSet(false, true)) {
      log.warn(
          log
              + ": expired rows aren't deleted, since its user may not do so (logged once). Run as the"
              + " owner of"
              + " the table, with the user's name instead of WEIR_USER:\n"
              + settings.grants()
              + "\nOr delete them yourself, and set weir.store.postgres.sweep=false.");
    }
    return new StoreUnavailableException(Failures.text(failure));
  }

  private synchronized byte[] position() {
    return Arrays.copyOf(position, position.length);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}

package io.weir.internal.rocksdb;

import io.weir.Ticker;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Logs failures of a database, and their ends, without repeating itself. It goes on whatever the
 * logger throws: claims wait, and the database must be closed at the end.
 *
 * <p>Safe for concurrent use, except as methods say.
 */
final class DatabaseFailureLog {
  private static final System.Logger LOG = System.getLogger("io.weir");
  private static final long REPORT_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Path directory;
  private final Ticker ticker;
  private volatile boolean isUnsynced;
  private boolean isReopened;
  private long reportedAt;

  DatabaseFailureLog(Path directory, Ticker ticker) {
    this.directory = directory;
    this.ticker = ticker;
    this.reportedAt = ticker.nanoTime() - REPORT_NANOS;
  }

  /** Notes that the database was reopened after a failure; for the writing thread. */
  void noteReopened() {
    isReopened = true;
  }

  /**
   * Notes a successful write; for the writing thread. Logs the first one after a reopening, at most
   * once a minute: the next one may fail again.
   */
  void noteWritten() {
    if (isReopened && ticker.nanoTime() - reportedAt >= REPORT_NANOS) {
      reportedAt = ticker.nanoTime();
      log(System.Logger.Level.INFO, "the RocksDB in " + directory + " can be written again");
    }
    isReopened = false;
  }

  /** Notes a successful sync, and logs the first one after a failure. */
  void noteSynced() {
    if (isUnsynced) {
      isUnsynced = false;
      log(System.Logger.Level.INFO, "the RocksDB in " + directory + " is synced again");
    }
  }

  /** Notes a failed sync, and logs the first one. */
  void noteUnsynced(DatabaseException reason) {
    if (!isUnsynced) {
      isUnsynced = true;
      log(
          System.Logger.Level.WARNING,
          "weir.rocksdb.sync-ms: a sync has failed, so until one succeeds a power cut may lose writes"
              + " older than this interval (logged once): "
              + reason.getMessage());
    }
  }

  /** Returns whether the last sync succeeded. */
  boolean isSynced() {
    return !isUnsynced;
  }

  /** Logs that changes in the journal couldn't be written to the database. */
  void couldNotSave(Throwable reason) {
    log(
        System.Logger.Level.WARNING,
        "the journal couldn't be written to the database and is kept for the next start: "
            + reason.getMessage());
  }

  private static void log(System.Logger.Level level, String text) {
    try {
      LOG.log(level, text);
    } catch (RuntimeException | Error broken) {
      // There is nowhere left to report it.
    }
  }
}

package io.weir.internal.rocksdb;

import java.nio.file.Path;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * Thrown if the files can't be read or written. The message names the directory, the reason and
 * what to do.
 */
final class DatabaseException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private DatabaseException(String message, Throwable cause) {
    super(message, cause);
  }

  /** RocksDB refused. */
  static DatabaseException of(Path directory, RocksDBException cause) {
    return new DatabaseException(
        "weir.store: the RocksDB in " + directory + " " + reason(cause), cause);
  }

  /** The directory can't be made or used at all. */
  static DatabaseException of(Path directory, String reason, Throwable cause) {
    return new DatabaseException("weir.store: the RocksDB in " + directory + " " + reason, cause);
  }

  static DatabaseException closed(Path directory) {
    return new DatabaseException(
        "weir.store: the RocksDB in " + directory + " is closed", new IllegalStateException());
  }

  /** Too many claims are waiting. */
  static DatabaseException busy(Path directory) {
    return new DatabaseException(
        "weir.store: the RocksDB in " + directory + " can't keep up",
        new IllegalStateException("too many claims are waiting to be written"));
  }

  /** A stored value can't be read. */
  static DatabaseException unreadable(Path directory, RocksDBException cause) {
    return cause.getStatus() != null && cause.getStatus().getCode() == Status.Code.Corruption
        ? of(directory, cause)
        : of(directory, "can't be read: " + cause.getMessage(), cause);
  }

  /** Synced writes are missing. */
  static DatabaseException incomplete(Path directory) {
    return of(
        directory,
        damaged("its log ends before the last synced write"),
        new IllegalStateException("writes that were synced are missing"));
  }

  static DatabaseException damaged(Path directory, DamagedJournalException cause) {
    return of(directory, damaged(String.valueOf(cause.getMessage())), cause);
  }

  private static String damaged(String message) {
    return "is damaged and was left unchanged. Restore a copy, or move the directory away so that"
        + " all buckets begin full. ("
        + message
        + ")";
  }

  /** RocksDB has no code for a locked directory, and its message may end with any path. */
  private static boolean isLock(String message) {
    return message.startsWith("lock hold by current process")
        || message.startsWith("While lock file: ");
  }

  private static String reason(RocksDBException cause) {
    Status status = cause.getStatus();
    String message = String.valueOf(cause.getMessage());
    if (status == null) {
      return "can't be used: " + message;
    }
    if (status.getSubCode() == Status.SubCode.NoSpace) {
      return "has no space left on its disk: " + message;
    }
    if (status.getCode() == Status.Code.IOError && isLock(message)) {
      return "is in use: only one process can use a directory. (" + message + ")";
    }
    if (status.getCode() == Status.Code.Corruption) {
      return damaged(message);
    }
    return "can't be used: " + message;
  }
}

package io.weir.internal.cassandra;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Logs once what an operator has to fix, and once that it works again.
 *
 * <p>Safe for concurrent use.
 */
final class CassandraFailureLog {
  private static final Logger LOG = System.getLogger("io.weir");

  private final String cassandra;
  private final AtomicReference<@Nullable String> raised = new AtomicReference<>();

  CassandraFailureLog(String cassandra) {
    this.cassandra = cassandra;
  }

  /** Logs a failure that doesn't pass by itself. */
  void failed(String advice) {
    if (!advice.equals(raised.getAndSet(advice))) {
      log(
          Level.ERROR,
          cassandra
              + " can't be used by Weir: "
              + advice
              + "\nUntil then each policy decides by its onStoreFailure.");
    }
  }

  /** Logs that the connection works again. */
  void connected() {
    if (raised.getAndSet(null) != null) {
      log(Level.INFO, cassandra + " can be used by Weir again.");
    }
  }

  /** Logs a warning. */
  void warn(String text) {
    log(Level.WARNING, text);
  }

  /** Ignores exceptions of the log: an answer must not be lost because a disk is full. */
  private static void log(Level level, String text) {
    try {
      LOG.log(level, text);
    } catch (RuntimeException | LinkageError dropped) {
      // There is nowhere else to log it.
    }
  }
}

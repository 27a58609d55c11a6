package io.weir.internal.cassandra;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Says once in the log what somebody has to mend, and once that it is mended.
 *
 * <p>Safe for concurrent use.
 */
final class OnceLog {
  private static final Logger LOG = System.getLogger("io.weir");

  private final String cassandra;
  private final AtomicReference<@Nullable String> raised = new AtomicReference<>();

  OnceLog(String cassandra) {
    this.cassandra = cassandra;
  }

  /** Connecting failed in a way that doesn't pass by itself. */
  void failed(String advice) {
    if (!advice.equals(raised.getAndSet(advice))) {
      tell(
          Level.ERROR,
          cassandra
              + " doesn't count for Weir: "
              + advice
              + "\nUntil then policies decide by their onStoreFailure.");
    }
  }

  /** It is connected. */
  void connected() {
    if (raised.getAndSet(null) != null) {
      tell(Level.INFO, cassandra + " counts for Weir again.");
    }
  }

  /** Something to know. */
  void warn(String text) {
    tell(Level.WARNING, text);
  }

  /** Goes on whatever the log throws: an answer must not be lost because a disk is full. */
  private static void tell(Level level, String text) {
    try {
      LOG.log(level, text);
    } catch (RuntimeException | LinkageError dropped) {
      // There is nowhere left to say it.
    }
  }
}

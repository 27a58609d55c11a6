package io.weir.internal.postgres;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Logs once what an operator has to fix, and once that it works again.
 *
 * <p>A database that takes no writes still answers reads. So a failure counts as fixed only when a
 * statement succeeds and the failure hasn't occurred for a few seconds.
 *
 * <p>Safe for concurrent use.
 */
final class PostgresFailureLog {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final long CALM_MICROS = TimeUnit.SECONDS.toMicros(5);

  private final String postgres;
  private final StoreClock clock;

  /** When each failure occurred last, by the even clock in microseconds. */
  private final Map<String, Long> raised = new ConcurrentHashMap<>();

  private final AtomicBoolean unreadable = new AtomicBoolean();

  PostgresFailureLog(String postgres, StoreClock clock) {
    this.postgres = postgres;
    this.clock = clock;
  }

  /** Logs a failure that doesn't pass by itself. */
  void failed(String advice) {
    if (raised.put(advice, clock.evenMicros()) == null) {
      log(
          Level.ERROR,
          postgres
              + " can't be used by Weir: "
              + advice
              + "\nUntil then each policy decides by its onStoreFailure.");
    }
  }

  /** Logs that the database works again. */
  void connected() {
    if (!raised.isEmpty() && endCalm()) {
      log(Level.INFO, postgres + " can be used by Weir again.");
    }
  }

  /** Forgets the failures that haven't occurred for a while; true if that was the last one. */
  private synchronized boolean endCalm() {
    long now = clock.evenMicros();
    return raised.values().removeIf(at -> now - at >= CALM_MICROS) && raised.isEmpty();
  }

  /** Logs once that a row can't be read. */
  void unreadable(@Nullable String why) {
    if (unreadable.compareAndSet(false, true)) {
      warn(
          "a bucket can't be read, so its requests are decided as if the store couldn't be reached"
              + " (logged once): "
              + why);
    }
  }

  /** Logs a warning. */
  void warn(String text) {
    log(Level.WARNING, postgres + ": " + text);
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

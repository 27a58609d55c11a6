package io.weir.internal.server.http;

import io.weir.Ticker;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.logging.Filter;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Counts responses that clients don't read to their end, in place of Jersey's stack trace for each:
 * clients could fill the log before any sign-in. Logs the count at most once a minute. Leaves a
 * filter that has been set.
 *
 * <p>Safe for concurrent use.
 */
final class ClientGoneLog implements Filter {
  private static final System.Logger LOG = System.getLogger("io.weir");
  private static final long PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

  // Held, since the logging system drops unreferenced loggers together with their filters.
  private static final Logger JERSEY =
      Logger.getLogger("org.glassfish.jersey.server.ServerRuntime$Responder");

  private final Ticker ticker;
  private long count;
  private @Nullable Long loggedNanos;

  ClientGoneLog(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Installs the filter; idempotent. */
  static synchronized void install(Ticker ticker) {
    if (JERSEY.getFilter() == null) {
      JERSEY.setFilter(new ClientGoneLog(ticker));
    }
  }

  @Override
  public boolean isLoggable(LogRecord record) {
    if (!isOfClient(record.getThrown())) {
      return true;
    }
    long passed = countAndTake();
    if (passed > 0) {
      LOG.log(
          Level.WARNING,
          "Clients closed their connections before "
              + passed
              + " responses were written, or didn't read them (logged at most once a minute)");
    }
    return false;
  }

  private synchronized long countAndTake() {
    long now = ticker.nanoTime();
    count++;
    if (loggedNanos != null && now - loggedNanos < PAUSE_NANOS) {
      return 0;
    }
    long all = count;
    loggedNanos = now;
    count = 0;
    return all;
  }

  private static boolean isOfClient(@Nullable Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof SQLException) {
        return false;
      }
      if (each instanceof IOException) {
        return true;
      }
    }
    return false;
  }
}

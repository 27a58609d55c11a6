package io.weir.internal.rules.database;

import io.weir.Ticker;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Reads the database's time of day, and estimates it without a query: the time that was last read,
 * plus the time passed since. So all nodes agree on it, however wrong their own clocks are.
 *
 * <p>Safe for concurrent use.
 */
public final class DatabaseClock {
  private final Ticker ticker;
  private volatile @Nullable Reading last;

  private record Reading(Instant time, long nanoTime) {}

  /** Uses the time of this node until that of the database is noted. */
  public DatabaseClock(Ticker ticker) {
    this.ticker = ticker;
  }

  /**
   * Reads the database's time of day: that of the beginning of the transaction, so make it the
   * first statement of the transaction if the present matters.
   */
  public static Instant read(Connection connection) throws SQLException {
    return Sql.of("SELECT CURRENT_TIMESTAMP").one(connection, row -> Sql.time(row, 1));
  }

  /** Notes the time that was just read. */
  public void note(Instant time) {
    last = new Reading(time, ticker.nanoTime());
  }

  public Instant now() {
    Reading noted = last;
    return noted == null
        ? ticker.instant()
        : noted.time.plus(Duration.ofNanos(ticker.nanoTime() - noted.nanoTime));
  }
}

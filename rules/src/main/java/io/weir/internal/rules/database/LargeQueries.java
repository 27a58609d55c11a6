package io.weir.internal.rules.database;

import io.weir.internal.value.DurationText;
import io.weir.rules.problem.QueryTooLargeException;
import io.weir.rules.problem.RulesUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Runs queries that may read very many rows: one at a time on each node, so that they never take
 * all connections of the pool, and with a time-out that the database itself keeps, so that it stops
 * reading. A few may wait for their turn; further ones are refused at once, so that they don't take
 * all threads that serve requests.
 *
 * <p>Safe for concurrent use.
 */
public final class LargeQueries {
  /** The longest time of one statement, below that after which its connection is given up. */
  public static final Duration TIMEOUT = Duration.ofSeconds(4);

  static final int MAX_WAITING = 8;

  private static final String CANCELED = "57014";

  private final RuleDatabase database;
  private final Duration timeout;
  private final Semaphore places = new Semaphore(1 + MAX_WAITING);
  private final Semaphore turn = new Semaphore(1, true);

  public LargeQueries(RuleDatabase database) {
    this(database, TIMEOUT);
  }

  LargeQueries(RuleDatabase database, Duration timeout) {
    this.database = database;
    this.timeout = timeout;
  }

  /**
   * Runs statements in one transaction, after those of others.
   *
   * @param what the beginning of the message if it fails: {@code usage can't be read}
   * @param instead what to ask if it takes too long: {@code shorten the time}
   * @throws QueryTooLargeException if a statement takes longer than {@link #TIMEOUT}, or others do,
   *     or too many others wait
   * @throws RulesUnavailableException if the database is unavailable
   */
  public <T> T run(String what, String instead, SqlWork<T> work) {
    if (!places.tryAcquire()) {
      throw busy(what);
    }
    try {
      return runInTurn(what, instead, work);
    } finally {
      places.release();
    }
  }

  private <T> T runInTurn(String what, String instead, SqlWork<T> work) {
    await(what);
    try {
      return database.inTransaction(what, connection -> bounded(connection, work));
    } catch (RulesUnavailableException failed) {
      if (SqlState.of(failed).equals(CANCELED)) {
        throw new QueryTooLargeException(
            what + " within " + DurationText.inWords(timeout) + "; " + instead, failed);
      }
      throw failed;
    } finally {
      turn.release();
    }
  }

  private void await(String what) {
    try {
      if (!turn.tryAcquire(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        throw busy(what);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new RulesUnavailableException(what + ": the wait was interrupted", stopped);
    }
  }

  private static QueryTooLargeException busy(String what) {
    return new QueryTooLargeException(
        what + ": this node is busy with another large query; retry in a few seconds", null);
  }

  private <T> T bounded(Connection connection, SqlWork<T> work) throws SQLException {
    Dialect dialect = database.dialect();
    dialect.limitTime(connection, timeout);
    try {
      return work.on(connection);
    } finally {
      dialect.unlimitTime(connection);
    }
  }
}

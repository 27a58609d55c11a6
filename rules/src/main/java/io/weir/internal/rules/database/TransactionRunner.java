package io.weir.internal.rules.database;

import com.zaxxer.hikari.HikariDataSource;
import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.problem.RulesUnavailableException;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Runs statements, each work in a transaction and on a connection of its own, and reports what the
 * database refuses. In PostgreSQL the search path has nothing but PostgreSQL's own schema
 * meanwhile.
 *
 * <p>Safe for concurrent use.
 */
public final class TransactionRunner {
  private static final Set<String> CONFLICTS = Set.of("23505", "40001", "90131");
  private static final Set<String> BAD_VALUES = Set.of("22", "23");

  /** The SQLSTATE of H2 once it has been closed. */
  private static final Set<String> CLOSED = Set.of("90098", "90121");

  /** Whether statements are one transaction, and whether the search path is pinned there. */
  private enum Mode {
    QUERIES,
    TRANSACTION,
    UNPINNED_TRANSACTION
  }

  private final DataSource database;
  private final Duration patience;
  private final SchemaName schema;

  /** True until the database is known to be one that interrupts don't harm. */
  private volatile boolean isInterruptible;

  /**
   * Runs nothing yet.
   *
   * @param patience how long a statement may take at most
   * @param schema the schema that statements mean by {@code weir}
   */
  public TransactionRunner(DataSource database, Duration patience, SchemaName schema) {
    this.database = database;
    this.patience = patience;
    this.schema = schema;
  }

  /** Opens the database anew where H2 has closed it: connections of a pool stay closed with it. */
  private void evictClosed(SQLException failure) {
    if (CLOSED.contains(SqlState.of(failure))
        && database instanceof HikariDataSource pool
        && pool.getHikariPoolMXBean() != null) {
      pool.getHikariPoolMXBean().softEvictConnections();
    }
  }

  /** Works in the thread of the caller from now on. */
  public void runInCaller() {
    isInterruptible = true;
  }

  /** Runs queries, each in a transaction of its own. */
  public <T> T read(String what, SqlWork<T> work) {
    return run(what, Mode.QUERIES, work);
  }

  /** Runs several statements in one transaction. */
  public <T> T together(String what, SqlWork<T> work) {
    return run(what, Mode.TRANSACTION, work);
  }

  /** Runs several statements in one transaction, with the search path of the connection. */
  public <T> T togetherUnpinned(String what, SqlWork<T> work) {
    return run(what, Mode.UNPINNED_TRANSACTION, work);
  }

  private <T> T run(String what, Mode mode, SqlWork<T> work) {
    try {
      return run(work, mode);
    } catch (SQLException e) {
      throw unavailable(what, e);
    }
  }

  /**
   * Changes rows of a table; a refusal of the database is reported as a conflict or a bad value.
   */
  public <T> T change(RuleTable table, String row, SqlWork<T> work) {
    String what = table.tableName() + " can't be changed";
    try {
      return run(work, Mode.TRANSACTION);
    } catch (SQLException e) {
      String state = SqlState.of(e);
      if (CONFLICTS.contains(state)) {
        throw new ConflictException(
            table.tableName()
                + " "
                + table.shown(row)
                + ": this row already exists, or was just changed");
      }
      if (BAD_VALUES.contains(SqlState.kind(state))) {
        throw new InvalidRuleException(
            List.of(new RuleProblem(table.tableName(), table.shown(row), "", reason(e), false)));
      }
      throw unavailable(what, e);
    }
  }

  private <T> T run(SqlWork<T> work, Mode mode) throws SQLException {
    try {
      return isInterruptible
          ? runHere(work, mode)
          : UninterruptibleSql.run(() -> runHere(work, mode));
    } catch (SQLException failure) {
      evictClosed(failure);
      throw failure;
    }
  }

  private <T> T runHere(SqlWork<T> work, Mode mode) throws SQLException {
    boolean isTransaction = mode != Mode.QUERIES;
    try (Connection connection = database.getConnection()) {
      Before before = new Before(connection.getAutoCommit(), connection.getNetworkTimeout());
      connection.setNetworkTimeout(Runnable::run, Math.toIntExact(patience.toMillis()));
      connection.setAutoCommit(!isTransaction);
      T result;
      try {
        result = work.on(SchemaConnection.of(pinned(connection, mode), schema));
        if (isTransaction) {
          connection.commit();
        }
      } catch (SQLException | RuntimeException e) {
        undo(connection, isTransaction, before, e);
        throw e;
      }
      before.restore(connection);
      return result;
    }
  }

  private static Connection pinned(Connection connection, Mode mode) throws SQLException {
    if (mode == Mode.QUERIES) {
      return PinnedPath.ofEach(connection);
    }
    if (mode == Mode.TRANSACTION) {
      PinnedPath.begin(connection);
    }
    return connection;
  }

  private static void undo(
      Connection connection, boolean isTransaction, Before before, Exception reason) {
    try {
      if (isTransaction) {
        connection.rollback();
      }
      before.restore(connection);
    } catch (SQLException broken) {
      reason.addSuppressed(broken);
    }
  }

  /** Returns the first line of the database's message. */
  private static String reason(SQLException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("refused by the database");
  }

  private static RulesUnavailableException unavailable(String what, SQLException e) {
    return new RulesUnavailableException(what + ": " + withoutValues(e), e);
  }

  /**
   * Shortens messages for logs: a batch's has the whole statement, and one about a value the value.
   */
  private static String withoutValues(SQLException e) {
    SQLException said =
        e instanceof BatchUpdateException && e.getNextException() != null
            ? e.getNextException()
            : e;
    String state = String.valueOf(said.getSQLState());
    boolean hasValues =
        said instanceof BatchUpdateException || BAD_VALUES.contains(SqlState.kind(state));
    return hasValues ? "refused by the database (SQLSTATE " + state + ")" : reason(said);
  }

  /**
   * Holds the settings that a connection had: not every pool of an application resets them.
   *
   * @param commits whether each statement is a transaction of its own
   * @param networkMillis the longest wait for the database
   */
  private record Before(boolean commits, int networkMillis) {
    void restore(Connection connection) throws SQLException {
      connection.setAutoCommit(commits);
      connection.setNetworkTimeout(Runnable::run, networkMillis);
    }
  }
}

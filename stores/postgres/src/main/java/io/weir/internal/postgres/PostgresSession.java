package io.weir.internal.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Executes statements one after the other on one connection, which it keeps and opens again after
 * failures. One of a pool is borrowed for each statement instead.
 *
 * <p>Each statement is a transaction of its own, sent and committed in one round trip. It needs
 * some settings. They are made once on a connection that nobody else uses. On one that a pool or a
 * pooler lends, they come before each statement and last as long as the transaction: nothing is
 * left behind, and the next transaction may have another connection.
 *
 * <p>Confine to one thread at a time.
 */
final class PostgresSession implements AutoCloseable {
  private static final int PREPARE_ALWAYS = 1;

  /** How much longer than the server a node waits for it to give up, as a part of the time-out. */
  private static final int GRACE = 2;

  private final ConnectionSource source;
  private final SessionContext context;
  private @Nullable Connection kept;
  private boolean settled;

  PostgresSession(ConnectionSource source, SessionContext context) {
    this.source = source;
    this.context = context;
  }

  /**
   * Executes a statement.
   *
   * @param sql one statement
   * @param binder binds its parameters
   * @param reader reads its result
   */
  <T> T execute(String sql, Binder binder, Reader<T> reader) throws SQLException {
    Connection connection = kept == null ? open() : kept;
    try {
      T result = context.watching(() -> send(connection, sql, binder, reader));
      release(connection);
      return result;
    } catch (SQLException failure) {
      failed(connection, failure);
      throw failure;
    }
  }

  private <T> T send(Connection connection, String sql, Binder binder, Reader<T> reader)
      throws SQLException {
    long sentAt = context.clock().evenMicros();
    boolean plain = settled && context.isDirect();
    String text = plain ? sql : context.prelude(major(connection)) + sql;
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      binder.bind(connection, statement);
      boolean found = statement.execute();
      if (!plain) {
        found = statement.getMoreResults();
      }
      try (ResultSet rows = found ? statement.getResultSet() : null) {
        return reader.read(rows, sentAt);
      }
    }
  }

  private static int major(Connection connection) throws SQLException {
    return connection.getMetaData().getDatabaseMajorVersion();
  }

  /** Executes something that isn't a single statement, such as making tables. */
  <T> T inConnection(Work<T> work) throws SQLException {
    Connection connection = kept == null ? open() : kept;
    try {
      T result = work.run(connection);
      release(connection);
      return result;
    } catch (SQLException failure) {
      failed(connection, failure);
      throw failure;
    }
  }

  private Connection open() throws SQLException {
    settled = false;
    Connection connection = context.watching(source::open);
    try {
      if (!connection.getAutoCommit()) {
        connection.setAutoCommit(true);
      }
      connection.setNetworkTimeout(
          Runnable::run, context.commandMillis() + context.commandMillis() / GRACE + 1);
      begin(connection);
    } catch (SQLException failure) {
      abort(connection);
      throw failure;
    }
    if (source.isKept()) {
      kept = connection;
    }
    return connection;
  }

  private void begin(Connection connection) throws SQLException {
    if (!connection.isWrapperFor(PGConnection.class)) {
      return;
    }
    PGConnection driver = connection.unwrap(PGConnection.class);
    if (source.isKept() || !context.isBegun()) {
      driver.setPrepareThreshold(0);
      context.begin(isPooled(connection, driver));
    }
    if (source.isKept() && context.isDirect()) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(context.settings(major(connection)));
      }
      settled = true;
    }
    driver.setPrepareThreshold(context.prepares() ? PREPARE_ALWAYS : 0);
  }

  /** Whether a pooler is between: it tells its clients process numbers of its own. */
  private boolean isPooled(Connection connection, PGConnection driver) throws SQLException {
    long sentAt = context.clock().evenMicros();
    try (PreparedStatement statement =
            connection.prepareStatement("SELECT pg_backend_pid(), " + StoreClock.SQL);
        ResultSet row = statement.executeQuery()) {
      row.next();
      context.clock().hear(row.getLong(2), sentAt);
      return row.getInt(1) != driver.getBackendPID();
    }
  }

  private void release(Connection connection) throws SQLException {
    if (kept == null) {
      connection.close();
    }
  }

  private void failed(Connection connection, SQLException failure) {
    if (Failures.isOfStatementName(failure)) {
      context.stopPreparing();
    }
    if (!Failures.leavesConnection(failure)) {
      kept = null;
      abort(connection);
    } else if (kept == null) {
      closeQuietly(connection);
    }
  }

  /** Ends the connection itself, so that no pool hands it out again. */
  private static void abort(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException gone) {
      // then it is closed
    }
    closeQuietly(connection);
  }

  private static void closeQuietly(Connection connection) {
    try {
      connection.close();
    } catch (SQLException gone) {
      // it was closed already
    }
  }

  @Override
  public void close() {
    Connection open = kept;
    kept = null;
    if (open != null) {
      closeQuietly(open);
    }
  }

  /** Binds parameters. */
  interface Binder {
    void bind(Connection connection, PreparedStatement statement) throws SQLException;
  }

  /** Reads a result. */
  interface Reader<T> {
    /**
     * Reads it.
     *
     * @param rows null if the statement returns none
     * @param sentAt {@link StoreClock#evenMicros()} before it was sent
     */
    T read(@Nullable ResultSet rows, long sentAt) throws SQLException;
  }

  /** Works with a connection. */
  interface Work<T> {
    T run(Connection connection) throws SQLException;
  }
}

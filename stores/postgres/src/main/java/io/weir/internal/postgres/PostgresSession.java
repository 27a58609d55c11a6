package io.weir.internal.postgres;

import io.weir.internal.store.MisconfiguredStoreException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
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
 * <p>Confine to one thread at a time, but for {@link #giveUp}.
 */
final class PostgresSession implements AutoCloseable {
  private static final int PREPARE_ALWAYS = 1;
  private static final long MILLI = 1_000;

  /** How much longer than the server a node waits for it to give up, as a part of the time-out. */
  private static final int GRACE = 2;

  /** {@link #waitsSince} where nothing waits. */
  static final long NOT_WAITING = Long.MAX_VALUE;

  /** The oldest version of the driver. */
  private static final int DRIVER_MAJOR = 42;

  private static final int DRIVER_MINOR = 3;

  private final ConnectionSource source;
  private final SessionContext context;
  private final AbandonedBackend lastBackend = new AbandonedBackend();
  private volatile @Nullable Connection kept;
  private volatile long waitsSince = NOT_WAITING;
  private @Nullable ConnectionState before;
  private boolean isConfigured;

  PostgresSession(ConnectionSource source, SessionContext context) {
    this.source = source;
    this.context = context;
  }

  /** Returns whether a connection is kept, and wasn't given up. */
  boolean isConnected() {
    Connection connection = kept;
    return connection != null && Connections.isOpen(connection);
  }

  /**
   * Returns since when work on a connection that is kept has waited, by the even clock in
   * microseconds; {@link #NOT_WAITING} if none does.
   */
  long waitsSince() {
    return isConnected() ? waitsSince : NOT_WAITING;
  }

  /**
   * Aborts a connection that is kept, from any thread: what waits for an answer on it fails, and
   * what comes next opens another one.
   */
  void giveUp() {
    Connection connection = kept;
    if (connection != null) {
      Connections.abort(connection);
    }
  }

  /**
   * Executes a statement; again for as long as a statement may take, if it failed only because of
   * others at the same time.
   */
  <T> T execute(String sql, Binder binder, Reader<T> reader) throws SQLException {
    return execute("", sql, binder, reader);
  }

  /** Executes a statement that returns nothing, as {@link #execute} does. */
  void update(String sql, Object... parameters) throws SQLException {
    int unused = execute(sql, parameters(parameters), (rows, sentAt) -> 0);
  }

  /** Binds texts, bytes and numbers in their order. */
  static Binder parameters(Object... values) {
    return (connection, statement) -> {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
    };
  }

  /**
   * Executes a statement as {@link #execute} does, but nobody sees what it writes before it is on
   * the server's disk.
   */
  <T> T executeOnDisk(String sql, Binder binder, Reader<T> reader) throws SQLException {
    return execute(context.onDisk(), sql, binder, reader);
  }

  private <T> T execute(String first, String sql, Binder binder, Reader<T> reader)
      throws SQLException {
    return inConnection(
        connection -> {
          long end = context.clock().evenMicros() + MILLI * context.commandMillis();
          while (true) {
            try {
              return context.watching(() -> send(connection, first, sql, binder, reader));
            } catch (SQLException failure) {
              if (!Failures.isOfOthers(failure) || context.clock().evenMicros() - end > 0) {
                throw failure;
              }
            }
          }
        });
  }

  private <T> T send(
      Connection connection, String first, String sql, Binder binder, Reader<T> reader)
      throws SQLException {
    long sentAt = context.clock().evenMicros();
    boolean plain = isConfigured && context.isDirect();
    String text = (plain ? "" : context.prelude(major(connection))) + first + sql;
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      binder.bind(connection, statement);
      boolean found = statement.execute();
      for (int before = (plain ? 0 : 1) + (first.isEmpty() ? 0 : 1); before > 0; before--) {
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

  <T> T inConnection(Work<T> work) throws SQLException {
    Connection connection = connection();
    waitsSince = context.clock().evenMicros();
    try {
      T result = work.run(connection);
      release(connection);
      return result;
    } catch (SQLException failure) {
      failed(connection, failure);
      throw failure;
    } catch (RuntimeException | Error failure) {
      drop(connection);
      throw failure;
    } finally {
      waitsSince = NOT_WAITING;
    }
  }

  private Connection connection() throws SQLException {
    Connection connection = kept;
    if (connection != null && !isConnected()) {
      drop(connection); // it was given up
      connection = null;
    }
    return connection == null ? open() : connection;
  }

  private Connection open() throws SQLException {
    isConfigured = false;
    Connection connection = context.watching(source::open);
    try {
      before = source.isKept() ? null : ConnectionState.of(connection);
      requirePostgres(connection.getMetaData());
      if (!connection.getAutoCommit()) {
        connection.setAutoCommit(true);
      }
      connection.setNetworkTimeout(
          Runnable::run, context.commandMillis() + context.commandMillis() / GRACE + 1);
      begin(connection);
    } catch (MisconfiguredStoreException other) {
      release(connection);
      throw other;
    } catch (SQLException | RuntimeException | Error failure) {
      Connections.abort(connection);
      throw failure;
    }
    if (source.isKept()) {
      kept = connection;
    }
    return connection;
  }

  /** Older drivers flatten an array of keys, and those of other databases know none. */
  private static void requirePostgres(DatabaseMetaData about) throws SQLException {
    int major = about.getDriverMajorVersion();
    int minor = about.getDriverMinorVersion();
    if (major < DRIVER_MAJOR || major == DRIVER_MAJOR && minor < DRIVER_MINOR) {
      throw new MisconfiguredStoreException(
          "Weir needs the driver of PostgreSQL, "
              + DRIVER_MAJOR
              + "."
              + DRIVER_MINOR
              + " or newer, not "
              + about.getDriverName()
              + " "
              + major
              + "."
              + minor);
    }
  }

  private void begin(Connection connection) throws SQLException {
    PGConnection driver =
        connection.isWrapperFor(PGConnection.class) ? connection.unwrap(PGConnection.class) : null;
    if (source.isKept() || !context.isBegun()) {
      context.begin(isPooled(connection, driver));
    }
    if (source.isKept() && context.isDirect()) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(context.settings(major(connection)));
      }
      if (context.waitsForReplicas()) {
        lastBackend.succeed(connection);
      }
      isConfigured = true;
    }
    if (driver != null) {
      driver.setPrepareThreshold(context.prepares() ? PREPARE_ALWAYS : 0);
    }
  }

  /** Returns whether a pooler is between: it reports process numbers of its own to clients. */
  private boolean isPooled(Connection connection, @Nullable PGConnection driver)
      throws SQLException {
    if (driver != null) {
      driver.setPrepareThreshold(0);
    }
    long sentAt = context.clock().evenMicros();
    try (PreparedStatement statement =
            connection.prepareStatement("SELECT pg_catalog.pg_backend_pid(), " + StoreClock.SQL);
        ResultSet row = statement.executeQuery()) {
      row.next();
      context.clock().hear(row.getLong(2), sentAt);
      return driver == null || row.getInt(1) != driver.getBackendPID();
    }
  }

  /** Gives a borrowed connection back. The answer is there, whatever becomes of the connection. */
  private void release(Connection connection) {
    if (kept == null) {
      try {
        if (before != null) {
          before.restore(connection);
        }
        connection.close();
      } catch (SQLException broken) {
        Connections.abort(connection);
      }
    }
  }

  private void failed(Connection connection, SQLException failure) {
    if (Failures.isOfStatementName(failure)) {
      context.stopPreparing();
    }
    if (Failures.leavesConnection(failure)) {
      release(connection);
    } else {
      drop(connection);
    }
  }

  private void drop(Connection connection) {
    kept = null;
    lastBackend.abandon();
    Connections.abort(connection);
  }

  @Override
  public void close() {
    Connection open = kept;
    kept = null;
    if (open != null) {
      Connections.close(open);
    }
  }

  interface Binder {
    void bind(Connection connection, PreparedStatement statement) throws SQLException;
  }

  interface Reader<T> {
    /**
     * Reads it.
     *
     * @param rows null if the statement returns none
     * @param sentAt {@link StoreClock#evenMicros()} before it was sent
     */
    T read(@Nullable ResultSet rows, long sentAt) throws SQLException;
  }

  interface Work<T> {
    T run(Connection connection) throws SQLException;
  }
}

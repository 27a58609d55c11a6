package io.weir.internal.rules.database.schema;

import io.weir.internal.rules.database.Dialect;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A data source whose connections have bounded waits for locks and answers. When they are closed,
 * their settings are restored, since the application may use them next.
 *
 * <p>Safe for concurrent use.
 */
final class MigrationDataSource implements DataSource {
  private static final Duration ANSWER = Duration.ofSeconds(60);

  private final DataSource source;
  private final Dialect dialect;
  private final Duration lock;

  /**
   * Wraps a data source.
   *
   * @param lock how long a statement waits for a lock; statements queued behind it wait as well
   */
  MigrationDataSource(DataSource source, Dialect dialect, Duration lock) {
    this.source = source;
    this.dialect = dialect;
    this.lock = lock;
  }

  @Override
  public Connection getConnection() throws SQLException {
    return bounded(source.getConnection());
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return bounded(source.getConnection(user, password));
  }

  private Connection bounded(Connection connection) throws SQLException {
    boolean commits = connection.getAutoCommit();
    int before = connection.getNetworkTimeout();
    connection.setAutoCommit(true);
    connection.setNetworkTimeout(Runnable::run, Math.toIntExact(ANSWER.toMillis()));
    run(connection, "SET lock_timeout = " + lock.toMillis());
    return (Connection)
        Proxy.newProxyInstance(
            MigrationDataSource.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close") && !connection.isClosed()) {
                restore(connection, commits, before);
              }
              try {
                return unlimited(method.invoke(connection, arguments));
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            });
  }

  /** Lets a statement take as long as an answer may: to make an index takes long. */
  private @Nullable Object unlimited(@Nullable Object result) throws SQLException {
    if (dialect == Dialect.POSTGRESQL && result instanceof Statement statement) {
      statement.setQueryTimeout(0);
    }
    return result;
  }

  private void restore(Connection connection, boolean commits, int networkTimeout)
      throws SQLException {
    try {
      if (!connection.getAutoCommit()) {
        connection.rollback();
        connection.setAutoCommit(true);
      }
      run(connection, "RESET lock_timeout");
      connection.setNetworkTimeout(Runnable::run, networkTimeout);
      connection.setAutoCommit(commits);
    } catch (SQLException broken) {
      connection.abort(Runnable::run); // a pool drops it
    }
  }

  private void run(Connection connection, String sql) throws SQLException {
    if (dialect == Dialect.POSTGRESQL) { // H2 waits two seconds by itself
      try (Statement statement = connection.createStatement()) {
        statement.execute(sql);
      }
    }
  }

  @Override
  public PrintWriter getLogWriter() throws SQLException {
    return source.getLogWriter();
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    source.setLogWriter(out);
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    source.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return source.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getLogger("io.weir");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return source.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return source.isWrapperFor(type);
  }
}

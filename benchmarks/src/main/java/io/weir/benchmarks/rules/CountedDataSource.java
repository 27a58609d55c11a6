package io.weir.benchmarks.rules;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * Counts how often callers are looked up: each time takes a connection, in a thread of its own.
 *
 * <p>Safe for concurrent use.
 */
final class CountedDataSource implements DataSource {
  private static final String LOOKS_UP = "weir-rules-callers";

  private final DataSource database;
  private final AtomicLong lookUps = new AtomicLong();

  CountedDataSource(DataSource database) {
    this.database = database;
  }

  long lookUps() {
    return lookUps.get();
  }

  @Override
  public Connection getConnection() throws SQLException {
    if (Thread.currentThread().getName().equals(LOOKS_UP)) {
      lookUps.incrementAndGet();
    }
    return database.getConnection();
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return database.getConnection(user, password);
  }

  @Override
  public PrintWriter getLogWriter() throws SQLException {
    return database.getLogWriter();
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    database.setLogWriter(out);
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    database.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return database.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getLogger("");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return database.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return database.isWrapperFor(type);
  }
}

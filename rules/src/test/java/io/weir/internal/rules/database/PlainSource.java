package io.weir.internal.rules.database;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A data source of a test: one that gives connections, and nothing else. */
public interface PlainSource extends DataSource {
  @Override
  default Connection getConnection(String user, String password) throws SQLException {
    return getConnection();
  }

  @Override
  default PrintWriter getLogWriter() {
    throw new UnsupportedOperationException();
  }

  @Override
  default void setLogWriter(PrintWriter out) {}

  @Override
  default void setLoginTimeout(int seconds) {}

  @Override
  default int getLoginTimeout() {
    return 0;
  }

  @Override
  default Logger getParentLogger() {
    throw new UnsupportedOperationException();
  }

  @Override
  default <T> T unwrap(Class<T> type) {
    throw new UnsupportedOperationException();
  }

  @Override
  default boolean isWrapperFor(Class<?> type) {
    return false;
  }
}

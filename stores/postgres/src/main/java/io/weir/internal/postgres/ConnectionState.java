package io.weir.internal.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Remembers what a borrowed connection was set to, since not every pool resets it for the
 * application's own statements.
 *
 * @param commits whether each statement is a transaction of its own
 * @param networkMillis the longest wait for the server; 0 for any
 * @param prepareThreshold after how many uses a statement gets a name; null if another driver, or
 *     the same one of another class loader, opened the connection
 */
record ConnectionState(boolean commits, int networkMillis, @Nullable Integer prepareThreshold) {
  static ConnectionState of(Connection connection) throws SQLException {
    return new ConnectionState(
        connection.getAutoCommit(),
        connection.getNetworkTimeout(),
        connection.isWrapperFor(PGConnection.class)
            ? connection.unwrap(PGConnection.class).getPrepareThreshold()
            : null);
  }

  void restore(Connection connection) throws SQLException {
    connection.setNetworkTimeout(Runnable::run, networkMillis);
    if (prepareThreshold != null) {
      connection.unwrap(PGConnection.class).setPrepareThreshold(prepareThreshold);
    }
    if (!commits) {
      connection.setAutoCommit(false);
    }
  }
}

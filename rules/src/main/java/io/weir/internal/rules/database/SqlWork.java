package io.weir.internal.rules.database;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Statements that run on one connection.
 *
 * @param <T> the type of their result
 */
@FunctionalInterface
public interface SqlWork<T> {
  /**
   * Runs them; neither commits nor closes.
   *
   * @param connection the connection, of this call alone
   */
  T on(Connection connection) throws SQLException;
}

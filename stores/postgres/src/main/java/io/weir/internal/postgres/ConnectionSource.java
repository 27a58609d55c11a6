package io.weir.internal.postgres;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Opens connections.
 *
 * <p>Safe for concurrent use.
 */
interface ConnectionSource {
  /** Opens one; waits for PostgreSQL. */
  Connection open() throws SQLException;

  /**
   * Returns whether a connection is kept between statements; if not, it belongs to a pool and goes
   * back.
   */
  boolean isKept();
}

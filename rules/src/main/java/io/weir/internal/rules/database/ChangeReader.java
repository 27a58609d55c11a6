package io.weir.internal.rules.database;

import java.sql.Connection;
import java.sql.SQLException;

/** Reads what is new in {@code rule_changes}, and misses nothing that is committed late. */
interface ChangeReader {
  /** The position of now. */
  ChangePosition position(Connection connection) throws SQLException;

  /** At most so many changes since a position. */
  ChangeBatch since(Connection connection, ChangePosition position, int most) throws SQLException;
}

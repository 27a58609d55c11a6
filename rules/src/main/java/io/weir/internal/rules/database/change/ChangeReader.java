package io.weir.internal.rules.database.change;

import io.weir.internal.rules.database.ChangeBatch;
import io.weir.internal.rules.database.ChangePosition;
import java.sql.Connection;
import java.sql.SQLException;

/** Reads what is new in {@code rule_changes}, and misses nothing that is committed late. */
public interface ChangeReader {
  /** The position of now. */
  ChangePosition position(Connection connection) throws SQLException;

  /** At most so many changes since a position. */
  ChangeBatch since(Connection connection, ChangePosition position, int most) throws SQLException;
}

package io.weir.internal.rules.database.change;

import io.weir.internal.rules.database.ChangeBatch;
import io.weir.internal.rules.database.ChangeDetail;
import io.weir.internal.rules.database.ChangePosition;
import java.sql.Connection;
import java.sql.SQLException;

/** Reads new rows of {@code rule_changes}, and misses none that is committed late. */
public interface ChangeReader {
  /** Returns the current position. */
  ChangePosition position(Connection connection) throws SQLException;

  /** At most so many changes since a position. */
  ChangeBatch since(Connection connection, ChangePosition position, int most, ChangeDetail detail)
      throws SQLException;
}

package io.weir.internal.rules.database.change;

import io.weir.internal.rules.database.ChangeBatch;
import io.weir.internal.rules.database.ChangeDetail;
import io.weir.internal.rules.database.ChangePosition;
import java.sql.Connection;
import java.sql.SQLException;

/** Reads new rows of {@code rule_changes}, and misses none that is committed late. */
public interface ChangeReader {
  ChangePosition position(Connection connection) throws SQLException;

  ChangeBatch since(Connection connection, ChangePosition position, int most, ChangeDetail detail)
      throws SQLException;
}

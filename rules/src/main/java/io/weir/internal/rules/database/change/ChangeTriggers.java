package io.weir.internal.rules.database.change;

import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.RuleTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Set;

/** Finds tables whose changes no trigger reports: it was dropped, disabled, or is for replicas. */
public final class ChangeTriggers {
  private static final String NAME = "_weir_change";

  private static final String OF_POSTGRESQL =
      "SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = pg_catalog.to_regclass(?)"
          + " AND tgname = CAST(? AS name) AND tgenabled IN ('O', 'A')";

  private static final String OF_H2 =
      "SELECT 1 FROM information_schema.triggers WHERE LOWER(event_object_table) = ?"
          + " AND LOWER(trigger_name) = ? AND trigger_schema = CURRENT_SCHEMA";

  private ChangeTriggers() {}

  /** Returns the tables in the history whose trigger doesn't run for ordinary writers. */
  public static Set<RuleTable> missing(Connection connection, Dialect dialect)
      throws SQLException {
    Set<RuleTable> missing = EnumSet.noneOf(RuleTable.class);
    String sql = dialect == Dialect.H2 ? OF_H2 : OF_POSTGRESQL;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (RuleTable table : RuleTable.values()) {
        if (table.isInHistory() && !has(statement, table)) {
          missing.add(table);
        }
      }
    }
    return missing;
  }

  private static boolean has(PreparedStatement statement, RuleTable table) throws SQLException {
    statement.setString(1, table.tableName());
    statement.setString(2, table.tableName() + NAME);
    try (ResultSet row = statement.executeQuery()) {
      return row.next();
    }
  }
}

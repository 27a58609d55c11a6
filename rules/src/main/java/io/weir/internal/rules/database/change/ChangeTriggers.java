package io.weir.internal.rules.database.change;

import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.RuleTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Set;

/** Finds tables whose changes no trigger reports: it was dropped, disabled, or is for replicas. */
public final class ChangeTriggers {
  private static final String NAME = "_weir_change";

  private ChangeTriggers() {}

  /** Returns the tables in the history whose trigger doesn't run for ordinary writers. */
  public static Set<RuleTable> missing(Connection connection, Dialect dialect) throws SQLException {
    Set<String> enabled = dialect.triggers(connection);
    Set<RuleTable> missing = EnumSet.noneOf(RuleTable.class);
    for (RuleTable table : RuleTable.values()) {
      if (table.isInHistory() && !enabled.contains(table.tableName() + NAME)) {
        missing.add(table);
      }
    }
    return missing;
  }
}

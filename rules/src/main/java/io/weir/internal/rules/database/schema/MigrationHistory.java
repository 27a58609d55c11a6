package io.weir.internal.rules.database.schema;

import io.weir.internal.rules.database.Dialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.TreeSet;

/** Reads which scripts Flyway has applied. */
final class MigrationHistory {
  /** Flyway's table of them, apart from the application's own. */
  static final String TABLE = "weir_schema_history";

  private MigrationHistory() {}

  /**
   * Returns whether all of some versions were applied; false too if that can't be read.
   *
   * @param schema the schema of the table
   */
  static boolean has(Connection connection, Dialect dialect, String schema, Set<String> versions)
      throws SQLException {
    if (dialect == Dialect.H2) {
      try {
        return applied(connection, '"' + TABLE + '"').containsAll(versions);
      } catch (SQLException noTableOrNoRight) { // which breaks no transaction there
        return false;
      }
    }
    String table = Dialect.quoted(schema) + "." + TABLE;
    return !dialect.tables(connection, Set.of(table)).isEmpty()
        && applied(connection, table).containsAll(versions);
  }

  private static Set<String> applied(Connection connection, String table) throws SQLException {
    Set<String> versions = new TreeSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT \"version\" FROM "
                    + table
                    + " WHERE \"success\" AND \"version\" IS NOT NULL")) {
      while (rows.next()) {
        versions.add(rows.getString(1));
      }
    }
    return versions;
  }
}

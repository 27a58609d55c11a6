package io.weir.internal.rules.foreign;

import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reads foreign tables of H2. Tables have no owners there: only the owner of a schema and
 * administrators can make one, so all tables of the current schema are trusted. Casts are always
 * built in.
 */
final class H2ForeignSql implements ForeignSql {
  private static final String FIND =
      "SELECT t.table_schema, t.table_name, s.schema_owner, t.table_type"
          + " FROM information_schema.tables t JOIN information_schema.schemata s"
          + " ON s.schema_name = t.table_schema"
          + " WHERE LOWER(t.table_schema) = LOWER(?) AND LOWER(t.table_name) = ?";

  private static final String TYPES =
      "SELECT column_name, data_type FROM information_schema.columns"
          + " WHERE table_schema = ? AND table_name = ?";

  private final boolean isNamed;

  /**
   * Makes the SQL.
   *
   * @param isNamed whether the schema was named by {@code weir.rules.tables}: then its views are
   *     read as well
   */
  H2ForeignSql(boolean isNamed) {
    this.isNamed = isNamed;
  }

  @Override
  public List<String> begin(Connection connection) throws SQLException {
    return Sql.of("SELECT CURRENT_SCHEMA").all(connection, row -> row.getString(1));
  }

  @Override
  public List<ForeignTable> find(Connection connection, List<String> schemas) throws SQLException {
    List<ForeignTable> found = new ArrayList<>();
    for (String schema : schemas) {
      for (RuleTable kind : ForeignColumns.tables()) {
        found.addAll(
            Sql.of(FIND, schema, kind.tableName()).all(connection, row -> table(kind, row)));
      }
    }
    return found;
  }

  private ForeignTable table(RuleTable kind, ResultSet row) throws SQLException {
    boolean isTable = row.getString(4).equals("BASE TABLE");
    String name = row.getString(2);
    return new ForeignTable(
        kind, row.getString(1), name, row.getString(3), name, isTable, isNamed || isTable);
  }

  /** Does nothing: whoever could swap the table owns the schema. */
  @Override
  public void hold(Connection connection, ForeignTable table) {}

  @Override
  public Map<String, String> types(Connection connection, ForeignTable table, List<String> columns)
      throws SQLException {
    Map<String, String> types = new HashMap<>();
    Sql.of(TYPES, table.schema(), table.name())
        .each(
            connection,
            row -> {
              if (columns.contains(row.getString(1).toLowerCase(Locale.ROOT))) {
                types.put(row.getString(1), row.getString(2));
              }
            });
    return types;
  }

  @Override
  public String text(String column, int most) {
    return "LEFT(" + asText(column) + ", " + most + ")";
  }

  private static String asText(String column) {
    return "CAST(" + ForeignTable.quoted(column) + " AS VARCHAR)";
  }

  @Override
  public Sql isOneOf(Connection connection, String column, KeyType type, List<Object> values) {
    String quoted = type == KeyType.OTHER ? asText(column) : ForeignTable.quoted(column);
    return Sql.of(quoted + " IN ").then(Sql.list(values));
  }
}

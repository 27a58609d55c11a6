package io.weir.internal.rules.foreign;

import io.weir.internal.rules.database.RuleTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
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
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT CURRENT_SCHEMA")) {
      row.next();
      return List.of(row.getString(1));
    }
  }

  @Override
  public List<ForeignTable> find(Connection connection, List<String> schemas) throws SQLException {
    List<ForeignTable> found = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(FIND)) {
      for (String schema : schemas) {
        for (RuleTable kind : ForeignColumns.tables()) {
          statement.setString(1, schema);
          statement.setString(2, kind.tableName());
          try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
              boolean isTable = rows.getString(4).equals("BASE TABLE");
              String name = rows.getString(2);
              found.add(
                  new ForeignTable(
                      kind,
                      rows.getString(1),
                      name,
                      rows.getString(3),
                      name,
                      isTable,
                      isNamed || isTable));
            }
          }
        }
      }
    }
    return found;
  }

  /** Does nothing: whoever could swap the table owns the schema. */
  @Override
  public void hold(Connection connection, ForeignTable table) {}

  @Override
  public Map<String, String> types(Connection connection, ForeignTable table, List<String> columns)
      throws SQLException {
    Map<String, String> types = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(TYPES)) {
      statement.setString(1, table.schema());
      statement.setString(2, table.name());
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          if (columns.contains(rows.getString(1).toLowerCase(Locale.ROOT))) {
            types.put(rows.getString(1), rows.getString(2));
          }
        }
      }
    }
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
  public String isOneOf(String column, KeyType type, int values) {
    String quoted = type == KeyType.OTHER ? asText(column) : ForeignTable.quoted(column);
    return quoted + " IN (" + String.join(", ", Collections.nCopies(values, "?")) + ")";
  }

  @Override
  public void bind(PreparedStatement statement, KeyType type, List<Object> values)
      throws SQLException {
    for (int i = 0; i < values.size(); i++) {
      statement.setObject(i + 1, values.get(i));
    }
  }
}

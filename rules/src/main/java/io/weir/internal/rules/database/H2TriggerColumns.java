package io.weir.internal.rules.database;

import java.nio.charset.StandardCharsets;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The columns of a table as triggers of H2 get them: by position. */
final class H2TriggerColumns {
  /** The columns before a table is known. */
  static final H2TriggerColumns NONE = new H2TriggerColumns(List.of());

  private static final String NAMES =
      "SELECT column_name FROM information_schema.columns"
          + " WHERE table_schema = ? AND table_name = ? ORDER BY ordinal_position";
  private static final Sql AUTHOR = Sql.of("SELECT COALESCE(@weir_author, CURRENT_USER)");

  private final List<String> names;

  private H2TriggerColumns(List<String> names) {
    this.names = names;
  }

  static H2TriggerColumns of(Connection connection, String schema, String table)
      throws SQLException {
    return new H2TriggerColumns(
        Sql.of(NAMES, schema, table)
            .all(connection, row -> row.getString(1).toLowerCase(Locale.ROOT)));
  }

  /** Returns the author that the session names, else the database's user. */
  static String author(Connection connection) throws SQLException {
    return AUTHOR.one(connection, row -> row.getString(1));
  }

  /** Returns the value of a column; null if it is NULL or the table has no such column. */
  @Nullable Object value(String column, Object[] row) {
    int index = names.indexOf(column);
    return index < 0 ? null : row[index];
  }

  /** Sets a column, if the table has it. */
  void set(String column, Object[] row, Object value) {
    int index = names.indexOf(column);
    if (index >= 0) {
      row[index] = value;
    }
  }

  /** Returns a row as JSON, without NULLs. */
  String json(Object[] row) throws SQLException {
    Map<String, Object> columns = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      Object value = row[i];
      if (value != null) {
        columns.put(names.get(i), plain(value));
      }
    }
    return RowJson.write(columns);
  }

  private static Object plain(Object value) throws SQLException {
    if (value instanceof Boolean || value instanceof Number) {
      return value;
    }
    if (value instanceof Clob text) {
      return text.getSubString(1, Math.toIntExact(text.length()));
    }
    return value instanceof byte[] json
        ? new String(json, StandardCharsets.UTF_8)
        : value.toString();
  }
}

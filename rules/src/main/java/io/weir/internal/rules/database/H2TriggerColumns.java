package io.weir.internal.rules.database;

import java.nio.charset.StandardCharsets;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The columns of a table as triggers of H2 get them: by position. */
final class H2TriggerColumns {
  /** The columns before a table is known. */
  static final H2TriggerColumns NONE = new H2TriggerColumns(List.of(), Set.of());

  private static final String NAMES =
      "SELECT column_name, data_type FROM information_schema.columns"
          + " WHERE table_schema = ? AND table_name = ? ORDER BY ordinal_position";
  private static final Sql AUTHOR = Sql.of("SELECT COALESCE(@weir_author, CURRENT_USER)");

  private final List<String> names;
  private final Set<String> withoutZone;

  private H2TriggerColumns(List<String> names, Set<String> withoutZone) {
    this.names = names;
    this.withoutZone = withoutZone;
  }

  static H2TriggerColumns of(Connection connection, String schema, String table)
      throws SQLException {
    List<String> names = new ArrayList<>();
    Set<String> withoutZone = new HashSet<>();
    Sql.of(NAMES, schema, table)
        .each(
            connection,
            row -> {
              String name = row.getString(1).toLowerCase(Locale.ROOT);
              names.add(name);
              if (row.getString(2).equals("TIMESTAMP")) {
                withoutZone.add(name);
              }
            });
    return new H2TriggerColumns(names, withoutZone);
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

  /** Sets a column to a time, in UTC where it has no zone. */
  void set(String column, Object[] row, Instant moment) {
    OffsetDateTime time = moment.atOffset(ZoneOffset.UTC);
    set(column, row, withoutZone.contains(column) ? time.toLocalDateTime() : (Object) time);
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

package io.weir.internal.rules.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The columns that a table has, of those that Weir knows. Others of an adopted table are neither
 * read nor written.
 */
public final class TableShape {
  private final RuleTable table;
  private final Map<String, Column> columns;
  private final ColumnNames names;

  private TableShape(RuleTable table, Map<String, Column> columns) {
    this.table = table;
    this.columns = columns;
    this.names = new ColumnNames(columns.keySet());
  }

  /** Returns a missing table. */
  public static TableShape none(RuleTable table) {
    return new TableShape(table, Map.of());
  }

  /** Reads the columns of a table; none if it is missing. */
  public static TableShape read(Connection connection, RuleTable table, Set<String> known)
      throws SQLException {
    return new TableShape(table, columns(connection, table.tableName(), known));
  }

  /** Returns the columns of any table by lower-case name; none if it is missing. */
  public static Map<String, Column> columns(Connection connection, String table, Set<String> known)
      throws SQLException {
    Map<String, Column> columns = new LinkedHashMap<>();
    // Prepared, PostgreSQL would refuse it once after each ALTER TABLE, and end the transaction.
    try (Statement statement = connection.createStatement();
        ResultSet none = statement.executeQuery("SELECT * FROM " + table + " WHERE 1 = 0")) {
      ResultSetMetaData data = none.getMetaData();
      for (int i = 1; i <= data.getColumnCount(); i++) {
        String name = data.getColumnName(i).toLowerCase(Locale.ROOT);
        if (known.contains(name)) {
          columns.put(name, column(name, data, i));
        }
      }
    } catch (SQLException e) {
      if (!SqlState.isNoTable(e)) {
        throw e;
      }
    }
    return columns;
  }

  private static Column column(String name, ResultSetMetaData data, int column)
      throws SQLException {
    ColumnKind kind = ColumnKind.of(data, column);
    int length = kind == ColumnKind.TEXT ? data.getPrecision(column) : 0;
    boolean isRequired = data.isNullable(column) == ResultSetMetaData.columnNoNulls;
    return new Column(name, kind, length, most(data.getColumnType(column)), isRequired);
  }

  private static long most(int type) {
    return switch (type) {
      case Types.TINYINT -> Byte.MAX_VALUE;
      case Types.SMALLINT -> Short.MAX_VALUE;
      case Types.INTEGER -> Integer.MAX_VALUE;
      default -> Long.MAX_VALUE;
    };
  }

  public RuleTable table() {
    return table;
  }

  public boolean exists() {
    return !columns.isEmpty();
  }

  public Map<String, Column> columns() {
    return columns;
  }

  /** Returns a column that the table has. */
  public Column column(String name) {
    return Objects.requireNonNull(columns.get(name), name);
  }

  /** Returns the key column. */
  public Column key() {
    return column(table.keyColumn());
  }

  public boolean has(String column) {
    return columns.containsKey(column);
  }

  /** Returns the query for rows, with all columns in the order in which {@link #row} takes them. */
  public String select() {
    return "SELECT " + String.join(", ", columns.keySet()) + " FROM " + table.tableName();
  }

  /** Reads all rows of a result, and passes each through a function. */
  public List<StoredRow> rows(ResultSet result, UnaryOperator<StoredRow> each) throws SQLException {
    List<StoredRow> rows = new ArrayList<>();
    SeenTexts seen = new SeenTexts();
    while (result.next()) {
      rows.add(each.apply(row(result, seen)));
    }
    return rows;
  }

  /** Reads the current row of a result. */
  public StoredRow row(ResultSet result) throws SQLException {
    return row(result, new SeenTexts());
  }

  private StoredRow row(ResultSet result, SeenTexts seen) throws SQLException {
    @Nullable String[] texts = new String[columns.size()];
    int i = 0;
    for (Column column : columns.values()) {
      String text = column.kind().read(result, i + 1);
      texts[i++] = text == null ? null : seen.shared(text);
    }
    RowTexts columnTexts = new RowTexts(names, texts);
    return new StoredRow(table, columnTexts.getOrDefault(table.keyColumn(), ""), columnTexts);
  }
}

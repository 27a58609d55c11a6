package io.weir.internal.rules.database;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a table, as the scripts declare them that make it and add to it.
 *
 * <p>Immutable.
 */
public final class TableColumns {
  /** The scripts that make all tables but the history, and add columns to them. */
  public static final List<String> SCRIPTS =
      List.of(
          "common/V1__tables.sql",
          "common/V3__clear_on.sql",
          "common/V4__access_list.sql",
          "common/V6__bans.sql",
          "common/V8__scope.sql");

  private static final Pattern TABLE =
      Pattern.compile("(?s)CREATE TABLE IF NOT EXISTS weir[.](\\w+) \\(\n(.*?)\n\\);");
  private static final String DECLARATION = "([a-z_]+) (\\w+(?:\\((\\d+)\\))?)";
  private static final Pattern COLUMN = Pattern.compile("(?m)^  " + DECLARATION);
  private static final Map<RuleTable, TableColumns> ALL = read();

  private final RuleTable table;
  private final Map<String, Column> columns;
  private final ColumnNames names;

  private TableColumns(RuleTable table, Map<String, Column> columns) {
    this.table = table;
    this.columns = columns;
    this.names = new ColumnNames(columns.keySet());
  }

  private static Map<RuleTable, TableColumns> read() {
    Map<RuleTable, TableColumns> all = new EnumMap<>(RuleTable.class);
    String scripts = SCRIPTS.stream().map(ScriptText::read).collect(Collectors.joining());
    Matcher tables = TABLE.matcher(scripts);
    while (tables.find()) {
      String name = tables.group(1);
      Map<String, Column> columns = new LinkedHashMap<>();
      add(COLUMN.matcher(tables.group(2)), columns);
      String added = "ALTER TABLE weir[.]" + name + " ADD COLUMN IF NOT EXISTS " + DECLARATION;
      add(Pattern.compile(added).matcher(scripts), columns);
      RuleTable.named(name).ifPresent(table -> all.put(table, new TableColumns(table, columns)));
    }
    return all;
  }

  private static void add(Matcher each, Map<String, Column> columns) {
    while (each.find()) {
      int length = each.group(3) == null ? 0 : Integer.parseInt(each.group(3));
      ColumnType type = ColumnType.of(each.group(2));
      boolean isBounded = type == ColumnType.TEXT;
      columns.put(each.group(1), new Column(each.group(1), type, isBounded ? length : 0));
    }
  }

  public static TableColumns of(RuleTable table) {
    return Objects.requireNonNull(ALL.get(table), table.tableName());
  }

  /** Returns these without columns that the table doesn't have yet; they are read as NULL. */
  public TableColumns without(Set<String> lacking) {
    Map<String, Column> rest = new LinkedHashMap<>(columns);
    rest.keySet().removeAll(lacking);
    return new TableColumns(table, rest);
  }

  public RuleTable table() {
    return table;
  }

  public Map<String, Column> columns() {
    return columns;
  }

  public Column column(String name) {
    return Objects.requireNonNull(columns.get(name), name);
  }

  public Column key() {
    return column(table.keyColumn());
  }

  public boolean has(String column) {
    return columns.containsKey(column);
  }

  /** Returns the query for rows, with all columns in the order in which {@link #row} takes them. */
  public String select() {
    return "SELECT " + String.join(", ", columns.keySet()) + " FROM " + table.sqlName();
  }

  /** Returns the condition of the rows that people write: nodes hold and compare these. */
  public String ofPeople() {
    return has(BanRows.NUMBER) ? "NOT (" + BanRows.CONDITION + ")" : "1 = 1";
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

  public List<StoredRow> rows(ResultSet result) throws SQLException {
    return rows(result, UnaryOperator.identity());
  }

  /** Reads the current row of a result. */
  public StoredRow row(ResultSet result) throws SQLException {
    return row(result, new SeenTexts());
  }

  private StoredRow row(ResultSet result, SeenTexts seen) throws SQLException {
    @Nullable String[] texts = new String[columns.size()];
    int i = 0;
    for (Column column : columns.values()) {
      String text = column.type().read(result, i + 1);
      texts[i++] = text == null ? null : seen.shared(text);
    }
    RowTexts columnTexts = new RowTexts(names, texts);
    return new StoredRow(table, columnTexts.getOrDefault(table.keyColumn(), ""), columnTexts);
  }
}

package io.weir.internal.rules.database.change;

import io.weir.Ticker;
import io.weir.internal.rules.database.ChangeDetail;
import io.weir.internal.rules.database.ChangeInsert;
import io.weir.internal.rules.database.HistoryFilter;
import io.weir.internal.rules.database.RowJson;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.Sql;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.database.schema.RulesSchema;
import io.weir.rules.history.RuleChange;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads and writes {@code rule_changes}. */
public final class HistoryTable {
  private static final String ALL = select(ChangeDetail.ALL_ROWS);

  private final RulesSchema schema;
  private final Ticker ticker;

  public HistoryTable(RulesSchema schema, Ticker ticker) {
    this.schema = schema;
    this.ticker = ticker;
  }

  /** Returns the query for changes, with the columns that {@link #change} takes. */
  static String select(ChangeDetail detail) {
    return "SELECT number, at, by, table_name, row_key, "
        + column(detail, "before")
        + ", "
        + column(detail, "after")
        + " FROM weir.rule_changes";
  }

  /** Returns one of the columns with rows, as {@link #select} reads it. */
  static String column(ChangeDetail detail, String name) {
    return switch (detail) {
      case ALL_ROWS -> name;
      case WITHOUT_RULES ->
          "CASE WHEN table_name NOT IN " + RuleTable.ofRules() + " THEN " + name + " END";
    };
  }

  static RuleChange change(ResultSet row) throws SQLException {
    @Nullable String by = row.getString(3);
    return new RuleChange(
        row.getLong(1),
        Sql.time(row, 2),
        by == null ? "" : by,
        row.getString(4),
        row.getString(5),
        Optional.ofNullable(row.getString(6)),
        Optional.ofNullable(row.getString(7)));
  }

  public List<RuleChange> latest(Connection connection, HistoryFilter filter) throws SQLException {
    return changes(connection, filter.sql(ALL));
  }

  public List<RuleChange> of(Connection connection, String table, String rowKey)
      throws SQLException {
    return changes(
        connection,
        Sql.of(ALL + " WHERE table_name = ? AND row_key = ? ORDER BY number DESC", table, rowKey));
  }

  public Optional<RuleChange> find(Connection connection, long number) throws SQLException {
    return changes(connection, Sql.of(ALL + " WHERE number = ? AND table_name <> ''", number))
        .stream()
        .findFirst();
  }

  private List<RuleChange> changes(Connection connection, Sql sql) throws SQLException {
    return schema.hasHistory() ? sql.all(connection, HistoryTable::change) : List.of();
  }

  /** Writes a change that no trigger writes, so that at least Weir's own are in the history. */
  public void write(
      Connection connection, String author, @Nullable StoredRow before, @Nullable StoredRow after)
      throws SQLException {
    StoredRow row = after == null ? before : after;
    if (row == null) {
      throw new IllegalArgumentException("a change without a row");
    }
    if (schema.hasHistory() && !schema.tellsChanges() && row.table().isInHistory()) {
      ChangeInsert.run(
          connection,
          insertSql(),
          ticker.instant(),
          author,
          row.table().tableName(),
          row.key(),
          before == null ? null : RowJson.write(before.columns()),
          after == null ? null : RowJson.write(after.columns()));
    }
  }

  private String insertSql() {
    return ChangeInsert.sql("weir.rule_changes", schema.dialect());
  }

  /** Writes an announcement, which is no change of a row. */
  public void announce(
      Connection connection, String author, String kind, String key, Map<String, String> said)
      throws SQLException {
    ChangeInsert.run(
        connection, insertSql(), ticker.instant(), author, kind, key, null, RowJson.write(said));
  }
}

package io.weir.internal.rules.database;

import io.weir.rules.history.RuleChange;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of {@code rule_changes}. */
final class History {
  private final Schema schema;

  History(Schema schema) {
    this.schema = schema;
  }

  /** Asks for changes, with the columns that {@link #rows} takes. */
  String select() {
    return "SELECT number, at, by, table_name, row_key, before, after FROM rule_changes";
  }

  static List<RuleChange> rows(PreparedStatement statement) throws SQLException {
    List<RuleChange> changes = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        @Nullable String by = row.getString(3);
        changes.add(
            new RuleChange(
                row.getLong(1),
                row.getObject(2, OffsetDateTime.class).toInstant(),
                by == null ? "" : by,
                row.getString(4),
                row.getString(5),
                Optional.ofNullable(row.getString(6)),
                Optional.ofNullable(row.getString(7))));
      }
    }
    return changes;
  }

  List<RuleChange> latest(Connection connection, HistoryFilter filter) throws SQLException {
    if (!schema.hasHistory()) {
      return List.of();
    }
    try (PreparedStatement statement = connection.prepareStatement(filter.sql(select()))) {
      filter.bind(statement);
      return rows(statement);
    }
  }

  List<RuleChange> of(Connection connection, String table, String rowKey) throws SQLException {
    if (!schema.hasHistory()) {
      return List.of();
    }
    try (PreparedStatement statement =
        connection.prepareStatement(
            select() + " WHERE table_name = ? AND row_key = ? ORDER BY number DESC")) {
      statement.setString(1, table);
      statement.setString(2, rowKey);
      return rows(statement);
    }
  }

  Optional<RuleChange> find(Connection connection, long number) throws SQLException {
    if (!schema.hasHistory()) {
      return Optional.empty();
    }
    try (PreparedStatement statement =
        connection.prepareStatement(select() + " WHERE number = ?")) {
      statement.setLong(1, number);
      return rows(statement).stream().findFirst();
    }
  }

  /** Writes what no trigger does: at least Weir's own changes are in the history. */
  void write(
      Connection connection, String author, @Nullable StoredRow before, @Nullable StoredRow after)
      throws SQLException {
    StoredRow row = after == null ? before : after;
    if (row == null) {
      throw new IllegalArgumentException("a change without a row");
    }
    if (schema.hasHistory() && !schema.tellsChanges() && row.table().isInHistory()) {
      insert(connection, schema.dialect(), author, row, before, after);
    }
  }

  private static void insert(
      Connection connection,
      Dialect dialect,
      String author,
      StoredRow row,
      @Nullable StoredRow before,
      @Nullable StoredRow after)
      throws SQLException {
    insert(
        connection,
        insertSql("rule_changes", dialect),
        author,
        row.table().tableName(),
        row.key(),
        before == null ? null : RowJson.write(before.columns()),
        after == null ? null : RowJson.write(after.columns()));
  }

  /** Writes what is no change of a row. */
  static void announce(
      Connection connection,
      Dialect dialect,
      String author,
      String kind,
      String key,
      Map<String, String> said)
      throws SQLException {
    insert(
        connection,
        insertSql("rule_changes", dialect),
        author,
        kind,
        key,
        null,
        RowJson.write(said));
  }

  /** Adds a change to the table of a name, which may be qualified. */
  static String insertSql(String table, Dialect dialect) {
    String json = dialect == Dialect.POSTGRESQL ? "CAST(? AS jsonb)" : "?";
    return "INSERT INTO "
        + table
        + " (at, by, table_name, row_key, before, after) VALUES (?, ?, ?, ?, "
        + json
        + ", "
        + json
        + ")";
  }

  /** Runs {@link #insertSql}, with rows as JSON. */
  static void insert(
      Connection connection,
      String sql,
      String author,
      String table,
      String key,
      @Nullable String before,
      @Nullable String after)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, Instant.now().atOffset(ZoneOffset.UTC));
      statement.setString(2, author);
      statement.setString(3, table);
      statement.setString(4, key);
      statement.setString(5, before);
      statement.setString(6, after);
      statement.executeUpdate();
    }
  }
}

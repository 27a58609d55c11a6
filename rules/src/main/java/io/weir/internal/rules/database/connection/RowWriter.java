package io.weir.internal.rules.database.connection;

import io.weir.Ticker;
import io.weir.internal.rules.database.Column;
import io.weir.internal.rules.database.ColumnKind;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.SqlWork;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.database.TableShape;
import io.weir.internal.rules.database.change.HistoryTable;
import io.weir.internal.rules.database.schema.ExistingRulesSchema;
import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RuleProblem;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Adds, replaces and deletes rows, each in a transaction that the caller began. */
final class RowWriter {
  private final ExistingRulesSchema schema;
  private final HistoryTable history;
  private final Ticker ticker;

  RowWriter(ExistingRulesSchema schema, HistoryTable history, Ticker ticker) {
    this.schema = schema;
    this.history = history;
    this.ticker = ticker;
  }

  /** Finds one row. */
  static Optional<StoredRow> find(Connection connection, TableShape shape, String key)
      throws SQLException {
    return find(connection, shape, key, "");
  }

  private static Optional<StoredRow> find(
      Connection connection, TableShape shape, String key, String lock) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(shape.select() + whereKey(shape) + lock)) {
      shape.key().kind().bind(statement, 1, key);
      try (ResultSet result = statement.executeQuery()) {
        return result.next() ? Optional.of(shape.row(result)) : Optional.empty();
      }
    } catch (IllegalArgumentException noSuchKey) { // no number, or no UUID
      return Optional.empty();
    }
  }

  private static String whereKey(TableShape shape) {
    return " WHERE " + shape.table().keyColumn() + " = ?";
  }

  StoredRow insert(
      Connection connection, TableShape shape, Map<String, String> columns, String author)
      throws SQLException {
    Map<String, String> values = values(shape, columns);
    stamp(shape, values, null, author);
    emptyJson(shape, values);
    Map<String, String> places = new LinkedHashMap<>();
    values.keySet().forEach(name -> places.put(name, shape.column(name).kind().placeholder()));
    String sql =
        "INSERT INTO "
            + shape.table().tableName()
            + " ("
            + String.join(", ", places.keySet())
            + ") VALUES ("
            + String.join(", ", places.values())
            + ")";
    String key = change(connection, author, own -> insert(own, shape, sql, values));
    StoredRow row = find(connection, shape, key).orElseThrow();
    history.write(connection, author, null, row);
    return row;
  }

  StoredRow update(
      Connection connection,
      TableShape shape,
      StoredRow seen,
      Map<String, String> columns,
      String author)
      throws SQLException {
    StoredRow before = lock(connection, shape, seen);
    Map<String, String> values = values(shape, columns);
    values.remove(shape.table().keyColumn());
    stamp(shape, values, before, author);
    List<String> assignments = new ArrayList<>();
    values.forEach(
        (name, text) -> assignments.add(name + " = " + shape.column(name).kind().placeholder()));
    for (Column column : shape.columns().values()) {
      boolean stays =
          StoredRow.STAMPS.contains(column.name())
              || column.name().equals(shape.table().keyColumn());
      if (!stays && !values.containsKey(column.name())) {
        assignments.add(column.name() + (column.isRequired() ? " = DEFAULT" : " = NULL"));
      }
    }
    String sql =
        "UPDATE "
            + shape.table().tableName()
            + " SET "
            + String.join(", ", assignments)
            + whereKey(shape);
    change(connection, author, own -> run(own, shape, sql, values, seen.key()));
    StoredRow after = find(connection, shape, seen.key()).orElseThrow();
    history.write(connection, author, before, after);
    return after;
  }

  boolean delete(Connection connection, TableShape shape, StoredRow seen, String author)
      throws SQLException {
    StoredRow before = lock(connection, shape, seen);
    String sql = "DELETE FROM " + shape.table().tableName() + whereKey(shape);
    change(connection, author, own -> run(own, shape, sql, Map.of(), seen.key()));
    history.write(connection, author, before, null);
    return true;
  }

  /** Makes a change of which triggers know the author. */
  private <T> T change(Connection connection, String author, SqlWork<T> work) throws SQLException {
    schema.dialect().beginChange(connection, author);
    try {
      return work.on(connection);
    } finally {
      schema.dialect().endChange(connection);
    }
  }

  /** Inserts a row; its key comes back. */
  private static String insert(
      Connection connection, TableShape shape, String sql, Map<String, String> values)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(sql, new String[] {shape.table().keyColumn()})) {
      bind(statement, shape, values, 1);
      statement.executeUpdate();
      try (ResultSet keys = statement.getGeneratedKeys()) {
        keys.next();
        return keys.getString(1);
      }
    }
  }

  /** Runs a statement that names values first, and then the key. */
  private static int run(
      Connection connection, TableShape shape, String sql, Map<String, String> values, String key)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int next = bind(statement, shape, values, 1);
      shape.key().kind().bind(statement, next, key);
      return statement.executeUpdate();
    }
  }

  /** Locks and reads a row, if it is still as it was seen. */
  private StoredRow lock(Connection connection, TableShape shape, StoredRow seen)
      throws SQLException {
    String row = shape.table().tableName() + " " + shape.table().shown(seen.key());
    StoredRow now =
        find(connection, shape, seen.key(), " FOR UPDATE")
            .orElseThrow(() -> new ConflictException(row + " is gone"));
    // A version counts only where triggers raise it for everybody.
    boolean isSame =
        schema.tellsChanges() && shape.has("version")
            ? now.version() == seen.version()
            : now.columns().equals(seen.columns());
    if (!isSame) {
      throw new ConflictException(
          row
              + " has changed: it has version "
              + now.version()
              + ", and the change was made from version "
              + seen.version());
    }
    return now;
  }

  /** Selects the columns that the table has; fails for others. */
  private static Map<String, String> values(TableShape shape, Map<String, String> columns) {
    Map<String, String> values = new LinkedHashMap<>(columns);
    values.keySet().removeAll(StoredRow.STAMPS);
    List<RuleProblem> problems = new ArrayList<>();
    values.forEach(
        (name, text) -> {
          if (!shape.has(name)) {
            problems.add(problem(shape, columns, name, "the table has no such column"));
          } else if (shape.column(name).length() < text.codePointCount(0, text.length())
              && shape.column(name).length() > 0) {
            int most = shape.column(name).length();
            problems.add(
                problem(shape, columns, name, "has more than the table's " + most + " characters"));
          }
        });
    if (!problems.isEmpty()) {
      throw new InvalidRuleException(problems);
    }
    return values;
  }

  private static RuleProblem problem(
      TableShape shape, Map<String, String> columns, String name, String message) {
    RuleTable table = shape.table();
    String key = columns.getOrDefault(table.keyColumn(), "");
    return new RuleProblem(table.tableName(), table.shown(key), name, message, false);
  }

  /** Does the work of triggers where there are none. */
  private void stamp(
      TableShape shape, Map<String, String> values, @Nullable StoredRow before, String author) {
    String now = ticker.instant().toString();
    if (before == null && shape.has("created_at")) {
      values.put("created_at", now);
    }
    if (shape.has("updated_at")) {
      values.put("updated_at", now);
    }
    if (shape.has("version")) {
      values.put("version", String.valueOf(before == null ? 1 : before.version() + 1));
    }
    if (shape.has("updated_by")) {
      values.put("updated_by", author);
    }
  }

  /** An adopted table may require limits of its own of everybody. */
  private static void emptyJson(TableShape shape, Map<String, String> values) {
    for (Column column : shape.columns().values()) {
      if (column.name().equals("custom_limits") && column.isRequired()) {
        values.putIfAbsent(column.name(), "{}");
      }
    }
  }

  private static int bind(
      PreparedStatement statement, TableShape shape, Map<String, String> values, int first)
      throws SQLException {
    int next = first;
    for (Map.Entry<String, String> value : values.entrySet()) {
      ColumnKind kind = shape.column(value.getKey()).kind();
      try {
        kind.bind(statement, next++, value.getValue());
      } catch (IllegalArgumentException | DateTimeException e) {
        throw new InvalidRuleException(
            List.of(problem(shape, values, value.getKey(), kind.expectation())));
      }
    }
    return next;
  }
}

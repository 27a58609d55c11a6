package io.weir.internal.rules.database.connection;

import io.weir.Ticker;
import io.weir.internal.rules.database.Column;
import io.weir.internal.rules.database.ColumnType;
import io.weir.internal.rules.database.RowWrite;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.Sql;
import io.weir.internal.rules.database.SqlWork;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.database.TableColumns;
import io.weir.internal.rules.database.change.HistoryTable;
import io.weir.internal.rules.database.schema.RulesSchema;
import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RuleProblem;
import java.sql.Connection;
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
  private final RulesSchema schema;
  private final HistoryTable history;
  private final Ticker ticker;

  RowWriter(RulesSchema schema, HistoryTable history, Ticker ticker) {
    this.schema = schema;
    this.history = history;
    this.ticker = ticker;
  }

  static Optional<StoredRow> find(Connection connection, TableColumns table, String key)
      throws SQLException {
    return find(connection, table, key, "");
  }

  private static Optional<StoredRow> find(
      Connection connection, TableColumns table, String key, String lock) throws SQLException {
    try {
      return Sql.of(table.select())
          .then(whereKey(table, key))
          .then(lock)
          .first(connection, table::row);
    } catch (IllegalArgumentException noSuchKey) { // no number
      return Optional.empty();
    }
  }

  private static Sql whereKey(TableColumns table, String key) {
    return Sql.of(" WHERE " + table.table().keyColumn() + " = ?", table.key().type().value(key));
  }

  /** Makes a change, and returns the row, unless it was deleted. */
  Optional<StoredRow> write(Connection connection, RowWrite change, String author)
      throws SQLException {
    TableColumns table = schema.columns(change.table());
    Map<String, String> columns = change.columns().orElse(Map.of());
    if (change.seen().isEmpty()) {
      return Optional.of(insert(connection, table, columns, author));
    }
    StoredRow seen = change.seen().get();
    if (change.columns().isEmpty()) {
      delete(connection, table, seen, author);
      return Optional.empty();
    }
    return Optional.of(update(connection, table, seen, columns, author));
  }

  private StoredRow insert(
      Connection connection, TableColumns table, Map<String, String> columns, String author)
      throws SQLException {
    Map<String, String> values = values(table, columns);
    stamp(table, values, null, author);
    Sql sql =
        Sql.of(
                "INSERT INTO "
                    + table.table().sqlName()
                    + " ("
                    + String.join(", ", values.keySet())
                    + ") VALUES ")
            .then(Sql.list(typed(table, values)));
    String keyColumn = table.table().keyColumn();
    String key = change(connection, author, own -> sql.insert(own, keyColumn));
    StoredRow row = find(connection, table, key).orElseThrow();
    history.write(connection, author, null, row);
    return row;
  }

  private StoredRow update(
      Connection connection,
      TableColumns table,
      StoredRow seen,
      Map<String, String> columns,
      String author)
      throws SQLException {
    StoredRow before = lock(connection, table, seen);
    Map<String, String> values = values(table, columns);
    values.remove(table.table().keyColumn());
    stamp(table, values, before, author);
    List<String> assignments = new ArrayList<>();
    values.keySet().forEach(name -> assignments.add(name + " = ?"));
    for (Column column : table.columns().values()) {
      boolean stays =
          StoredRow.STAMPS.contains(column.name())
              || column.name().equals(table.table().keyColumn());
      if (!stays && !values.containsKey(column.name())) {
        assignments.add(column.name() + " = NULL");
      }
    }
    Sql sql =
        Sql.of(
                "UPDATE " + table.table().sqlName() + " SET " + String.join(", ", assignments),
                typed(table, values).toArray())
            .then(whereKey(table, seen.key()));
    change(connection, author, sql::update);
    StoredRow after = find(connection, table, seen.key()).orElseThrow();
    history.write(connection, author, before, after);
    return after;
  }

  private void delete(Connection connection, TableColumns table, StoredRow seen, String author)
      throws SQLException {
    StoredRow before = lock(connection, table, seen);
    Sql sql = Sql.of("DELETE FROM " + table.table().sqlName()).then(whereKey(table, seen.key()));
    change(connection, author, sql::update);
    history.write(connection, author, before, null);
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

  /** Locks and reads a row, if it is still as it was seen. */
  private StoredRow lock(Connection connection, TableColumns table, StoredRow seen)
      throws SQLException {
    String row = table.table().tableName() + " " + table.table().shown(seen.key());
    StoredRow now =
        find(connection, table, seen.key(), " FOR UPDATE")
            .orElseThrow(() -> new ConflictException(row + " no longer exists"));
    // A version counts only where triggers raise it for everybody.
    boolean isSame =
        schema.tellsChanges() && table.has("version")
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
  private static Map<String, String> values(TableColumns table, Map<String, String> columns) {
    Map<String, String> values = new LinkedHashMap<>(columns);
    values.keySet().removeAll(StoredRow.STAMPS);
    List<RuleProblem> problems = new ArrayList<>();
    values.forEach(
        (name, text) -> {
          if (!table.has(name)) {
            problems.add(
                problem(
                    table,
                    columns,
                    name,
                    "the table has no such column yet; the log of the start has the SQL that adds it"));
          } else if (table.column(name).length() < text.codePointCount(0, text.length())
              && table.column(name).length() > 0) {
            int most = table.column(name).length();
            problems.add(
                problem(table, columns, name, "has more than the table's " + most + " characters"));
          }
        });
    if (!problems.isEmpty()) {
      throw new InvalidRuleException(problems);
    }
    return values;
  }

  private static RuleProblem problem(
      TableColumns table, Map<String, String> columns, String name, String message) {
    RuleTable of = table.table();
    String key = columns.getOrDefault(of.keyColumn(), "");
    return new RuleProblem(of.tableName(), of.shown(key), name, message, false);
  }

  /** Does the work of triggers where there are none. */
  private void stamp(
      TableColumns table, Map<String, String> values, @Nullable StoredRow before, String author) {
    String now = ticker.instant().toString();
    if (before == null && table.has("created_at")) {
      values.put("created_at", now);
    }
    if (table.has("updated_at")) {
      values.put("updated_at", now);
    }
    if (table.has("version")) {
      values.put("version", String.valueOf(before == null ? 1 : before.version() + 1));
    }
    if (table.has("updated_by")) {
      values.put("updated_by", author);
    }
  }

  private static List<Object> typed(TableColumns table, Map<String, String> values) {
    List<Object> typed = new ArrayList<>();
    values.forEach(
        (name, text) -> {
          ColumnType type = table.column(name).type();
          try {
            typed.add(type.value(text));
          } catch (IllegalArgumentException | DateTimeException e) {
            throw new InvalidRuleException(
                List.of(problem(table, values, name, type.expectation())));
          }
        });
    return typed;
  }
}

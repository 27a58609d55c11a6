package io.weir.internal.rules.database;

import io.weir.internal.rules.database.SchemaScript.Makes;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What the database has of Weir's tables, and what it lacks.
 *
 * <p>Safe for concurrent use.
 */
final class Schema {
  private static final String HISTORY = "rule_changes";

  /** What Flyway puts the schema's name in place of. */
  private static final String SCHEMA = "${flyway:defaultSchema}";

  private final Dialect dialect;
  private final SchemaScript script;
  private final Map<String, Set<String>> columns = new LinkedHashMap<>();
  private final Map<RuleTable, TableShape> shapes =
      Collections.synchronizedMap(new EnumMap<>(RuleTable.class));
  private final boolean tellsChanges;
  private final boolean mayMigrate;
  private final List<String> missing;

  /** Looks at the tables of a database. */
  Schema(Connection connection) throws SQLException {
    dialect = Dialect.of(connection);
    script = SchemaScript.of(dialect);
    for (RuleTable table : RuleTable.values()) {
      TableShape shape = readAgain(connection, table);
      columns.put(table.tableName(), shape.columns().keySet());
    }
    for (String table : script.tables()) {
      if (!columns.containsKey(table)) {
        Set<String> known = script.columns(table);
        columns.put(table, TableShape.columns(connection, table, known).keySet());
      }
    }
    Set<String> triggers = dialect.triggers(connection);
    String schema = connection.getSchema();
    missing =
        missing(triggers).stream().map(sql -> sql.replace(SCHEMA, String.valueOf(schema))).toList();
    mayMigrate = dialect.mayCreateTables(connection);
    tellsChanges =
        hasHistory()
            && script.statements().stream()
                .filter(statement -> statement.makes() == Makes.TRIGGER)
                .allMatch(statement -> triggers.contains(statement.name()));
  }

  /** The columns that Weir knows, whether the table has them or not. */
  Set<String> columns(RuleTable table) {
    return script.columns(table.tableName());
  }

  /** Looks at one table again, which somebody may have changed while we run. */
  TableShape readAgain(Connection connection, RuleTable table) throws SQLException {
    Set<String> known = columns(table);
    TableShape shape = TableShape.read(connection, table, known);
    shapes.put(table, shape);
    return shape;
  }

  private List<String> missing(Set<String> triggers) {
    Set<String> sql = new LinkedHashSet<>();
    List<String> helpers = new ArrayList<>();
    for (SchemaScript.Statement statement : script.statements()) {
      boolean isThere =
          switch (statement.makes()) {
            case TABLE -> !has(statement.table()).isEmpty();
            case COLUMN -> has(statement.table()).contains(statement.name());
            case TRIGGER -> triggers.contains(statement.name());
            case OTHER -> true;
          };
      if (statement.makes() == Makes.OTHER) {
        helpers.add(statement.sql());
      } else if (!isThere) {
        if (statement.makes() == Makes.TRIGGER) {
          sql.addAll(helpers);
        }
        sql.add(statement.sql());
      }
    }
    return List.copyOf(sql);
  }

  /** Whether it is worth trying to make what is missing. */
  boolean mayMigrate() {
    return mayMigrate;
  }

  private Set<String> has(String table) {
    return columns.getOrDefault(table, Set.of());
  }

  /** The statements that would make what is missing; none if nothing is. */
  List<String> missing() {
    return missing;
  }

  /**
   * Whether rules can be read at all: what bare tables have must be there. A table may be missing
   * whole, except for that of the rules.
   *
   * @return the columns that are missing, each as {@code table.column}
   */
  List<String> bareColumnsMissing() {
    List<String> names = new ArrayList<>();
    for (RuleTable table : RuleTable.values()) {
      Set<String> has = has(table.tableName());
      if (!has.isEmpty() || table == RuleTable.RULES) {
        script.bareColumns(table.tableName()).stream()
            .filter(column -> !has.contains(column))
            .forEach(column -> names.add(table.tableName() + "." + column));
      }
    }
    return names;
  }

  Dialect dialect() {
    return dialect;
  }

  /** Whether the database tells changes by triggers. */
  boolean tellsChanges() {
    return tellsChanges;
  }

  /** Whether there is a table for the history, with or without triggers that write it. */
  boolean hasHistory() {
    return !has(HISTORY).isEmpty();
  }

  /** The columns of a table when it was last looked at. */
  TableShape shape(RuleTable table) {
    return Objects.requireNonNull(shapes.get(table));
  }

  /** The columns of a table that is to be written. */
  TableShape writable(RuleTable table) throws SQLException {
    TableShape shape = shape(table);
    if (!shape.exists()) {
      throw new SQLException("there is no table " + table.tableName(), "42P01");
    }
    return shape;
  }
}

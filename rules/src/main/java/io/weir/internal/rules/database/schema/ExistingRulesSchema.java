package io.weir.internal.rules.database.schema;

import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.TableShape;
import io.weir.internal.rules.database.schema.MigrationStatements.Makes;
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
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Determines which of Weir's tables and columns a database has, and which it lacks.
 *
 * <p>Safe for concurrent use.
 */
public final class ExistingRulesSchema {
  private static final String HISTORY = "rule_changes";

  private static final int OLDEST_POSTGRES = 14;
  private static final String RIGHTS = "SELECT, INSERT, UPDATE, DELETE";

  private final Dialect dialect;
  private final MigrationStatements script;
  private final Map<String, Set<String>> columns = new LinkedHashMap<>();
  private final Map<RuleTable, TableShape> shapes =
      Collections.synchronizedMap(new EnumMap<>(RuleTable.class));
  private final Set<String> unreadable;
  private final String name;
  private final boolean tellsChanges;
  private final boolean mayMigrate;
  private final MigrationHistory migrations;
  private final List<String> missing;
  private final List<String> grants;

  /**
   * Looks at the tables of a database.
   *
   * @throws SQLException if it is too old, its tables are in several schemas, or one without which
   *     nothing can be decided may not be read
   */
  ExistingRulesSchema(Connection connection) throws SQLException {
    dialect = Dialect.of(connection);
    requireVersion(connection);
    script = MigrationStatements.of(dialect);
    name = schemaOfTables(connection);
    String role = dialect.role(connection);
    unreadable = dialect.unreadable(connection, script.tables());
    requireEssential(role);
    for (RuleTable table : RuleTable.values()) {
      TableShape shape = isReadable(table) ? readAgain(connection, table) : none(table);
      columns.put(table.tableName(), shape.columns().keySet());
    }
    for (String table : script.tables()) {
      if (!columns.containsKey(table) && !unreadable.contains(table)) {
        Set<String> known = script.columns(table);
        columns.put(table, TableShape.columns(connection, table, known).keySet());
      }
    }
    Set<String> triggers = dialect.triggers(connection);
    missing =
        missing(triggers, dialect.indexes(connection)).stream()
            .map(sql -> MigrationScript.in(name, sql))
            .toList();
    mayMigrate = dialect.mayCreateTables(connection, name);
    // After the columns: without a history no node had begun when they were looked at.
    migrations = MigrationHistory.read(connection, dialect, name);
    grants = grants(role);
    tellsChanges =
        hasHistory()
            && script.statements().stream()
                .filter(statement -> statement.makes() == Makes.TRIGGER)
                .allMatch(statement -> triggers.contains(statement.name()));
  }

  private void requireVersion(Connection connection) throws SQLException {
    int version = connection.getMetaData().getDatabaseMajorVersion();
    if (dialect == Dialect.POSTGRESQL && version < OLDEST_POSTGRES) {
      throw new SQLException(
          "rules need PostgreSQL " + OLDEST_POSTGRES + " or newer, and this is " + version,
          "0A000");
    }
  }

  /**
   * Returns the schema in which tables are made: that of those that are there, or else the first of
   * the search path. Were it always the first one, an empty second set would hide the first set,
   * from the application as well.
   */
  private String schemaOfTables(Connection connection) throws SQLException {
    Map<String, List<String>> schemas = new TreeMap<>();
    for (String table : script.tables()) {
      String schema = dialect.schemaOf(connection, table);
      if (!schema.isEmpty()) {
        schemas.computeIfAbsent(schema, any -> new ArrayList<>()).add(table);
      }
    }
    if (schemas.size() > 1) {
      throw new SQLException(
          "the search path of the rules' connection leads to tables in several schemas: "
              + schemas
              + ". Leave one schema with tables of Weir in it (ALTER ROLE … SET search_path, or"
              + " currentSchema in the address)",
          "3F000");
    }
    return schemas.isEmpty() ? firstSchema(connection) : schemas.keySet().iterator().next();
  }

  private static String firstSchema(Connection connection) throws SQLException {
    @Nullable String first = connection.getSchema();
    if (first == null) {
      throw new SQLException(
          "the search path of the rules' connection leads to no schema that its role may use;"
              + " ALTER ROLE … SET search_path or currentSchema in the address names one, GRANT"
              + " USAGE ON SCHEMA lets the role use it",
          "3F000");
    }
    return first;
  }

  private void requireEssential(String role) throws SQLException {
    for (RuleTable table : RuleTable.values()) {
      if (!isReadable(table) && table.isEssential()) {
        throw new SQLException(
            "permission denied for table "
                + table.tableName()
                + "; this permits it: "
                + grant(table.tableName(), role),
            "42501");
      }
    }
  }

  private boolean isReadable(RuleTable table) {
    return !unreadable.contains(table.tableName());
  }

  private TableShape none(RuleTable table) {
    TableShape none = TableShape.none(table);
    shapes.put(table, none);
    return none;
  }

  private List<String> grants(String role) {
    Set<String> tables = new LinkedHashSet<>(unreadable);
    script.tables().stream().filter(table -> has(table).isEmpty()).forEach(tables::add);
    return tables.stream().map(table -> grant(table, role)).toList();
  }

  private String grant(String table, String role) {
    String schema = dialect == Dialect.POSTGRESQL ? Dialect.quoted(name) + "." : "";
    return "GRANT " + RIGHTS + " ON " + schema + table + " TO " + role;
  }

  /** Returns the columns that Weir knows, whether the table has them or not. */
  public Set<String> columns(RuleTable table) {
    return script.columns(table.tableName());
  }

  /** Reads the columns of one table again, which may have been changed since. */
  public TableShape readAgain(Connection connection, RuleTable table) throws SQLException {
    Set<String> known = columns(table);
    TableShape shape = TableShape.read(connection, table, known);
    shapes.put(table, shape);
    return shape;
  }

  private List<String> missing(Set<String> triggers, Set<String> indexes) {
    Set<String> sql = new LinkedHashSet<>(notesOfAdopted());
    List<String> helpers = new ArrayList<>();
    for (MigrationStatements.Statement statement : script.statements()) {
      if (unreadable.contains(statement.table())) {
        continue;
      }
      boolean isThere =
          switch (statement.makes()) {
            case TABLE, STORAGE -> !has(statement.table()).isEmpty();
            case COLUMN -> has(statement.table()).contains(statement.name());
            case INDEX -> indexes.contains(statement.name());
            case TRIGGER -> triggers.contains(statement.name());
            case NO_TRIGGER -> !triggers.contains(statement.name());
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

  /** Returns whether no node has begun to migrate, so that all columns are the application's. */
  boolean isUntouched() {
    return !migrations.isThere();
  }

  /**
   * Makes the table of columns that aren't Weir's, with those that are there already: first, as
   * their owner can't be determined later.
   */
  List<String> notesOfAdopted() {
    List<String> sql = new ArrayList<>();
    if (has(AdoptedColumns.TABLE).isEmpty() && !unreadable.contains(AdoptedColumns.TABLE)) {
      sql.add(creates(AdoptedColumns.TABLE));
      addable()
          .forEach(
              (table, found) ->
                  found.forEach(column -> sql.add(AdoptedColumns.note(table, column))));
    }
    return sql;
  }

  /** Returns whether the role may make what is missing. */
  boolean mayMigrate() {
    return mayMigrate;
  }

  /** Returns whether nothing is missing and each script has run. */
  boolean isMigrated() {
    return missing.isEmpty() && unreadable.isEmpty() && scriptsToRun().isEmpty();
  }

  /** Returns the scripts that haven't run. */
  List<MigrationScript> scriptsToRun() {
    return script.scripts().stream().filter(each -> !migrations.has(each)).toList();
  }

  /**
   * Refuses a database in which other scripts have run than this version has.
   *
   * @throws IllegalStateException if so
   */
  void requireKnownScripts() {
    migrations.requireKnown(script.scripts());
  }

  private Set<String> has(String table) {
    return columns.getOrDefault(table, Set.of());
  }

  /** Returns the statements that would make what is missing. */
  List<String> missing() {
    return missing;
  }

  /** Returns the statements that grant this role what another role makes by {@link #missing}. */
  List<String> grants() {
    return grants;
  }

  /** Returns the statement that sets the schema of the tables before {@link #missing}. */
  List<String> path() {
    return dialect == Dialect.POSTGRESQL
        ? List.of("SET search_path = " + Dialect.quoted(name))
        : List.of();
  }

  /** Existing tables that may not be read. */
  Set<String> unreadable() {
    return unreadable;
  }

  /** Returns the schema of the tables, existing or to be made. */
  String name() {
    return name;
  }

  /** Existing columns among those that Weir would add, by table. */
  Map<String, Set<String>> addable() {
    Map<String, Set<String>> addable = new TreeMap<>();
    columns.forEach(
        (table, found) ->
            found.stream()
                .filter(column -> script.adds(table, column))
                .forEach(
                    column -> addable.computeIfAbsent(table, any -> new TreeSet<>()).add(column)));
    return addable;
  }

  /** Returns the statement that makes a table. */
  private String creates(String table) {
    return script.statements().stream()
        .filter(each -> each.makes() == Makes.TABLE && each.table().equals(table))
        .map(MigrationStatements.Statement::sql)
        .findFirst()
        .orElseThrow();
  }

  /**
   * Returns whether rules can be read at all: what bare tables have must be there. A table may be
   * missing whole, except for that of the rules.
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

  public Dialect dialect() {
    return dialect;
  }

  /** Returns whether triggers report changes. */
  public boolean tellsChanges() {
    return tellsChanges;
  }

  /** Returns whether there is a table of the history, with or without triggers that write to it. */
  public boolean hasHistory() {
    return !has(HISTORY).isEmpty();
  }

  /** Returns the columns of a table when it was last looked at. */
  public TableShape shape(RuleTable table) {
    return Objects.requireNonNull(shapes.get(table));
  }

  /** Returns the columns of a table that is to be written. */
  public TableShape writable(RuleTable table) throws SQLException {
    TableShape shape = shape(table);
    if (!shape.exists()) {
      throw new SQLException("there is no table " + table.tableName(), "42P01");
    }
    return shape;
  }
}

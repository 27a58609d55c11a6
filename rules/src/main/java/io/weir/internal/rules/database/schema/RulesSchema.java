package io.weir.internal.rules.database.schema;

import io.weir.internal.rules.database.BanRows;
import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.SchemaName;
import io.weir.internal.rules.database.TableColumns;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Determines which of Weir's tables, columns, indexes and triggers its schema has, and which it
 * lacks.
 *
 * <p>Immutable.
 */
public final class RulesSchema {
  private static final String HISTORY = "rule_changes";

  /** The tables that a node writes bans to. */
  public static final Set<String> OF_BANS = Set.of("access_list", "weir_duties");

  private static final int OLDEST_POSTGRES = 14;
  private static final String RIGHTS = "SELECT, INSERT, UPDATE, DELETE";

  private final Dialect dialect;
  private final SchemaName name;
  private final String role;
  private final boolean isThere;
  private final boolean isUsable;
  private final Set<String> own;
  private final Set<String> tables;
  private final Set<String> unreadable;
  private final Set<String> triggers;
  private final Set<String> indexes;

  /** Each as {@code table.column}. */
  private final Set<String> columns;

  private final Map<RuleTable, TableColumns> readable = new EnumMap<>(RuleTable.class);
  private final boolean mayMigrate;
  private final List<MigrationScript> scripts;
  private final MigrationHistory migrations;

  /**
   * Looks at the tables of a database.
   *
   * @throws SQLException if it is too old
   */
  RulesSchema(Connection connection, SchemaName name) throws SQLException {
    this.dialect = Dialect.of(connection);
    this.name = name;
    requireVersion(connection);
    this.role = dialect.role(connection);
    this.isThere = dialect.hasSchema(connection);
    this.isUsable = !isThere || dialect.mayUseSchema(connection);
    this.scripts = MigrationScript.of(dialect);
    this.own = made(SchemaObject.Kind.TABLE);
    own.add(MigrationHistory.TABLE);
    this.tables = dialect.tables(connection, own);
    this.unreadable = dialect.unreadable(connection, own);
    this.triggers = dialect.triggers(connection);
    this.indexes = dialect.indexes(connection);
    this.columns = dialect.columns(connection);
    for (RuleTable table : RuleTable.values()) {
      readable.put(table, TableColumns.of(table).without(lacking(table)));
    }
    this.mayMigrate = dialect.mayCreateTables(connection);
    this.migrations = MigrationHistory.read(connection, dialect);
  }

  /** Returns the names of all that the scripts make of a kind. */
  private Set<String> made(SchemaObject.Kind kind) {
    return all(kind).map(SchemaObject::name).collect(Collectors.toCollection(TreeSet::new));
  }

  private Stream<SchemaObject> all(SchemaObject.Kind kind) {
    return scripts.stream()
        .flatMap(script -> script.statements().stream())
        .flatMap(statement -> SchemaObject.of(statement).stream())
        .filter(each -> each.kind() == kind);
  }

  /** Returns the columns that a later script adds to a table, and that it doesn't have. */
  private Set<String> lacking(RuleTable table) {
    return all(SchemaObject.Kind.COLUMN)
        .filter(each -> each.table().equals(table.tableName()) && !hasColumn(each))
        .map(SchemaObject::name)
        .collect(Collectors.toSet());
  }

  private boolean hasColumn(SchemaObject column) {
    return columns.contains(column.table() + "." + column.name());
  }

  private void requireVersion(Connection connection) throws SQLException {
    int version = connection.getMetaData().getDatabaseMajorVersion();
    if (dialect == Dialect.POSTGRESQL && version < OLDEST_POSTGRES) {
      throw new SQLException(
          "rules need PostgreSQL " + OLDEST_POSTGRES + " or newer, and this is " + version,
          "0A000");
    }
  }

  boolean isThere() {
    return isThere;
  }

  /** Returns whether the role may make what is missing. */
  boolean mayMigrate() {
    return mayMigrate;
  }

  /** Returns whether nothing is missing and each script has run. */
  boolean isMigrated() {
    return isThere && unreadable.isEmpty() && scriptsToRun().isEmpty() && repairs().isEmpty();
  }

  /** Returns the scripts that haven't run; none if that can't be read. */
  List<MigrationScript> scriptsToRun() {
    return unreadable.contains(MigrationHistory.TABLE)
        ? List.of()
        : scripts.stream().filter(each -> !migrations.has(each)).toList();
  }

  void requireKnownScripts() {
    migrations.requireKnown(scripts);
  }

  /**
   * Returns the statements that make what is missing though its script has run: a table that was
   * dropped, say. Functions are made again, since triggers need them.
   */
  List<String> repairs() {
    return missing(scripts.stream().filter(migrations::has).toList());
  }

  private List<String> missing(List<MigrationScript> some) {
    List<String> sql = new ArrayList<>();
    boolean isAny = some.stream().anyMatch(scriptsToRun()::contains);
    for (MigrationScript script : some) {
      for (String statement : script.statements()) {
        Optional<SchemaObject> made = SchemaObject.of(statement);
        if (made.isEmpty()) {
          sql.add(statement);
        } else if (isMissing(made.get())) {
          sql.add(statement);
          isAny = true;
        }
      }
    }
    return isAny ? sql : List.of();
  }

  private boolean isMissing(SchemaObject made) {
    if (unreadable.contains(made.table())) {
      return false;
    }
    return switch (made.kind()) {
      case TABLE -> !tables.contains(made.name());
      case COLUMN -> !hasColumn(made);
      case INDEX -> !indexes.contains(made.name());
      case TRIGGER -> !triggers.contains(made.name());
    };
  }

  /** Returns the statements that would make what is missing, and let this role use it. */
  List<String> missing() {
    List<String> sql = new ArrayList<>();
    if (!isThere) {
      sql.add("CREATE SCHEMA weir");
    }
    if (!migrations.isThere() && !unreadable.contains(MigrationHistory.TABLE)) {
      sql.add(MigrationHistory.create(dialect));
    }
    sql.addAll(missing(scripts));
    scriptsToRun().forEach(script -> sql.add(MigrationHistory.add(script)));
    sql.addAll(grants());
    return sql.stream().map(each -> name.in(each, dialect)).toList();
  }

  private List<String> grants() {
    List<String> sql = new ArrayList<>();
    if (dialect == Dialect.POSTGRESQL && !(isThere && isUsable)) {
      sql.add("GRANT USAGE ON SCHEMA " + name.identifier(dialect) + " TO " + role);
    }
    Set<String> without = new TreeSet<>(own);
    without.removeAll(tables);
    without.forEach(table -> sql.add(grant(table)));
    return sql;
  }

  private String grant(String table) {
    return "GRANT " + RIGHTS + " ON weir." + table + " TO " + role;
  }

  /**
   * Returns what keeps rules from being read at all; empty if nothing does. Tables without which no
   * decision is possible must be there, and readable.
   */
  String obstacle() {
    if (!isThere) {
      return "the rules' database has no schema " + name.name();
    }
    if (!isUsable) {
      return "permission denied for schema " + name.name();
    }
    for (RuleTable table : RuleTable.values()) {
      if (table.isEssential() && unreadable.contains(table.tableName())) {
        return "permission denied for table " + name.name() + "." + table.tableName();
      }
      if (table.isEssential() && !has(table)) {
        return "the rules' database has no table " + name.name() + "." + table.tableName();
      }
    }
    return scriptsToRun().isEmpty() || !migrations.isThere()
        ? ""
        : "scripts of this version haven't run in the schema " + name.name();
  }

  /** Existing tables that may not be read. */
  Set<String> unreadable() {
    return unreadable;
  }

  public SchemaName name() {
    return name;
  }

  public Dialect dialect() {
    return dialect;
  }

  /** Returns whether there is a table that may be read. */
  public boolean has(RuleTable table) {
    return tables.contains(table.tableName());
  }

  /** Returns the columns of a table; those that later scripts add, only if the table has them. */
  public TableColumns columns(RuleTable table) {
    return Objects.requireNonNull(readable.get(table), table.tableName());
  }

  /** Returns whether there are all columns of bans, and the table may be read. */
  public boolean hasBans() {
    return has(RuleTable.ENTRIES)
        && columns.contains("access_list." + BanRows.NUMBER)
        && columns.contains("weir_duties.number");
  }

  public boolean tellsChanges() {
    return hasHistory() && triggers.containsAll(made(SchemaObject.Kind.TRIGGER));
  }

  /** Returns whether there is a table of the history, with or without triggers that write to it. */
  public boolean hasHistory() {
    return tables.contains(HISTORY);
  }
}

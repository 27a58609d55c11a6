package io.weir.internal.rules.database.schema;

import io.weir.internal.rules.database.Dialect;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Knows what each statement of the scripts makes: so the tables are defined once, and it is known
 * which statements a database still needs. Immutable.
 */
final class MigrationStatements {
  private static final Pattern COLUMN =
      Pattern.compile("(?i)ALTER TABLE (\\w+) ADD COLUMN IF NOT EXISTS (\\w+) .*");
  private static final Pattern TABLE =
      Pattern.compile("(?is)CREATE TABLE IF NOT EXISTS (\\w+) \\((.*)\\).*");
  private static final Pattern TRIGGER =
      Pattern.compile(
          "(?is)CREATE (?:OR REPLACE )?TRIGGER (?:IF NOT EXISTS )?(\\w+) .* ON (\\w+)\\s.*");

  private static final Pattern INDEX =
      Pattern.compile("(?is)CREATE (?:UNIQUE )?INDEX IF NOT EXISTS (\\w+) ON (\\w+) .*");

  private static final Pattern STORAGE = Pattern.compile("(?i)ALTER TABLE (\\w+) SET \\(.*\\)");

  private static final Pattern NO_TRIGGER =
      Pattern.compile("(?is)DROP TRIGGER IF EXISTS (\\w+)(?: ON \\w+)?");

  private final List<MigrationScript> scripts;
  private final List<Statement> statements;

  private MigrationStatements(List<MigrationScript> scripts, List<Statement> statements) {
    this.scripts = List.copyOf(scripts);
    this.statements = List.copyOf(statements);
  }

  /** Reads the scripts of a database. */
  static MigrationStatements of(Dialect dialect) {
    List<MigrationScript> scripts = MigrationScript.of(dialect);
    List<Statement> all = new ArrayList<>();
    scripts.forEach(script -> script.statements().forEach(sql -> add(sql, all)));
    return new MigrationStatements(scripts, all);
  }

  /** Leaves out statements whose result a later script drops. */
  private static void add(String sql, List<Statement> all) {
    Matcher dropped = NO_TRIGGER.matcher(sql);
    if (!dropped.matches()) {
      all.add(statement(sql));
      return;
    }
    String name = dropped.group(1);
    for (Statement each : List.copyOf(all)) {
      if (each.makes() == Makes.TRIGGER && each.name().equals(name)) {
        all.remove(each);
        all.add(new Statement(Makes.NO_TRIGGER, each.table(), name, sql));
      }
    }
  }

  /** The kind of object that a statement makes. */
  enum Makes {
    TABLE,
    COLUMN,
    INDEX,
    TRIGGER,
    /** The removal of an earlier version's trigger. */
    NO_TRIGGER,
    /** A storage parameter, which only a table that is made needs. */
    STORAGE,
    /** A function, which is made before its users. */
    OTHER
  }

  /**
   * One statement.
   *
   * @param makes the kind of object
   * @param table the table; empty of a function
   * @param name of the column, index or trigger; else empty
   * @param sql without the semicolon at its end
   */
  record Statement(Makes makes, String table, String name, String sql) {}

  /** Returns the scripts, in the order in which they run. */
  List<MigrationScript> scripts() {
    return scripts;
  }

  /** Returns all statements, in the order in which they run. */
  List<Statement> statements() {
    return statements;
  }

  /** Returns the tables that Weir makes. */
  Set<String> tables() {
    Set<String> names = new LinkedHashSet<>();
    for (Statement statement : statements) {
      if (statement.makes() == Makes.TABLE) {
        names.add(statement.table());
      }
    }
    return names;
  }

  /** Returns the columns that Weir knows of a table. */
  Set<String> columns(String table) {
    Set<String> names = new LinkedHashSet<>();
    for (Statement statement : statements) {
      if (!statement.table().equals(table)) {
        continue;
      }
      if (statement.makes() == Makes.COLUMN) {
        names.add(statement.name());
      } else if (statement.makes() == Makes.TABLE) {
        names.addAll(firstColumns(statement.sql()));
      }
    }
    return names;
  }

  /** Returns whether Weir adds a column to a table where that is missing. */
  boolean adds(String table, String column) {
    return statements.stream()
        .anyMatch(
            each ->
                each.makes() == Makes.COLUMN
                    && each.table().equals(table)
                    && each.name().equals(column));
  }

  /** Returns the columns that an adopted table must have at least. */
  Set<String> bareColumns(String table) {
    Set<String> names = new LinkedHashSet<>();
    for (Statement statement : statements) {
      if (statement.makes() == Makes.TABLE && statement.table().equals(table)) {
        names.addAll(firstColumns(statement.sql()));
      }
    }
    return names;
  }

  private static List<String> firstColumns(String sql) {
    Matcher table = TABLE.matcher(sql);
    List<String> names = new ArrayList<>();
    if (table.matches()) {
      for (String line : table.group(2).strip().split("\n")) {
        names.add(line.strip().split(" ")[0]);
      }
    }
    return names;
  }

  private static Statement statement(String sql) {
    Matcher column = COLUMN.matcher(sql);
    if (column.matches()) {
      return new Statement(Makes.COLUMN, column.group(1), column.group(2), sql);
    }
    Matcher table = TABLE.matcher(sql);
    if (table.matches()) {
      return new Statement(Makes.TABLE, table.group(1), "", sql);
    }
    Matcher index = INDEX.matcher(sql);
    if (index.matches()) {
      return new Statement(Makes.INDEX, index.group(2), index.group(1), sql);
    }
    Matcher trigger = TRIGGER.matcher(sql);
    if (trigger.matches()) {
      return new Statement(Makes.TRIGGER, trigger.group(2), trigger.group(1), sql);
    }
    Matcher storage = STORAGE.matcher(sql);
    if (storage.matches()) {
      return new Statement(Makes.STORAGE, storage.group(1), "", sql);
    }
    return new Statement(Makes.OTHER, "", "", sql);
  }
}

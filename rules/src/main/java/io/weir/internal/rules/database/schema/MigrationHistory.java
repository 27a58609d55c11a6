package io.weir.internal.rules.database.schema;

import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Holds which scripts have run in a schema. */
final class MigrationHistory {
  static final String TABLE = "weir_schema_history";

  /** The row that nodes lock in H2, also while no script has run. */
  private static final String FIRST = "0";

  private static final String CREATE =
      "CREATE TABLE IF NOT EXISTS weir."
          + TABLE
          + " (version VARCHAR(50) PRIMARY KEY, script VARCHAR(200) NOT NULL, checksum INTEGER NOT"
          + " NULL, at TIMESTAMP(6) WITH TIME ZONE NOT NULL)";

  private static final MigrationHistory NONE = new MigrationHistory(false, Map.of());

  private final boolean isThere;
  private final Map<String, Entry> entries;

  private MigrationHistory(boolean isThere, Map<String, Entry> entries) {
    this.isThere = isThere;
    this.entries = entries;
  }

  private record Entry(String file, int checksum) {}

  /** Reads it; as if no script had run if there is no such table, or it can't be read. */
  static MigrationHistory read(Connection connection, Dialect dialect) throws SQLException {
    if (dialect.tables(connection, Set.of(TABLE)).isEmpty()) {
      return NONE;
    }
    Map<String, Entry> entries = new TreeMap<>();
    Sql.of("SELECT version, script, checksum FROM weir." + TABLE)
        .each(
            connection,
            row -> entries.put(row.getString(1), new Entry(row.getString(2), row.getInt(3))));
    entries.remove(FIRST);
    return new MigrationHistory(true, entries);
  }

  /** Returns whether a node has begun to migrate. */
  boolean isThere() {
    return isThere;
  }

  boolean has(MigrationScript script) {
    return entries.containsKey(script.version());
  }

  /**
   * Throws {@link IllegalStateException} if a script has run that isn't among these, or was
   * another.
   */
  void requireKnown(List<MigrationScript> scripts) {
    entries.forEach(
        (version, entry) -> {
          List<MigrationScript> known =
              scripts.stream().filter(each -> each.version().equals(version)).toList();
          if (known.isEmpty()) {
            throw refused(
                "a newer version of Weir has created or changed the tables: "
                    + entry.file()
                    + " has run, and this version ends with "
                    + scripts.get(scripts.size() - 1).file());
          }
          MigrationScript script = known.get(0);
          if (!entry.equals(new Entry(script.file(), script.checksum()))) {
            throw refused(
                "another script has run as version "
                    + version
                    + ": "
                    + entry.file()
                    + " with the checksum "
                    + entry.checksum()
                    + ", and this version of Weir has "
                    + script.file()
                    + " with "
                    + script.checksum());
          }
        });
  }

  private static IllegalStateException refused(String why) {
    return new IllegalStateException(
        "the rules' database has a "
            + TABLE
            + " that doesn't match: "
            + why
            + ". Use the version of Weir that created the tables, or a newer one; or set"
            + " weir.rules.migrate=false to use them unchanged");
  }

  /** Locks the rows until the transaction ends. */
  static void lock(Statement statement) throws SQLException {
    statement.execute("SELECT * FROM weir." + TABLE + " FOR UPDATE");
  }

  /** Returns the statement that makes the table, unless it is there. */
  static String create(Dialect dialect) {
    return dialect == Dialect.H2
        ? CREATE + " AS SELECT '" + FIRST + "', 'none', 0, CURRENT_TIMESTAMP"
        : CREATE;
  }

  /** Returns the statement that notes that a script has run. */
  static String add(MigrationScript script) {
    return "INSERT INTO weir."
        + TABLE
        + " (version, script, checksum, at) VALUES ('"
        + script.version()
        + "', '"
        + script.file()
        + "', "
        + script.checksum()
        + ", CURRENT_TIMESTAMP)";
  }
}

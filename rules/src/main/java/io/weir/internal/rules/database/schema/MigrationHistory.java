package io.weir.internal.rules.database.schema;

import io.weir.internal.rules.database.Dialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Holds which scripts have run in a database. The table is Flyway's, which earlier versions of Weir
 * used: nodes of both kinds go on where the other has stopped.
 */
final class MigrationHistory {
  /** The table, apart from that of an application's own Flyway. */
  static final String TABLE = "weir_schema_history";

  private static final String CREATE =
      "CREATE TABLE IF NOT EXISTS \""
          + TABLE
          + "\" (\"installed_rank\" INT NOT NULL, \"version\" VARCHAR(50),"
          + " \"description\" VARCHAR(200) NOT NULL, \"type\" VARCHAR(20) NOT NULL,"
          + " \"script\" VARCHAR(1000) NOT NULL, \"checksum\" INT,"
          + " \"installed_by\" VARCHAR(100) NOT NULL,"
          + " \"installed_on\" TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL,"
          + " \"execution_time\" INT NOT NULL, \"success\" BOOLEAN NOT NULL,"
          + " CONSTRAINT \""
          + TABLE
          + "_pk\" PRIMARY KEY (\"installed_rank\"))";

  /** The row that nodes lock in H2, also while no script has run. */
  private static final String FIRST_ROW =
      " AS SELECT -1, NULL, '<< Flyway Schema History table created >>', 'TABLE', '', NULL,"
          + " CURRENT_USER, CURRENT_TIMESTAMP, 0, TRUE";

  private static final MigrationHistory NONE = new MigrationHistory(false, Map.of());

  private final boolean isThere;
  private final Map<String, Entry> entries;

  private MigrationHistory(boolean isThere, Map<String, Entry> entries) {
    this.isThere = isThere;
    this.entries = entries;
  }

  private record Entry(String file, int checksum) {}

  /**
   * Reads it; as if no script had run if there is no such table, or it can't be read.
   *
   * @param schema the schema of the table
   */
  static MigrationHistory read(Connection connection, Dialect dialect, String schema)
      throws SQLException {
    if (dialect == Dialect.H2) {
      try {
        return read(connection, '"' + TABLE + '"');
      } catch (SQLException noTableOrNoRight) { // which breaks no transaction there
        return NONE;
      }
    }
    String table = Dialect.quoted(schema) + "." + TABLE;
    return dialect.tables(connection, Set.of(table)).isEmpty() ? NONE : read(connection, table);
  }

  private static MigrationHistory read(Connection connection, String table) throws SQLException {
    Map<String, Entry> entries = new TreeMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT \"version\", \"script\", \"checksum\" FROM "
                    + table
                    + " WHERE \"success\" AND \"type\" = 'SQL' AND \"version\" IS NOT NULL")) {
      while (rows.next()) {
        entries.put(rows.getString(1), new Entry(rows.getString(2), rows.getInt(3)));
      }
    }
    return new MigrationHistory(true, entries);
  }

  /** Returns whether a node has begun to migrate. */
  boolean isThere() {
    return isThere;
  }

  /** Returns whether no script has run to its end. */
  boolean isEmpty() {
    return entries.isEmpty();
  }

  boolean has(MigrationScript script) {
    return entries.containsKey(script.version());
  }

  /**
   * Refuses a database in which other scripts have run than this version has.
   *
   * @throws IllegalStateException if one isn't among these, or was another
   */
  void requireKnown(List<MigrationScript> scripts) {
    entries.forEach(
        (version, entry) -> {
          List<MigrationScript> known =
              scripts.stream().filter(each -> each.version().equals(version)).toList();
          if (known.isEmpty()) {
            throw refused(
                "a newer version of Weir has made or changed the tables: "
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
            + " that doesn't fit: "
            + why
            + ". Use the version of Weir that made the tables, or a newer one; or set"
            + " weir.rules.migrate=false, which uses them as they are");
  }

  /**
   * Locks the rows until the transaction ends, and forgets scripts that failed: Flyway left them in
   * H2, and refused to run again.
   */
  static void lock(Statement statement) throws SQLException {
    statement.execute("DELETE FROM \"" + TABLE + "\" WHERE NOT \"success\"");
    statement.execute("SELECT * FROM \"" + TABLE + "\" FOR UPDATE");
  }

  /** Makes the table in the current schema, unless it is there. */
  static void create(Statement statement, Dialect dialect) throws SQLException {
    statement.execute(dialect == Dialect.H2 ? CREATE + FIRST_ROW : CREATE);
  }

  /** Notes that a script has run. */
  static void add(Statement statement, MigrationScript script) throws SQLException {
    statement.execute(
        "INSERT INTO \""
            + TABLE
            + "\" (\"installed_rank\", \"version\", \"description\", \"type\", \"script\","
            + " \"checksum\", \"installed_by\", \"execution_time\", \"success\")"
            + " SELECT GREATEST(COALESCE(MAX(\"installed_rank\"), 0), 0) + 1, '"
            + String.join("', '", script.version(), script.description(), "SQL", script.file())
            + "', "
            + script.checksum()
            + ", CURRENT_USER, 0, TRUE FROM \""
            + TABLE
            + "\"");
  }
}

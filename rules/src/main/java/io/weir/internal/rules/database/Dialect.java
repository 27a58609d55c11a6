package io.weir.internal.rules.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The differences between H2 and PostgreSQL. */
public enum Dialect {
  H2(
      "h2",
      "SET @weir_author = ?",
      "SELECT schema_name FROM information_schema.schemata WHERE LOWER(schema_name) = 'weir'",
      "SELECT trigger_name FROM information_schema.triggers"
          + " WHERE LOWER(event_object_schema) = 'weir'",
      "SELECT index_name FROM information_schema.indexes WHERE LOWER(table_schema) = 'weir'",
      "SELECT table_name FROM information_schema.tables WHERE LOWER(table_schema) = 'weir'",
      "SELECT '\"' || CURRENT_USER || '\"'"),
  POSTGRESQL(
      "postgresql",
      // A writer that never commits must not block the next one for ever. The trigger writes times
      // into the history as the session's zone has them.
      "SELECT pg_catalog.set_config('weir.author', ?, true),"
          + " pg_catalog.set_config('lock_timeout', '2s', true),"
          + " pg_catalog.set_config('TimeZone', 'UTC', true)",
      "SELECT nspname FROM pg_catalog.pg_namespace WHERE nspname = 'weir'",
      "SELECT t.tgname FROM pg_catalog.pg_trigger t"
          + Dialect.OF_WEIR.formatted("t.tgrelid")
          + " AND NOT t.tgisinternal AND t.tgenabled IN ('O', 'A')",
      "SELECT c.relname FROM pg_catalog.pg_index i" + Dialect.OF_WEIR.formatted("i.indexrelid"),
      "SELECT t.relname FROM pg_catalog.pg_class t"
          + Dialect.OF_WEIR.formatted("t.oid")
          + " AND t.relkind IN ('r', 'p')",
      "SELECT quote_ident(current_user)");

  private static final String OF_WEIR =
      " JOIN pg_catalog.pg_class c ON c.oid = %s"
          + " JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'weir'";

  /** What a role may read; to try would break the transaction. */
  private static final String MAY_READ =
      " AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')"
          + " AND pg_catalog.has_table_privilege(c.oid, 'SELECT')";

  /** Selects tables that a role may write, on a server that isn't a replica. */
  private static final String MAY_WRITE =
      " AND pg_catalog.has_table_privilege(c.oid, 'INSERT')"
          + " AND pg_catalog.has_table_privilege(c.oid, 'UPDATE')"
          + " AND pg_catalog.has_table_privilege(c.oid, 'DELETE')"
          + " AND NOT pg_catalog.pg_is_in_recovery()";

  /** As many changes are more than others write while a node looks for new ones. */
  private static final int NEWEST_CHANGES = 100;

  private final String folder;
  private final String setAuthor;
  private final String schemas;
  private final String triggers;
  private final String indexes;
  private final String tables;
  private final String role;

  Dialect(
      String folder,
      String setAuthor,
      String schemas,
      String triggers,
      String indexes,
      String tables,
      String role) {
    this.folder = folder;
    this.setAuthor = setAuthor;
    this.schemas = schemas;
    this.triggers = triggers;
    this.indexes = indexes;
    this.tables = tables;
    this.role = role;
  }

  public static Dialect of(Connection connection) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName();
    return switch (product) {
      case "H2" -> H2;
      case "PostgreSQL" -> POSTGRESQL;
      default ->
          throw new SQLException("rules need H2 or PostgreSQL, and this is " + product, "0A000");
    };
  }

  /** Returns where its scripts are. */
  public String folder() {
    return folder;
  }

  /** Passes the author of this transaction's changes to the triggers. */
  public void beginChange(Connection connection, String author) throws SQLException {
    Sql.of(setAuthor, author).run(connection);
  }

  /** Forgets the author; the connection goes back to its pool. */
  public void endChange(Connection connection) throws SQLException {
    if (this == H2) {
      Sql.of("SET @weir_author = NULL").run(connection);
    }
  }

  /**
   * Bounds the time of each further statement of a transaction; the database cancels it.
   *
   * @param timeout whole milliseconds
   */
  void limitTime(Connection connection, Duration timeout) throws SQLException {
    String sql = this == H2 ? "SET QUERY_TIMEOUT " : "SET LOCAL statement_timeout = ";
    Sql.of(sql + timeout.toMillis()).run(connection);
  }

  /** Ends {@link #limitTime} in H2, which has no such setting of a transaction. */
  void unlimitTime(Connection connection) throws SQLException {
    if (this == H2) {
      Sql.of("SET QUERY_TIMEOUT 0").run(connection);
    }
  }

  public boolean hasSchema(Connection connection) throws SQLException {
    return !names(connection, schemas).isEmpty();
  }

  /** Returns whether the role may use Weir's schema, which is there. */
  public boolean mayUseSchema(Connection connection) throws SQLException {
    return this == H2 || is(connection, "SELECT pg_catalog.has_schema_privilege('weir', 'USAGE')");
  }

  private static boolean is(Connection connection, String sql) throws SQLException {
    return Sql.of(sql).one(connection, row -> row.getBoolean(1));
  }

  /**
   * Returns whether the role may make tables in Weir's schema, or that where there is none yet. H2
   * doesn't show users their rights, so it is tried there.
   */
  public boolean mayCreateTables(Connection connection) throws SQLException {
    if (this == H2) {
      return true;
    }
    return is(
        connection,
        hasSchema(connection)
            ? "SELECT pg_catalog.has_schema_privilege('weir', 'CREATE')"
            : "SELECT pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE')");
  }

  /** Returns the role of the connection, as SQL names it. */
  public String role(Connection connection) throws SQLException {
    return Sql.of(role).one(connection, row -> row.getString(1));
  }

  /**
   * Finds those of some tables that exist and may be read. To read another one would break the
   * transaction.
   *
   * @param names in lower case
   */
  public Set<String> tables(Connection connection, Set<String> names) throws SQLException {
    Set<String> found = names(connection, this == H2 ? tables : tables + MAY_READ);
    found.retainAll(names);
    if (this == H2) {
      found.removeAll(refused(connection, found));
    }
    return found;
  }

  /** Finds those of some tables that exist and may not be read. */
  public Set<String> unreadable(Connection connection, Set<String> names) throws SQLException {
    Set<String> found = names(connection, tables);
    found.retainAll(names);
    if (this == H2) {
      return refused(connection, found);
    }
    found.removeAll(names(connection, tables + MAY_READ));
    return found;
  }

  /**
   * Returns whether the role may add, change and delete rows of some tables, and the database
   * accepts it. H2 doesn't show users their rights, so it is tried there.
   */
  public boolean mayWrite(Connection connection, Set<String> names) throws SQLException {
    if (this == POSTGRESQL) {
      Set<String> writable = names(connection, tables + MAY_WRITE);
      return writable.containsAll(names);
    }
    for (String name : names) {
      try {
        Sql.of("DELETE FROM weir." + name + " WHERE 1 = 0").run(connection);
      } catch (SQLException e) {
        if (SqlState.isNoRight(e)) {
          return false;
        }
        throw e;
      }
    }
    return true;
  }

  /** H2 doesn't show users their rights, so tables are read; that breaks no transaction there. */
  private static Set<String> refused(Connection connection, Set<String> names) throws SQLException {
    Set<String> refused = new TreeSet<>();
    for (String name : names) {
      try {
        var unused = Sql.of("SELECT 1 FROM weir." + name + " WHERE 1 = 0").isAny(connection);
      } catch (SQLException e) {
        if (SqlState.isNoRight(e)) {
          refused.add(name);
        }
      }
    }
    return refused;
  }

  /** Deletes some of the rows that meet a condition, so that no transaction takes long. */
  public String deleteSome(String table, String condition, int most) {
    return switch (this) {
      case H2 ->
          "DELETE FROM weir."
              + table
              + " WHERE "
              + condition
              + " FETCH FIRST "
              + most
              + " ROWS ONLY";
      case POSTGRESQL ->
          "DELETE FROM weir."
              + table
              + " WHERE ctid = ANY (ARRAY(SELECT ctid FROM weir."
              + table
              + " WHERE "
              + condition
              + " LIMIT "
              + most
              + "))";
    };
  }

  /**
   * Removes the rows of a user from {@code rule_changes}. Nodes recognize by the newest changes
   * that the database is still the same, so that of these only the content goes.
   *
   * @param tables tables that nodes follow
   * @param column their column with the user
   * @param text what it has for this one
   */
  public void removeHistory(Connection connection, List<String> tables, String column, String text)
      throws SQLException {
    String userIs = this == H2 ? inJson(column, text) : text;
    removeHistory(
        connection,
        Sql.of("table_name IN ('" + String.join("', '", tables) + "') AND (")
            .then(has("before", column), userIs)
            .then(" OR ")
            .then(has("after", column), userIs)
            .then(")"));
  }

  private static void removeHistory(Connection connection, Sql ofUser) throws SQLException {
    Sql.of(
            ChangeInsert.WITHOUT_CONTENT
                + " WHERE "
                + ofUser.text()
                + " AND number > (SELECT MAX(number) - "
                + NEWEST_CHANGES
                + " FROM weir.rule_changes)",
            ofUser.values().toArray())
        .update(connection);
    Sql.of("DELETE FROM weir.rule_changes WHERE ").then(ofUser).update(connection);
  }

  /**
   * Removes bans from {@code rule_changes} that somebody has lifted.
   *
   * @param part a part of their subject, up to its end or a comma
   */
  public void removeBans(Connection connection, String part) throws SQLException {
    String column = this == H2 ? "REPLACE(%s, '\"', ',')" : "(%s ->> 'subject') || ','";
    String isIn = "POSITION(? IN " + column + ") > 0";
    removeHistory(
        connection,
        Sql.of("table_name = 'access_list' AND (")
            .then(isIn.formatted("before"), part + ",")
            .then(" OR ")
            .then(isIn.formatted("after"), part + ",")
            .then(")"));
  }

  /** Returns a field in the text of a row. */
  private static String inJson(String column, String value) {
    String json = RowJson.write(Map.of(column, value));
    return json.substring(1, json.length() - 1);
  }

  /** In H2 rows are texts, as Weir's trigger has written them: the field and its value. */
  private String has(String row, String column) {
    return this == H2 ? "LOCATE(?, " + row + ") > 0" : row + " ->> '" + column + "' = ?";
  }

  /** Returns the existing triggers that are enabled, in lower case. */
  public Set<String> triggers(Connection connection) throws SQLException {
    return names(connection, triggers);
  }

  /** Returns the existing indexes, in lower case. */
  public Set<String> indexes(Connection connection) throws SQLException {
    return names(connection, indexes);
  }

  /** Returns the columns of Weir's tables, each as {@code table.column}. */
  public Set<String> columns(Connection connection) throws SQLException {
    return names(
        connection,
        this == H2
            ? "SELECT table_name || '.' || column_name FROM information_schema.columns"
                + " WHERE LOWER(table_schema) = 'weir'"
            : "SELECT c.relname || '.' || a.attname FROM pg_catalog.pg_attribute a"
                + OF_WEIR.formatted("a.attrelid")
                + " AND a.attnum > 0 AND NOT a.attisdropped");
  }

  private static Set<String> names(Connection connection, String sql) throws SQLException {
    return new TreeSet<>(
        Sql.of(sql).all(connection, row -> row.getString(1).toLowerCase(Locale.ROOT)));
  }
}

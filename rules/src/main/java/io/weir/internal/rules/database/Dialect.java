package io.weir.internal.rules.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The differences between H2 and PostgreSQL. */
public enum Dialect {
  /** H2. */
  H2(
      "h2",
      "SET @weir_author = ?",
      "SELECT trigger_name FROM information_schema.triggers",
      "SELECT index_name FROM information_schema.indexes WHERE table_schema = CURRENT_SCHEMA",
      "SELECT 1 FROM information_schema.tables"
          + " WHERE LOWER(table_name) = ? AND table_schema = CURRENT_SCHEMA",
      "SELECT '\"' || CURRENT_USER || '\"'"),
  /** PostgreSQL. */
  POSTGRESQL(
      "postgresql",
      "SELECT set_config('weir.author', ?, true)",
      "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'D'"
          + " AND pg_table_is_visible(tgrelid)",
      "SELECT relname FROM pg_class WHERE relkind IN ('i', 'I') AND pg_table_is_visible(oid)",
      "SELECT 1 WHERE has_table_privilege(to_regclass(?), 'SELECT')",
      "SELECT quote_ident(current_user)");

  /** The SQLSTATE of H2 for a user that doesn't own the schema. */
  private static final String NOT_ENOUGH_RIGHTS = "90096";

  /** As many changes are more than others write while a node looks for new ones. */
  private static final int NEWEST_CHANGES = 100;

  private final String folder;
  private final String setAuthor;
  private final String triggers;
  private final String indexes;
  private final String tables;
  private final String role;

  Dialect(
      String folder,
      String setAuthor,
      String triggers,
      String indexes,
      String tables,
      String role) {
    this.folder = folder;
    this.setAuthor = setAuthor;
    this.triggers = triggers;
    this.indexes = indexes;
    this.tables = tables;
    this.role = role;
  }

  /** Returns the dialect of a connection's database. */
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

  /**
   * Passes the author of this transaction's changes to the triggers.
   *
   * @param connection in a transaction
   * @param author the name of the author
   * @throws SQLException if a statement fails
   */
  public void beginChange(Connection connection, String author) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(setAuthor)) {
      statement.setString(1, author);
      statement.execute();
    }
    if (this == POSTGRESQL) {
      try (Statement statement = connection.createStatement()) {
        // A writer that never commits must not block the next one for ever.
        statement.execute("SET LOCAL lock_timeout = '2s'");
        // Makes now(), the default of a column without a zone, UTC like everything else.
        statement.execute("SET LOCAL TIME ZONE 'UTC'");
      }
    } else {
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET TIME ZONE 'UTC'");
      }
    }
  }

  /**
   * Forgets the author; the connection goes back to its pool.
   *
   * @param connection the same
   * @throws SQLException if a statement fails
   */
  public void endChange(Connection connection) throws SQLException {
    if (this == H2) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET @weir_author = NULL");
        statement.execute("SET TIME ZONE LOCAL");
      }
    }
  }

  /**
   * Bounds the time of each further statement of a transaction; the database cancels it.
   *
   * @param connection in a transaction
   * @param timeout whole milliseconds
   * @throws SQLException if the statement fails
   */
  void limitTime(Connection connection, Duration timeout) throws SQLException {
    String sql = this == H2 ? "SET QUERY_TIMEOUT " : "SET LOCAL statement_timeout = ";
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql + timeout.toMillis());
    }
  }

  /** Ends {@link #limitTime} in H2, which has no such setting of a transaction. */
  void unlimitTime(Connection connection) throws SQLException {
    if (this == H2) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET QUERY_TIMEOUT 0");
      }
    }
  }

  /** Returns whether the role may make tables in a schema. */
  public boolean mayCreateTables(Connection connection, String schema) throws SQLException {
    if (this == H2) {
      return ownsSchema(connection);
    }
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT has_schema_privilege(?, 'CREATE')")) {
      statement.setString(1, schema);
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        return result.getBoolean(1);
      }
    }
  }

  /** Returns the schema of the table that the role sees by a name; empty if it sees none. */
  public String schemaOf(Connection connection, String table) throws SQLException {
    String sql =
        this == H2
            ? "SELECT table_schema FROM information_schema.tables"
                + " WHERE LOWER(table_name) = ? AND table_schema = CURRENT_SCHEMA"
            : "SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                + " WHERE c.oid = to_regclass(?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, table);
      try (ResultSet result = statement.executeQuery()) {
        return result.next() ? result.getString(1) : "";
      }
    }
  }

  /** Sets the schema in which a transaction makes tables. */
  public void useSchema(Connection connection, String schema) throws SQLException {
    if (this == POSTGRESQL) {
      try (PreparedStatement statement =
          connection.prepareStatement(
              "SELECT set_config('search_path',"
                  + " quote_ident(?) || ', ' || current_setting('search_path'), true)")) {
        statement.setString(1, schema);
        statement.execute();
      }
    }
  }

  /** Returns the role of the connection, as SQL names it. */
  public String role(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(role);
        ResultSet result = statement.executeQuery()) {
      result.next();
      return result.getString(1);
    }
  }

  /**
   * Finds those of some tables that exist and may be read. To read another one would break the
   * transaction.
   *
   * @param connection the database
   * @param names in lower case
   * @return those that there are
   * @throws SQLException if it can't be read
   */
  public Set<String> tables(Connection connection, Set<String> names) throws SQLException {
    Set<String> found = some(connection, tables, names);
    if (this == H2) {
      found.removeAll(refused(connection, found));
    }
    return found;
  }

  /** Finds those of some tables that exist and may not be read. */
  public Set<String> unreadable(Connection connection, Set<String> names) throws SQLException {
    return this == H2
        ? refused(connection, some(connection, tables, names))
        : some(
            connection, "SELECT 1 WHERE NOT has_table_privilege(to_regclass(?), 'SELECT')", names);
  }

  /** H2 doesn't show users their rights, so tables are read; that breaks no transaction there. */
  private static Set<String> refused(Connection connection, Set<String> names) throws SQLException {
    Set<String> refused = new TreeSet<>();
    for (String name : names) {
      try (Statement statement = connection.createStatement();
          ResultSet none = statement.executeQuery("SELECT 1 FROM " + name + " WHERE 1 = 0")) {
        none.next();
      } catch (SQLException e) {
        if (SqlState.isNoRight(e)) {
          refused.add(name);
        }
      }
    }
    return refused;
  }

  private static Set<String> some(Connection connection, String sql, Set<String> names)
      throws SQLException {
    Set<String> found = new TreeSet<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (String name : names) {
        statement.setString(1, name);
        try (ResultSet rows = statement.executeQuery()) {
          if (rows.next()) {
            found.add(name);
          }
        }
      }
    }
    return found;
  }

  /**
   * Deletes some of the rows that meet a condition, so that no transaction takes long.
   *
   * @param table from where
   * @param condition the condition after WHERE
   * @param most how many
   * @return the statement
   */
  public String deleteSome(String table, String condition, int most) {
    return switch (this) {
      case H2 ->
          "DELETE FROM " + table + " WHERE " + condition + " FETCH FIRST " + most + " ROWS ONLY";
      case POSTGRESQL ->
          "DELETE FROM "
              + table
              + " WHERE ctid = ANY (ARRAY(SELECT ctid FROM "
              + table
              + " WHERE "
              + condition
              + " LIMIT "
              + most
              + "))";
    };
  }

  /**
   * Removes a user from {@code rule_changes}. Nodes recognize by the newest changes that the
   * database is still the same, so that of these only the content goes.
   *
   * @param connection the database
   * @param tables the tables of users that nodes follow
   * @param userId the user
   * @throws SQLException if that fails
   */
  public void removeHistory(Connection connection, List<String> tables, String userId)
      throws SQLException {
    String ofUser =
        " WHERE table_name IN ('"
            + String.join("', '", tables)
            + "') AND ("
            + userIs("before")
            + " OR "
            + userIs("after")
            + ")";
    for (String userIs : this == H2 ? inJson(userId) : List.of(userId)) {
      removeHistory(
          connection,
          ChangeInsert.WITHOUT_CONTENT
              + ofUser
              + " AND number > (SELECT MAX(number) - "
              + NEWEST_CHANGES
              + " FROM rule_changes)",
          userIs);
      removeHistory(connection, "DELETE FROM rule_changes" + ofUser, userIs);
    }
  }

  private static void removeHistory(Connection connection, String sql, String userIs)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, userIs);
      statement.setString(2, userIs);
      statement.executeUpdate();
    }
  }

  /**
   * Returns the field of a user in the text of a row; where the column is a number, without quotes.
   */
  private static List<String> inJson(String userId) {
    String json = RowJson.write(Map.of("user_id", userId));
    String field = json.substring(1, json.length() - 1);
    if (!ColumnKind.NUMBER.fits(userId)) {
      return List.of(field);
    }
    String number = "\"user_id\":" + userId;
    return List.of(field, number + ",", number + "}");
  }

  /** In H2 rows are texts, as Weir's trigger has written them: the field and its value. */
  private String userIs(String row) {
    return this == H2 ? "LOCATE(?, " + row + ") > 0" : row + " ->> 'user_id' = ?";
  }

  /**
   * H2 doesn't show users their rights, so a statement that needs them and changes nothing is
   * tried.
   */
  private static boolean ownsSchema(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("DROP SEQUENCE IF EXISTS weir_may_create");
      return true;
    } catch (SQLException refused) {
      if (String.valueOf(refused.getSQLState()).equals(NOT_ENOUGH_RIGHTS)) {
        return false;
      }
      throw refused;
    }
  }

  /** Returns the existing triggers that are enabled, in lower case. */
  public Set<String> triggers(Connection connection) throws SQLException {
    return names(connection, triggers);
  }

  /** Returns the existing indexes, in lower case. */
  public Set<String> indexes(Connection connection) throws SQLException {
    return names(connection, indexes);
  }

  /** Returns a name as a part of a statement of PostgreSQL. */
  public static String quoted(String name) {
    return name.matches("[a-z_][a-z0-9_]*") ? name : '"' + name.replace("\"", "\"\"") + '"';
  }

  private static Set<String> names(Connection connection, String sql) throws SQLException {
    Set<String> names = new TreeSet<>();
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        names.add(rows.getString(1).toLowerCase(Locale.ROOT));
      }
    }
    return names;
  }
}

package io.weir.internal.rules.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** What is different in H2 and PostgreSQL. */
public enum Dialect {
  /** H2. */
  H2("h2", "SET @weir_author = ?", "SELECT trigger_name FROM information_schema.triggers"),
  /** PostgreSQL. */
  POSTGRESQL(
      "postgresql",
      "SELECT set_config('weir.author', ?, true)",
      "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'D'"
          + " AND pg_table_is_visible(tgrelid)");

  private final String folder;
  private final String setAuthor;
  private final String triggers;

  Dialect(String folder, String setAuthor, String triggers) {
    this.folder = folder;
    this.setAuthor = setAuthor;
    this.triggers = triggers;
  }

  /** That of a connection. */
  static Dialect of(Connection connection) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName();
    return switch (product) {
      case "H2" -> H2;
      case "PostgreSQL" -> POSTGRESQL;
      default ->
          throw new SQLException("rules need H2 or PostgreSQL, and this is " + product, "0A000");
    };
  }

  /** Where its scripts are. */
  String folder() {
    return folder;
  }

  /**
   * Tells the triggers who the author of the changes of this transaction is.
   *
   * @param connection in a transaction
   * @param author who
   * @throws SQLException if a statement fails
   */
  public void beginChange(Connection connection, String author) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(setAuthor)) {
      statement.setString(1, author);
      statement.execute();
    }
    if (this == POSTGRESQL) {
      try (Statement statement = connection.createStatement()) {
        // A writer that never commits must not hold who comes next for ever.
        statement.execute("SET LOCAL lock_timeout = '2s'");
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
      }
    }
  }

  /** Whether tables can be made here at all; who may not is refused slowly by Flyway. */
  boolean mayCreateTables(Connection connection) throws SQLException {
    if (this == H2) {
      return true;
    }
    try (PreparedStatement statement =
            connection.prepareStatement("SELECT has_schema_privilege(current_schema(), 'CREATE')");
        ResultSet result = statement.executeQuery()) {
      result.next();
      return result.getBoolean(1);
    }
  }

  /** The triggers that there are and that run, in lower case. */
  Set<String> triggers(Connection connection) throws SQLException {
    Set<String> names = new TreeSet<>();
    try (PreparedStatement statement = connection.prepareStatement(triggers);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        names.add(rows.getString(1).toLowerCase(Locale.ROOT));
      }
    }
    return names;
  }
}

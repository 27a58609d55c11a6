package io.weir.internal.rules.database.schema;

import io.weir.internal.rules.database.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;

/**
 * Distinguishes the columns that Weir added to adopted tables from those that were there before.
 * The latter are the application's: their values are neither overwritten nor deleted.
 */
public final class AdoptedColumns {
  /** The table that names them. */
  static final String TABLE = "weir_adopted";

  private AdoptedColumns() {}

  /** Returns the statement that notes a column as the application's, unless it is noted. */
  static String note(String table, String column) {
    String both = "'" + table + "', '" + column + "'";
    return "INSERT INTO weir_adopted (table_name, column_name) SELECT "
        + both
        + " WHERE NOT EXISTS (SELECT 1 FROM weir_adopted WHERE (table_name, column_name) = ("
        + both
        + "))";
  }

  /**
   * Returns whether a column is Weir's own.
   *
   * @param connection the database
   * @param table in lower case
   * @param column a column that the table has, in lower case
   * @return false if it was there before Weir, or that is unknown
   * @throws SQLException if it can't be read
   */
  public static boolean isOwn(Connection connection, String table, String column)
      throws SQLException {
    if (Dialect.of(connection).tables(connection, Set.of(TABLE)).isEmpty()) {
      return false;
    }
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT 1 FROM weir_adopted WHERE table_name = ? AND column_name = ?")) {
      statement.setString(1, table);
      statement.setString(2, column);
      try (ResultSet found = statement.executeQuery()) {
        return !found.next();
      }
    }
  }
}

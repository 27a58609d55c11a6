package io.weir.internal.rules.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Writes {@code rule_changes}, from triggers of H2 and from Weir itself. */
public final class ChangeInsert {
  /** Removes the content of changes, whose rows stay; a condition follows. */
  public static final String WITHOUT_CONTENT =
      "UPDATE weir.rule_changes SET by = NULL, table_name = '', row_key = '', before = NULL,"
          + " after = NULL";

  private ChangeInsert() {}

  /**
   * Composes a statement for {@link #run}.
   *
   * @param table the table's name, which may be qualified
   */
  public static String sql(String table, Dialect dialect) {
    String json = dialect == Dialect.POSTGRESQL ? "CAST(? AS jsonb)" : "?";
    return "INSERT INTO "
        + table
        + " (at, by, table_name, row_key, before, after) VALUES (?, ?, ?, ?, "
        + json
        + ", "
        + json
        + ")";
  }

  /**
   * Inserts one change.
   *
   * @param sql a statement of {@link #sql}
   * @param table the table of the changed row, or the kind of an announcement
   * @param before the row before as JSON; null if it is new
   * @param after the row after as JSON; null if it was deleted
   */
  public static void run(
      Connection connection,
      String sql,
      Instant at,
      String author,
      String table,
      String key,
      @Nullable String before,
      @Nullable String after)
      throws SQLException {
    Sql.of(sql, at, author, table, key, before, after).update(connection);
  }
}

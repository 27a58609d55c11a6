package io.weir.internal.rules.database.connection;

import io.weir.internal.rules.database.Sql;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.database.TableColumns;
import io.weir.internal.rules.database.UserRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Reads the rows of users whose own limits fit into memory together. The database adds up their
 * sizes, so it takes one statement, and no other row reaches this node.
 */
final class UsersWithin {
  private static final String SIZE = "CAST(COALESCE(OCTET_LENGTH(custom_limits), 0) AS BIGINT)";

  private UsersWithin() {}

  /** Reads as many as fit; at least one if there is any. */
  static UserRows read(Connection connection, TableColumns columns, Collection<String> userIds)
      throws SQLException {
    String names = String.join(", ", columns.columns().keySet());
    return Sql.of(
            "SELECT "
                + names
                + ", found FROM (SELECT "
                + names
                + ", COUNT(*) OVER () AS found, SUM("
                + SIZE
                + ") OVER (ORDER BY user_id) - "
                + SIZE
                + " AS bytes_before FROM "
                + columns.table().sqlName()
                + " WHERE user_id IN ")
        .then(Sql.list(userIds))
        .then(") sized WHERE bytes_before < " + UserRows.MAX_BYTES + " ORDER BY user_id")
        .query(
            connection,
            result -> {
              List<StoredRow> rows = new ArrayList<>();
              long found = 0;
              while (result.next()) {
                rows.add(columns.row(result));
                found = result.getLong(columns.columns().size() + 1);
              }
              return new UserRows(rows, rows.size() == found);
            });
  }
}

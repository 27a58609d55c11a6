package io.weir.internal.rules.usage;

import io.weir.internal.rules.database.DatabaseClock;
import io.weir.internal.rules.database.RuleDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.LinkedHashSet;
import java.util.Set;

/** Keeps the names of users whose second step of removal is still to come. */
final class PendingRemovals {
  static final String TABLE = "weir_forgotten";

  private PendingRemovals() {}

  /** Adds a user that isn't there yet. */
  static void add(Connection connection, String userId) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT INTO weir." + TABLE + " (user_id, at) VALUES (?, CURRENT_TIMESTAMP)")) {
      statement.setString(1, userId);
      statement.executeUpdate();
    }
  }

  /** Returns some of the users added so long ago, by the database's clock. */
  static Set<String> addedBefore(RuleDatabase database, Duration ago, int most) {
    return database.inTransaction(
        "a user can't be forgotten",
        connection ->
            isThere(connection, database)
                ? users(
                    connection,
                    "SELECT user_id FROM weir." + TABLE + " WHERE at < ? LIMIT " + most,
                    DatabaseClock.read(connection).minus(ago).atOffset(ZoneOffset.UTC))
                : Set.of());
  }

  private static boolean isThere(Connection connection, RuleDatabase database) throws SQLException {
    return !database.dialect().tables(connection, Set.of(TABLE)).isEmpty();
  }

  private static Set<String> users(Connection connection, String sql, Object... values)
      throws SQLException {
    Set<String> users = new LinkedHashSet<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          users.add(rows.getString(1));
        }
      }
    }
    return users;
  }
}

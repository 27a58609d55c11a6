package io.weir.internal.rules.usage;

import io.weir.internal.rules.database.DatabaseClock;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Keeps the names of users whose second step of removal is still to come. */
final class PendingRemovals {
  static final String TABLE = "weir_forgotten";

  private PendingRemovals() {}

  /** Adds a user that isn't there yet. */
  static void add(Connection connection, String userId) throws SQLException {
    Sql.of("INSERT INTO weir." + TABLE + " (user_id, at) VALUES (?, CURRENT_TIMESTAMP)", userId)
        .update(connection);
  }

  /** Returns some of the users added so long ago, by the database's clock. */
  static List<String> addedBefore(RuleDatabase database, Duration ago, int most) {
    return database.inTransaction(
        "the data of a user can't be deleted",
        connection ->
            database.dialect().tables(connection, Set.of(TABLE)).isEmpty()
                ? List.of()
                : Sql.of(
                        "SELECT user_id FROM weir." + TABLE + " WHERE at < ? LIMIT " + most,
                        DatabaseClock.read(connection).minus(ago))
                    .all(connection, row -> row.getString(1)));
  }
}

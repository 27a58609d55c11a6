package io.weir.benchmarks.postgres;

import com.zaxxer.hikari.HikariDataSource;
import io.weir.benchmarks.redis.Contender;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Limits by one statement per request, as most people write it by hand: a fixed window of a minute
 * in a row for each caller, which the statement makes or counts up.
 */
final class Upsert implements Contender {
  /** The table that it needs. */
  static final String TABLE = "by_hand";

  private static final String CREATE =
      "CREATE TABLE IF NOT EXISTS "
          + TABLE
          + " (caller text PRIMARY KEY, minute bigint NOT NULL, used bigint NOT NULL)";
  private static final String COUNT =
      """
      INSERT INTO by_hand AS held (caller, minute, used)
      VALUES (?, floor(extract(epoch FROM clock_timestamp()) / 60)::bigint, 1)
      ON CONFLICT (caller) DO UPDATE SET
        used = CASE WHEN held.minute = excluded.minute THEN held.used + 1 ELSE 1 END,
        minute = excluded.minute
      RETURNING used
      """;

  private final HikariDataSource pool;
  private final long limit;

  /** Makes the table. */
  Upsert(Database database, long limit) {
    this.limit = limit;
    database.execute(CREATE);
    this.pool = Pool.open(database.url());
  }

  @Override
  public boolean admits(String caller) {
    try (Connection connection = pool.getConnection();
        PreparedStatement statement = connection.prepareStatement(COUNT)) {
      statement.setString(1, caller);
      try (ResultSet used = statement.executeQuery()) {
        return used.next() && used.getLong(1) <= limit;
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}

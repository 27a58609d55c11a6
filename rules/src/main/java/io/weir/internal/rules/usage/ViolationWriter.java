package io.weir.internal.rules.usage;

import io.weir.internal.rules.database.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Set;

/** Adds rows of violations. Confine to one thread. */
final class ViolationWriter {
  private static final String TABLE = "rate_limit_violations";
  private static final String INSERT =
      "INSERT INTO weir.rate_limit_violations (user_id, endpoint, timestamp, attempted_count,"
          + " policy) VALUES (?, ?, ?, ?, ?)";

  /** The longest names of callers and endpoints, and of policies. */
  private static final int LONGEST_NAME = 500;

  private static final int LONGEST_POLICY = 200;

  void write(Connection connection, Dialect dialect, Map<ViolationKey, RefusalCount> rows)
      throws SQLException {
    if (!isThere(connection, dialect)) {
      throw new SQLException("the database has no table " + TABLE, "42P01");
    }
    try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
      for (Map.Entry<ViolationKey, RefusalCount> each : rows.entrySet()) {
        ViolationKey key = each.getKey();
        boolean fits = key.caller().length() <= LONGEST_NAME;
        statement.setString(1, fits ? key.caller() : FinishedRequest.OTHERS);
        statement.setString(2, cut(key.endpoint(), LONGEST_NAME));
        Instant first = Instant.EPOCH.plus(each.getValue().first(), ChronoUnit.MICROS);
        statement.setObject(3, first.atOffset(ZoneOffset.UTC));
        statement.setLong(4, Math.min(Integer.MAX_VALUE, each.getValue().number()));
        statement.setString(5, cut(key.policy(), LONGEST_POLICY));
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  /** Returns whether the table is there and may be read. */
  static boolean isThere(Connection connection, Dialect dialect) throws SQLException {
    return !dialect.tables(connection, Set.of(TABLE)).isEmpty();
  }

  private static String cut(String text, int most) {
    return text.substring(0, Math.min(most, text.length()));
  }
}

package io.weir.internal.rules.usage;

import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
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
    Sql.batch(
        connection,
        rows.entrySet().stream().map(each -> row(each.getKey(), each.getValue())).toList());
  }

  private static Sql row(ViolationKey key, RefusalCount count) {
    boolean fits = key.caller().length() <= LONGEST_NAME;
    return Sql.of(
        INSERT,
        fits ? key.caller() : FinishedRequest.OTHERS,
        cut(key.endpoint(), LONGEST_NAME),
        Instant.EPOCH.plus(count.first(), ChronoUnit.MICROS),
        Math.min(Integer.MAX_VALUE, count.number()),
        cut(key.policy(), LONGEST_POLICY));
  }

  /** Returns whether the table is there and may be read. */
  static boolean isThere(Connection connection, Dialect dialect) throws SQLException {
    return !dialect.tables(connection, Set.of(TABLE)).isEmpty();
  }

  private static String cut(String text, int most) {
    return text.substring(0, Math.min(most, text.length()));
  }
}

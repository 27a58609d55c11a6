package io.weir.internal.rules.anomalies;

import io.weir.internal.rules.anomalies.CallerMinute.CallerAtEndpoint;
import io.weir.internal.rules.database.Dialect;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads and writes baselines: the rows of {@code user_behaviors}. A baseline that can't be read is
 * learned anew.
 *
 * <p>Confine to one transaction.
 */
final class BehaviorTable {
  /** The table. */
  static final String NAME = "user_behaviors";

  /** The time for which a baseline is kept after the last request of the caller. */
  static final Duration KEPT = Duration.ofDays(90);

  private static final String INSERT =
      "INSERT INTO weir.user_behaviors (avg_interval, std_dev, updated_at, histogram, samples,"
          + " user_id, endpoint) VALUES (?, ?, ?, ?, ?, ?, ?)";
  private static final String UPDATE =
      "UPDATE weir.user_behaviors SET avg_interval = ?, std_dev = ?, updated_at = ?, histogram = ?,"
          + " samples = ? WHERE user_id = ? AND endpoint = ?";
  private static final int USERS_A_STATEMENT = 500;
  private static final int DIGITS = 6;

  private final Connection connection;

  BehaviorTable(Connection connection) {
    this.connection = connection;
  }

  /** Reads the baselines of some callers, at all of their endpoints. */
  Map<CallerAtEndpoint, Baseline> read(Collection<String> userIds) throws SQLException {
    Map<CallerAtEndpoint, Baseline> baselines = new HashMap<>();
    List<String> all = userIds.stream().distinct().toList();
    for (int i = 0; i < all.size(); i += USERS_A_STATEMENT) {
      List<String> some = all.subList(i, Math.min(all.size(), i + USERS_A_STATEMENT));
      String parameters = String.join(", ", Collections.nCopies(some.size(), "?"));
      try (PreparedStatement statement =
          connection.prepareStatement(
              "SELECT user_id, endpoint, histogram FROM weir.user_behaviors WHERE user_id IN ("
                  + parameters
                  + ")")) {
        int parameter = 1;
        for (String userId : some) {
          statement.setString(parameter++, userId);
        }
        read(statement, baselines);
      }
    }
    return baselines;
  }

  private void read(PreparedStatement statement, Map<CallerAtEndpoint, Baseline> baselines)
      throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        CallerAtEndpoint at = new CallerAtEndpoint(row.getString(1), row.getString(2));
        String histogram = row.getString(3);
        baselines.put(at, Baseline.parse(histogram == null ? "" : histogram).orElse(Baseline.NONE));
      }
    }
  }

  /** Adds rows. */
  void insert(Map<CallerAtEndpoint, Baseline> baselines, Instant now) throws SQLException {
    run(INSERT, baselines, now);
  }

  /** Updates rows that were read; one that was deleted meanwhile isn't added again. */
  void update(Map<CallerAtEndpoint, Baseline> baselines, Instant now) throws SQLException {
    run(UPDATE, baselines, now);
  }

  private void run(String sql, Map<CallerAtEndpoint, Baseline> baselines, Instant now)
      throws SQLException {
    if (baselines.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (Map.Entry<CallerAtEndpoint, Baseline> each : baselines.entrySet()) {
        Baseline baseline = each.getValue();
        statement.setDouble(1, rounded(baseline.usual().averageInterval()));
        statement.setDouble(2, rounded(baseline.usual().deviationOfIntervals()));
        statement.setObject(3, now.atOffset(ZoneOffset.UTC));
        statement.setString(4, baseline.toString());
        statement.setLong(5, baseline.samples());
        statement.setString(6, each.getKey().userId());
        statement.setString(7, each.getKey().endpoint());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private static double rounded(double value) {
    return BigDecimal.valueOf(value).setScale(DIGITS, RoundingMode.HALF_UP).doubleValue();
  }

  /** Deletes some baselines of callers that have sent no request for long. */
  void purge(Dialect dialect, Instant now, int most) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(dialect.deleteSome(NAME, "updated_at < ?", most))) {
      statement.setObject(1, now.minus(KEPT).atOffset(ZoneOffset.UTC));
      statement.executeUpdate();
    }
  }
}

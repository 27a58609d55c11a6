package io.weir.internal.rules.anomalies;

import io.weir.internal.rules.anomalies.CallerMinute.CallerAtEndpoint;
import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.Sql;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes baselines: the rows of {@code user_behaviors}. A baseline that can't be read is
 * learned anew.
 *
 * <p>Confine to one transaction.
 */
final class BehaviorTable {
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
      Sql.of("SELECT user_id, endpoint, histogram FROM weir.user_behaviors WHERE user_id IN ")
          .then(Sql.list(some))
          .each(
              connection,
              row ->
                  baselines.put(
                      new CallerAtEndpoint(row.getString(1), row.getString(2)),
                      baseline(row.getString(3))));
    }
    return baselines;
  }

  private static Baseline baseline(@Nullable String histogram) {
    return Baseline.parse(histogram == null ? "" : histogram).orElse(Baseline.NONE);
  }

  void insert(Map<CallerAtEndpoint, Baseline> baselines, Instant now) throws SQLException {
    run(INSERT, baselines, now);
  }

  /** Updates rows that were read; one that was deleted meanwhile isn't added again. */
  void update(Map<CallerAtEndpoint, Baseline> baselines, Instant now) throws SQLException {
    run(UPDATE, baselines, now);
  }

  private void run(String sql, Map<CallerAtEndpoint, Baseline> baselines, Instant now)
      throws SQLException {
    List<Sql> rows = new ArrayList<>();
    baselines.forEach(
        (at, baseline) ->
            rows.add(
                Sql.of(
                    sql,
                    rounded(baseline.usual().averageInterval()),
                    rounded(baseline.usual().deviationOfIntervals()),
                    now,
                    baseline.toString(),
                    baseline.samples(),
                    at.userId(),
                    at.endpoint())));
    Sql.batch(connection, rows);
  }

  private static double rounded(double value) {
    return BigDecimal.valueOf(value).setScale(DIGITS, RoundingMode.HALF_UP).doubleValue();
  }

  /** Deletes some baselines of callers that have sent no request for long. */
  void purge(Dialect dialect, Instant now, int most) throws SQLException {
    Sql.of(dialect.deleteSome(NAME, "updated_at < ?", most), now.minus(KEPT)).update(connection);
  }
}

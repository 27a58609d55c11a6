package io.weir.internal.rules.anomalies;

import io.weir.internal.rules.anomalies.CallerMinute.Place;
import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.WrittenTable;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rows of {@code user_behaviors}, where the baselines are. The table may be that of somebody
 * else: without unique keys, and with other types. A baseline that nobody has written so is learned
 * anew.
 *
 * <p>Confine to one transaction.
 */
final class BehaviorTable {
  /** Baselines of callers who haven't come for so long are deleted. */
  static final Duration KEPT = Duration.ofDays(90);

  private static final String NAME = "user_behaviors";
  private static final List<String> VALUES =
      List.of("avg_interval", "std_dev", "updated_at", "histogram", "samples");
  private static final List<String> KEY = List.of("user_id", "endpoint");
  private static final int USERS_A_STATEMENT = 500;
  private static final int DIGITS = 6;

  private final Connection connection;
  private final WrittenTable table;

  private BehaviorTable(Connection connection, WrittenTable table) {
    this.connection = connection;
    this.table = table;
  }

  /** Looks at the table; nothing if it can't keep baselines. */
  static Optional<BehaviorTable> find(Connection connection) throws SQLException {
    List<String> columns = new ArrayList<>(KEY);
    columns.addAll(VALUES);
    return WrittenTable.find(connection, NAME, columns)
        .filter(table -> columns.stream().allMatch(table::has))
        .map(table -> new BehaviorTable(connection, table));
  }

  /** The baselines of some callers, at all of their endpoints. */
  Map<Place, Baseline> read(Collection<String> userIds) throws SQLException {
    Map<Place, Baseline> baselines = new HashMap<>();
    List<String> all =
        userIds.stream().distinct().filter(each -> table.fits("user_id", each)).toList();
    for (int i = 0; i < all.size(); i += USERS_A_STATEMENT) {
      List<String> some = all.subList(i, Math.min(all.size(), i + USERS_A_STATEMENT));
      String places = String.join(", ", Collections.nCopies(some.size(), "?"));
      try (PreparedStatement statement =
          connection.prepareStatement(
              "SELECT user_id, endpoint, histogram FROM user_behaviors WHERE user_id IN ("
                  + places
                  + ")")) {
        int parameter = 1;
        for (String userId : some) {
          table.bind(statement, parameter++, "user_id", userId);
        }
        read(statement, baselines);
      }
    }
    return baselines;
  }

  private static void read(PreparedStatement statement, Map<Place, Baseline> baselines)
      throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        String text = row.getString(3);
        Baseline baseline =
            text == null ? Baseline.NONE : Baseline.parse(text).orElse(Baseline.NONE);
        baselines.put(new Place(row.getString(1), row.getString(2)), baseline);
      }
    }
  }

  /** Whether there can be a row for a caller at an endpoint. */
  boolean fits(Place place) {
    return table.fits("user_id", place.userId()) && table.fits("endpoint", place.endpoint());
  }

  /** Adds rows. */
  void insert(Map<Place, Baseline> baselines, Instant now) throws SQLException {
    List<String> columns = new ArrayList<>(VALUES);
    columns.addAll(KEY);
    run(
        "INSERT INTO user_behaviors ("
            + String.join(", ", columns)
            + ") VALUES ("
            + String.join(", ", Collections.nCopies(columns.size(), "?"))
            + ")",
        baselines,
        now);
  }

  /** Changes rows; one that somebody has deleted meanwhile stays away. */
  void update(Map<Place, Baseline> baselines, Instant now) throws SQLException {
    run(
        "UPDATE user_behaviors SET "
            + String.join(" = ?, ", VALUES)
            + " = ? WHERE user_id = ? AND endpoint = ?",
        baselines,
        now);
  }

  private void run(String sql, Map<Place, Baseline> baselines, Instant now) throws SQLException {
    if (baselines.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (Map.Entry<Place, Baseline> each : baselines.entrySet()) {
        Baseline baseline = each.getValue();
        List<String> values =
            Arrays.asList(
                number(baseline.usual().averageInterval()),
                number(baseline.usual().deviationOfIntervals()),
                now.toString(),
                baseline.toString(),
                Integer.toString(baseline.samples()));
        for (int i = 0; i < values.size(); i++) {
          table.bind(statement, i + 1, VALUES.get(i), values.get(i));
        }
        table.bind(statement, values.size() + 1, "user_id", each.getKey().userId());
        table.bind(statement, values.size() + 2, "endpoint", each.getKey().endpoint());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private static String number(double value) {
    return BigDecimal.valueOf(value).setScale(DIGITS, RoundingMode.HALF_UP).toPlainString();
  }

  /** Deletes some baselines of callers who haven't come for long. */
  void purge(Dialect dialect, Instant now, int most) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            dialect.deleteSome(NAME, "histogram IS NOT NULL AND updated_at < ?", most))) {
      table.bind(statement, 1, "updated_at", now.minus(KEPT).toString());
      statement.executeUpdate();
    }
  }
}

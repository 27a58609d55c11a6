package io.weir.internal.rules.anomalies;

import io.weir.internal.rules.anomalies.CallerMinute.CallerAtEndpoint;
import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.WrittenTable;
import io.weir.internal.rules.database.schema.AdoptedColumns;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads and writes baselines: the rows of {@code user_behaviors}. The table may be adopted, without
 * unique keys and with other types. A baseline that can't be read is learned anew.
 *
 * <p>In rows that another program has written, only the columns that Weir has added are filled, and
 * a mark at the beginning of the histogram says so. Such rows are never deleted.
 *
 * <p>Confine to one transaction.
 */
final class BehaviorTable {
  /** The time for which a baseline is kept after the last request of the caller. */
  static final Duration KEPT = Duration.ofDays(90);

  private static final String NAME = "user_behaviors";
  private static final List<String> VALUES =
      List.of("avg_interval", "std_dev", "updated_at", "histogram", "samples");
  private static final List<String> OWN = List.of("histogram", "samples");
  private static final String FOREIGN = "~";
  private static final List<String> KEY = List.of("user_id", "endpoint");
  private static final int USERS_A_STATEMENT = 500;
  private static final int DIGITS = 6;

  private final Connection connection;
  private final WrittenTable table;
  private final Set<CallerAtEndpoint> foreign = new HashSet<>();

  private BehaviorTable(Connection connection, WrittenTable table) {
    this.connection = connection;
    this.table = table;
  }

  /** Finds the table; empty if it can't keep baselines. */
  static Optional<BehaviorTable> find(Connection connection) throws SQLException {
    List<String> columns = new ArrayList<>(KEY);
    columns.addAll(VALUES);
    Optional<WrittenTable> table =
        WrittenTable.find(connection, NAME, columns)
            .filter(found -> columns.stream().allMatch(found::has));
    for (String column : OWN) {
      if (table.isPresent() && !AdoptedColumns.isOwn(connection, NAME, column)) {
        return Optional.empty();
      }
    }
    return table.map(found -> new BehaviorTable(connection, found));
  }

  /** Reads the baselines of some callers, at all of their endpoints. */
  Map<CallerAtEndpoint, Baseline> read(Collection<String> userIds) throws SQLException {
    Map<CallerAtEndpoint, Baseline> baselines = new HashMap<>();
    List<String> all =
        userIds.stream().distinct().filter(each -> table.fits("user_id", each)).toList();
    for (int i = 0; i < all.size(); i += USERS_A_STATEMENT) {
      List<String> some = all.subList(i, Math.min(all.size(), i + USERS_A_STATEMENT));
      String parameters = String.join(", ", Collections.nCopies(some.size(), "?"));
      try (PreparedStatement statement =
          connection.prepareStatement(
              "SELECT user_id, endpoint, histogram FROM user_behaviors WHERE user_id IN ("
                  + parameters
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

  private void read(PreparedStatement statement, Map<CallerAtEndpoint, Baseline> baselines)
      throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        CallerAtEndpoint at = new CallerAtEndpoint(row.getString(1), row.getString(2));
        String text = row.getString(3);
        boolean isForeign = text == null || text.startsWith(FOREIGN);
        if (isForeign) {
          foreign.add(at);
        }
        String histogram = text == null ? "" : isForeign ? text.substring(1) : text;
        baselines.put(at, Baseline.parse(histogram).orElse(Baseline.NONE));
      }
    }
  }

  /** Returns whether there can be a row for a caller at an endpoint. */
  boolean fits(CallerAtEndpoint at) {
    return table.fits("user_id", at.userId()) && table.fits("endpoint", at.endpoint());
  }

  /** Adds rows. */
  void insert(Map<CallerAtEndpoint, Baseline> baselines, Instant now) throws SQLException {
    List<String> columns = new ArrayList<>(VALUES);
    columns.addAll(KEY);
    run(
        "INSERT INTO user_behaviors ("
            + String.join(", ", columns)
            + ") VALUES ("
            + String.join(", ", Collections.nCopies(columns.size(), "?"))
            + ")",
        VALUES,
        "",
        baselines,
        now);
  }

  /** Updates rows that were read; one that was deleted meanwhile isn't added again. */
  void update(Map<CallerAtEndpoint, Baseline> baselines, Instant now) throws SQLException {
    Map<CallerAtEndpoint, Baseline> ours = new LinkedHashMap<>(baselines);
    ours.keySet().removeAll(foreign);
    run(update(VALUES), VALUES, "", ours, now);
    Map<CallerAtEndpoint, Baseline> others = new LinkedHashMap<>(baselines);
    others.keySet().retainAll(foreign);
    run(update(OWN), OWN, FOREIGN, others, now);
  }

  private static String update(List<String> columns) {
    return "UPDATE user_behaviors SET "
        + String.join(" = ?, ", columns)
        + " = ? WHERE user_id = ? AND endpoint = ?";
  }

  private void run(
      String sql,
      List<String> columns,
      String mark,
      Map<CallerAtEndpoint, Baseline> baselines,
      Instant now)
      throws SQLException {
    if (baselines.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (Map.Entry<CallerAtEndpoint, Baseline> each : baselines.entrySet()) {
        Baseline baseline = each.getValue();
        Map<String, String> values =
            Map.of(
                "avg_interval", number(baseline.usual().averageInterval()),
                "std_dev", number(baseline.usual().deviationOfIntervals()),
                "updated_at", now.toString(),
                "histogram", mark + baseline,
                "samples", Integer.toString(baseline.samples()));
        int parameter = 1;
        for (String column : columns) {
          table.bind(statement, parameter++, column, values.getOrDefault(column, ""));
        }
        table.bind(statement, parameter++, "user_id", each.getKey().userId());
        table.bind(statement, parameter, "endpoint", each.getKey().endpoint());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private static String number(double value) {
    return BigDecimal.valueOf(value).setScale(DIGITS, RoundingMode.HALF_UP).toPlainString();
  }

  /** Deletes some baselines of callers that have sent no request for long; no foreign rows. */
  void purge(Dialect dialect, Instant now, int most) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            dialect.deleteSome(
                NAME, "histogram NOT LIKE '" + FOREIGN + "%' AND updated_at < ?", most))) {
      table.bind(statement, 1, "updated_at", now.minus(KEPT).toString());
      statement.executeUpdate();
    }
  }
}

package io.weir.internal.rules.anomalies;

import io.weir.internal.rules.database.Sql;
import io.weir.rules.anomaly.Anomaly;
import io.weir.rules.anomaly.AnomalyAction;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads and adds the rows of {@code anomalies}. Leaves out rows that can't be used, and logs each
 * of them once.
 *
 * <p>Safe for concurrent use.
 */
final class AnomalyTable {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final int MAX_LOGGED = 1_000;

  private static final String SELECT =
      "SELECT user_id, endpoint, score, action, reason, since, until, id FROM weir.anomalies";
  private static final String NEWEST_FIRST = " ORDER BY since DESC, id DESC LIMIT ?";
  private static final String PAGE = " ORDER BY since DESC, user_id DESC, endpoint DESC LIMIT ?";
  private static final String INSERT =
      "INSERT INTO weir.anomalies (user_id, endpoint, score, action, reason, since, until, updated_at)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)";

  private final Set<Long> logged = ConcurrentHashMap.newKeySet();

  AnomalyTable() {}

  List<Anomaly> recent(Connection connection, int most) throws SQLException {
    return rows(connection, Sql.of(SELECT + NEWEST_FIRST, most));
  }

  List<Anomaly> current(Connection connection, Instant now, int most) throws SQLException {
    return rows(connection, Sql.of(SELECT + " WHERE until > ?" + NEWEST_FIRST, now, most));
  }

  /**
   * Returns, after a given anomaly, those that were found before it and, of the same moment, those
   * whose caller and endpoint sort before its own.
   */
  List<Anomaly> found(
      Connection connection,
      Optional<String> userId,
      Instant from,
      Instant to,
      Optional<Anomaly> after,
      int most)
      throws SQLException {
    Sql sql =
        Sql.of(
                SELECT
                    + " WHERE since >= ? AND since < ?"
                    + " AND UPPER(TRIM(action)) IN ('ALLOW', 'MONITOR', 'THROTTLE', 'BLOCK')",
                from,
                to)
            .then(userId.map(id -> Sql.of(" AND user_id = ?", id)))
            .then(after.map(AnomalyTable::isAfter));
    return rows(connection, sql.then(PAGE, most));
  }

  private static Sql isAfter(Anomaly last) {
    return Sql.of(
        " AND (since < ? OR since = ? AND (user_id < ? OR user_id = ? AND endpoint < ?))",
        last.since(),
        last.since(),
        last.userId(),
        last.userId(),
        last.endpoint());
  }

  List<Anomaly> of(Connection connection, String userId, int most) throws SQLException {
    return rows(connection, Sql.of(SELECT + " WHERE user_id = ?" + NEWEST_FIRST, userId, most));
  }

  static void insert(Connection connection, List<Anomaly> anomalies) throws SQLException {
    Sql.batch(connection, anomalies.stream().map(AnomalyTable::inserted).toList());
  }

  private static Sql inserted(Anomaly anomaly) {
    return Sql.of(
        INSERT,
        anomaly.userId(),
        anomaly.endpoint(),
        anomaly.score(),
        anomaly.action().name(),
        anomaly.reason(),
        anomaly.since(),
        anomaly.until(),
        anomaly.since());
  }

  private List<Anomaly> rows(Connection connection, Sql sql) throws SQLException {
    return sql.all(connection, this::row).stream().flatMap(Optional::stream).toList();
  }

  private Optional<Anomaly> row(ResultSet row) throws SQLException {
    String word = row.getString(4).strip().toUpperCase(Locale.ROOT);
    Optional<AnomalyAction> action =
        Arrays.stream(AnomalyAction.values()).filter(each -> each.name().equals(word)).findFirst();
    if (action.isEmpty()) {
      logOnce(row.getLong(8));
      return Optional.empty();
    }
    String reason = row.getString(5);
    return Optional.of(
        new Anomaly(
            row.getString(1),
            row.getString(2),
            row.getDouble(3),
            action.get() != AnomalyAction.ALLOW,
            reason == null ? "" : reason,
            action.get(),
            Sql.time(row, 6),
            Sql.time(row, 7)));
  }

  private void logOnce(long id) {
    if (logged.size() < MAX_LOGGED && logged.add(id)) {
      LOG.log(
          Level.WARNING,
          "rules: anomalies " + id + ", action: must be ALLOW, MONITOR, THROTTLE or BLOCK");
    }
  }
}

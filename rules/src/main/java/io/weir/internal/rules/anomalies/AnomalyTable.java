package io.weir.internal.rules.anomalies;

import io.weir.rules.anomaly.Anomaly;
import io.weir.rules.anomaly.AnomalyAction;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
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

  /** Returns the latest rows. */
  List<Anomaly> recent(Connection connection, int most) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SELECT + NEWEST_FIRST)) {
      statement.setInt(1, most);
      return rows(statement);
    }
  }

  /** Returns the anomalies that haven't ended. */
  List<Anomaly> current(Connection connection, Instant now, int most) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(SELECT + " WHERE until > ?" + NEWEST_FIRST)) {
      statement.setObject(1, time(now));
      statement.setInt(2, most);
      return rows(statement);
    }
  }

  /**
   * Returns the anomalies found in a time. After a given one come those that were found before it
   * and, of the same moment, those whose caller and endpoint sort before its own.
   */
  List<Anomaly> found(
      Connection connection,
      Optional<String> userId,
      Instant from,
      Instant to,
      Optional<Anomaly> after,
      int most)
      throws SQLException {
    String where =
        " WHERE since >= ? AND since < ?"
            + " AND UPPER(TRIM(action)) IN ('ALLOW', 'MONITOR', 'THROTTLE', 'BLOCK')"
            + (userId.isPresent() ? " AND user_id = ?" : "")
            + (after.isPresent()
                ? " AND (since < ? OR since = ? AND (user_id < ? OR user_id = ? AND endpoint < ?))"
                : "");
    try (PreparedStatement statement = connection.prepareStatement(SELECT + where + PAGE)) {
      List<Object> values = new ArrayList<>(List.of(time(from), time(to)));
      userId.ifPresent(values::add);
      after.ifPresent(
          last -> {
            OffsetDateTime since = time(last.since());
            values.addAll(List.of(since, since, last.userId(), last.userId(), last.endpoint()));
          });
      values.add(most);
      for (int i = 0; i < values.size(); i++) {
        statement.setObject(i + 1, values.get(i));
      }
      return rows(statement);
    }
  }

  /** Returns the anomalies of one caller. */
  List<Anomaly> of(Connection connection, String userId, int most) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(SELECT + " WHERE user_id = ?" + NEWEST_FIRST)) {
      statement.setString(1, userId);
      statement.setInt(2, most);
      return rows(statement);
    }
  }

  /** Adds rows. */
  static void insert(Connection connection, List<Anomaly> anomalies) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
      for (Anomaly each : anomalies) {
        statement.setString(1, each.userId());
        statement.setString(2, each.endpoint());
        statement.setDouble(3, each.score());
        statement.setString(4, each.action().name());
        statement.setString(5, each.reason());
        statement.setObject(6, time(each.since()));
        statement.setObject(7, time(each.until()));
        statement.setObject(8, time(each.since()));
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private List<Anomaly> rows(PreparedStatement statement) throws SQLException {
    List<Anomaly> all = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        row(row).ifPresent(all::add);
      }
    }
    return List.copyOf(all);
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
            row.getObject(6, OffsetDateTime.class).toInstant(),
            row.getObject(7, OffsetDateTime.class).toInstant()));
  }

  private void logOnce(long id) {
    if (logged.size() < MAX_LOGGED && logged.add(id)) {
      LOG.log(
          Level.WARNING,
          "rules: anomalies " + id + ", action: must be ALLOW, MONITOR, THROTTLE or BLOCK");
    }
  }

  private static OffsetDateTime time(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }
}

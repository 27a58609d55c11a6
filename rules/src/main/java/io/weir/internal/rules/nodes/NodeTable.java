package io.weir.internal.rules.nodes;

import io.weir.internal.rules.database.SqlState;
import io.weir.internal.rules.outcomes.IntervalOutcomes;
import io.weir.rules.NodeStatus;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes {@code weir_nodes}, which has a row for each node. Its times are the database's.
 */
final class NodeTable {
  /** Its name. */
  static final String NAME = "weir_nodes";

  private static final String COLUMNS =
      "started_at = ?, seen_at = CURRENT_TIMESTAMP, admitted = ?, refused = ?, degraded = ?,"
          + " dropped = ?, breaker = ?, store_micros = ?, version = ?, rules_version = ?,"
          + " clock_offset_millis = ?, interval_millis = ?, exchanges = ?, outcomes = ?,"
          + " policies_left_out = ?, instance = ?, application = ?";
  private static final String TAKE_OVER =
      "UPDATE weir.weir_nodes SET " + COLUMNS + " WHERE node = ?";
  private static final String UPDATE = TAKE_OVER + " AND instance = ?";
  private static final String INSERT =
      "INSERT INTO weir.weir_nodes (started_at, seen_at, admitted, refused, degraded, dropped, breaker,"
          + " store_micros, version, rules_version, clock_offset_millis, interval_millis,"
          + " exchanges, outcomes, policies_left_out, instance, application, node)"
          + " VALUES (?, CURRENT_TIMESTAMP, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
  private static final String RECENT =
      "SELECT node, started_at, seen_at, admitted, refused, degraded, dropped, breaker,"
          + " store_micros, version, rules_version, clock_offset_millis, interval_millis,"
          + " exchanges, outcomes, policies_left_out, instance FROM weir.weir_nodes"
          + " WHERE seen_at > CURRENT_TIMESTAMP - INTERVAL '1' MINUTE ORDER BY node";
  private static final String OTHER_APPLICATION =
      "SELECT MIN(application) FROM weir.weir_nodes"
          + " WHERE seen_at > CURRENT_TIMESTAMP - INTERVAL '1' MINUTE AND application <> ?";
  private static final String DELETE_OLD =
      "DELETE FROM weir.weir_nodes WHERE seen_at < CURRENT_TIMESTAMP - INTERVAL '1' DAY";
  private static final String DELETE =
      "DELETE FROM weir.weir_nodes WHERE node = ? AND instance = ?";

  /** A missing table, column or right; a read-only database. */
  private static final Set<String> REFUSED = Set.of("25006", "90096", "90097");

  private static final String MISSING_OR_NOT_ALLOWED = "42";
  private static final long NANOS_A_MICRO = 1_000;
  private static final double MILLIS_A_SECOND = 1_000;

  private NodeTable() {}

  /**
   * Returns whether the database refuses to read or write it, and will do so the next time too.
   *
   * @param failure with the database's as a cause
   * @return false if the database is unavailable
   */
  static boolean isRefused(Throwable failure) {
    String state = SqlState.of(failure);
    return REFUSED.contains(state) || SqlState.kind(state).equals(MISSING_OR_NOT_ALLOWED);
  }

  /**
   * Writes the report of a node in place of its last one.
   *
   * @param application the application's name; empty if it has none
   * @param isFirst whether it is the first one of this instance, which takes over the row of an
   *     earlier one of its name
   * @return false if another instance of that name reports by now; nothing is written then
   */
  static boolean write(
      Connection connection, NodeReport report, Optional<String> application, boolean isFirst)
      throws SQLException {
    if (update(connection, report, application, isFirst)) {
      return true;
    }
    if (!isFirst && exists(connection, report.status().node())) {
      return false;
    }
    try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
      statement.setString(bind(statement, report, application), report.status().node());
      statement.executeUpdate();
    }
    try (PreparedStatement statement = connection.prepareStatement(DELETE_OLD)) {
      statement.executeUpdate();
    }
    return true;
  }

  private static boolean update(
      Connection connection, NodeReport report, Optional<String> application, boolean isFirst)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(isFirst ? TAKE_OVER : UPDATE)) {
      int next = bind(statement, report, application);
      statement.setString(next, report.status().node());
      if (!isFirst) {
        statement.setString(next + 1, report.instance());
      }
      return statement.executeUpdate() == 1;
    }
  }

  private static boolean exists(Connection connection, String node) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT 1 FROM weir.weir_nodes WHERE node = ?")) {
      statement.setString(1, node);
      try (ResultSet row = statement.executeQuery()) {
        return row.next();
      }
    }
  }

  /** Binds all columns but the key; returns the place of the next parameter. */
  private static int bind(
      PreparedStatement statement, NodeReport report, Optional<String> application)
      throws SQLException {
    NodeStatus status = report.status();
    IntervalOutcomes interval = report.interval().orElse(IntervalOutcomes.NONE);
    int next = 1;
    statement.setObject(next++, status.startedAt().atOffset(ZoneOffset.UTC));
    statement.setLong(next++, status.admitted());
    statement.setLong(next++, status.refused());
    statement.setLong(next++, status.degraded());
    statement.setLong(next++, status.dropped());
    statement.setString(next++, status.breaker());
    setLong(statement, next++, status.storeLatency().map(each -> each.toNanos() / NANOS_A_MICRO));
    statement.setString(next++, status.version().orElse(null));
    statement.setLong(next++, status.rulesVersion());
    setLong(statement, next++, status.clockOffset().map(Duration::toMillis));
    statement.setLong(next++, interval.millis());
    statement.setLong(next++, report.exchanges());
    statement.setString(next++, interval.text());
    statement.setLong(next++, interval.leftOut());
    statement.setString(next++, report.instance());
    statement.setString(next++, application.orElse(null));
    return next;
  }

  private static void setLong(PreparedStatement statement, int parameter, Optional<Long> number)
      throws SQLException {
    if (number.isPresent()) {
      statement.setLong(parameter, number.get());
    } else {
      statement.setNull(parameter, Types.BIGINT);
    }
  }

  /**
   * Finds another application whose nodes have reported within the last minute. Nodes without an
   * application's name aren't compared.
   */
  static Optional<String> otherApplication(Connection connection, String application)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(OTHER_APPLICATION)) {
      statement.setString(1, application);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? NodeName.ofApplication(row.getString(1)) : Optional.empty();
      }
    }
  }

  /** Removes the row of a node, unless it is another instance's by now. */
  static void delete(Connection connection, NodeReport report) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(DELETE)) {
      statement.setString(1, report.status().node());
      statement.setString(2, report.instance());
      statement.executeUpdate();
    }
  }

  /**
   * Returns the last reports of nodes that have reported within the last minute, sorted by name.
   */
  static List<NodeReport> recent(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(RECENT);
        ResultSet row = statement.executeQuery()) {
      List<NodeReport> all = new ArrayList<>();
      while (row.next()) {
        all.add(read(row));
      }
      return all;
    }
  }

  private static NodeReport read(ResultSet row) throws SQLException {
    Instant startedAt = time(row, 2);
    String instance = row.getString(17);
    boolean isWhole = NodeReport.isInstance(instance, startedAt);
    long millis = isWhole ? row.getLong(13) : 0;
    long exchanges = isWhole ? row.getLong(14) : 0;
    NodeStatus status =
        new NodeStatus(
            row.getString(1),
            startedAt,
            time(row, 3),
            row.getLong(4),
            row.getLong(5),
            row.getLong(6),
            row.getLong(7),
            row.getString(8),
            Optional.ofNullable(row.getObject(9, Long.class))
                .map(micros -> Duration.ofNanos(micros * NANOS_A_MICRO)),
            Optional.ofNullable(row.getString(10)).filter(any -> isWhole),
            millis <= 0 ? 0 : exchanges / (millis / MILLIS_A_SECOND),
            isWhole ? row.getLong(11) : 0,
            Optional.ofNullable(row.getObject(12, Long.class))
                .filter(any -> isWhole)
                .map(Duration::ofMillis),
            true,
            Optional.empty());
    return new NodeReport(
        status,
        instance == null ? "" : instance,
        exchanges,
        isWhole ? interval(millis, row.getString(15), row.getLong(16)) : Optional.empty());
  }

  /** A row that somebody else has written is none. */
  private static Optional<IntervalOutcomes> interval(
      long millis, @Nullable String text, long leftOut) {
    try {
      return text == null
          ? Optional.empty()
          : Optional.of(IntervalOutcomes.parse(millis, text, leftOut));
    } catch (IllegalArgumentException foreign) {
      return Optional.empty();
    }
  }

  private static Instant time(ResultSet row, int column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }
}

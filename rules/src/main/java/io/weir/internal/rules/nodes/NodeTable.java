package io.weir.internal.rules.nodes;

import io.weir.internal.rules.database.Sql;
import io.weir.internal.rules.database.SqlState;
import io.weir.internal.rules.outcomes.IntervalOutcomes;
import io.weir.rules.NodeStatus;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes {@code weir_nodes}, which has a row for each node. Its times are the database's.
 */
final class NodeTable {
  static final String NAME = "weir_nodes";

  private static final String COLUMNS =
      "started_at = ?, seen_at = CURRENT_TIMESTAMP, admitted = ?, refused = ?, degraded = ?,"
          + " dropped = ?, breaker = ?, store_micros = ?, version = ?, rules_version = ?,"
          + " clock_offset_millis = ?, interval_millis = ?, exchanges = ?, outcomes = ?,"
          + " policies_left_out = ?, instance = ?, application = ?";
  private static final String UPDATE = "UPDATE weir.weir_nodes SET " + COLUMNS + " WHERE node = ?";
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
    Sql update = written(UPDATE, report, application);
    Sql ofInstance = isFirst ? update : update.then(" AND instance = ?", report.instance());
    if (ofInstance.update(connection) == 1) {
      return true;
    }
    if (!isFirst
        && Sql.of("SELECT 1 FROM weir.weir_nodes WHERE node = ?", report.status().node())
            .isAny(connection)) {
      return false;
    }
    written(INSERT, report, application).update(connection);
    Sql.of(DELETE_OLD).update(connection);
    return true;
  }

  /** Returns a statement with the values of all columns, of which the key is the last. */
  private static Sql written(String sql, NodeReport report, Optional<String> application) {
    NodeStatus status = report.status();
    IntervalOutcomes interval = report.interval().orElse(IntervalOutcomes.NONE);
    return Sql.of(
        sql,
        status.startedAt(),
        status.admitted(),
        status.refused(),
        status.degraded(),
        status.dropped(),
        status.breaker(),
        status.storeLatency().map(each -> each.toNanos() / NANOS_A_MICRO),
        status.version(),
        status.rulesVersion(),
        status.clockOffset().map(Duration::toMillis),
        interval.millis(),
        report.exchanges(),
        interval.text(),
        interval.leftOut(),
        report.instance(),
        application,
        status.node());
  }

  /**
   * Finds another application whose nodes have reported within the last minute. Nodes without an
   * application's name aren't compared.
   */
  static Optional<String> otherApplication(Connection connection, String application)
      throws SQLException {
    return Sql.of(OTHER_APPLICATION, application)
        .first(connection, row -> row.getString(1))
        .flatMap(NodeName::ofApplication);
  }

  /** Removes the row of a node, unless it is another instance's by now. */
  static void delete(Connection connection, NodeReport report) throws SQLException {
    Sql.of(DELETE, report.status().node(), report.instance()).update(connection);
  }

  /**
   * Returns the last reports of nodes that have reported within the last minute, sorted by name.
   */
  static List<NodeReport> recent(Connection connection) throws SQLException {
    return Sql.of(RECENT).all(connection, NodeTable::read);
  }

  private static NodeReport read(ResultSet row) throws SQLException {
    Instant startedAt = Sql.time(row, 2);
    String instance = row.getString(17);
    boolean isWhole = NodeReport.isInstance(instance, startedAt);
    long millis = isWhole ? row.getLong(13) : 0;
    long exchanges = isWhole ? row.getLong(14) : 0;
    NodeStatus status =
        new NodeStatus(
            row.getString(1),
            startedAt,
            Sql.time(row, 3),
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
}

package io.weir.internal.rules.nodes;

import io.weir.internal.rules.database.RuleDatabase;
import io.weir.rules.NodeStatus;
import io.weir.rules.Nodes;
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

/** Reads and writes the reports of nodes: the rows of {@code weir_nodes}, kept for a day. */
public final class StoredNodes implements Nodes {
  private static final String UPDATE =
      "UPDATE weir_nodes SET started_at = ?, seen_at = CURRENT_TIMESTAMP, admitted = ?,"
          + " refused = ?, degraded = ?, dropped = ?, breaker = ?, store_micros = ? WHERE node = ?";
  private static final String INSERT =
      "INSERT INTO weir_nodes (started_at, seen_at, admitted, refused, degraded, dropped, breaker,"
          + " store_micros, node) VALUES (?, CURRENT_TIMESTAMP, ?, ?, ?, ?, ?, ?, ?)";
  private static final String CURRENT =
      "SELECT node, started_at, seen_at, admitted, refused, degraded, dropped, breaker,"
          + " store_micros FROM weir_nodes"
          + " WHERE seen_at > CURRENT_TIMESTAMP - INTERVAL '1' MINUTE ORDER BY node";
  private static final String DELETE_OLD =
      "DELETE FROM weir_nodes WHERE seen_at < CURRENT_TIMESTAMP - INTERVAL '1' DAY";
  private static final long NANOS_A_MICRO = 1_000;

  private final RuleDatabase database;

  /**
   * Opens the reports of a database.
   *
   * @param database may be unavailable
   */
  public StoredNodes(RuleDatabase database) {
    this.database = database;
  }

  @Override
  public void report(NodeStatus status) {
    boolean unused =
        database.inTransaction(
            "weir_nodes can't be written",
            connection -> {
              if (write(connection, UPDATE, status) == 0) {
                write(connection, INSERT, status);
                run(connection, DELETE_OLD);
              }
              return true;
            });
  }

  private static int write(Connection connection, String sql, NodeStatus status)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, status.startedAt().atOffset(ZoneOffset.UTC));
      statement.setLong(2, status.admitted());
      statement.setLong(3, status.refused());
      statement.setLong(4, status.degraded());
      statement.setLong(5, status.dropped());
      statement.setString(6, status.breaker());
      Optional<Duration> latency = status.storeLatency();
      if (latency.isPresent()) {
        statement.setLong(7, latency.get().toNanos() / NANOS_A_MICRO);
      } else {
        statement.setNull(7, Types.BIGINT);
      }
      statement.setString(8, status.node());
      return statement.executeUpdate();
    }
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.executeUpdate();
    }
  }

  @Override
  public void leave(String node) {
    boolean unused =
        database.inTransaction(
            "weir_nodes can't be written",
            connection -> {
              try (PreparedStatement statement =
                  connection.prepareStatement("DELETE FROM weir_nodes WHERE node = ?")) {
                statement.setString(1, node);
                return statement.executeUpdate() == 1;
              }
            });
  }

  @Override
  public List<NodeStatus> current() {
    return database.inTransaction(
        "weir_nodes can't be read",
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(CURRENT);
              ResultSet row = statement.executeQuery()) {
            List<NodeStatus> all = new ArrayList<>();
            while (row.next()) {
              all.add(read(row));
            }
            return List.copyOf(all);
          }
        });
  }

  private static NodeStatus read(ResultSet row) throws SQLException {
    return new NodeStatus(
        row.getString(1),
        time(row, 2),
        time(row, 3),
        row.getLong(4),
        row.getLong(5),
        row.getLong(6),
        row.getLong(7),
        row.getString(8),
        Optional.ofNullable(row.getObject(9, Long.class))
            .map(micros -> Duration.ofNanos(micros * NANOS_A_MICRO)));
  }

  private static Instant time(ResultSet row, int column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }
}

package io.weir.internal.rules.quotas;

import io.weir.Policy;
import io.weir.rules.quota.QuotaGrant;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads and lowers grants within the transaction that closes a period. */
final class GrantTable {
  private GrantTable() {}

  /** Returns the grants of a user that have permits left, and locks them. */
  static List<QuotaGrant> lock(Connection connection, String userId) throws SQLException {
    List<QuotaGrant> grants = new ArrayList<>();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT id, permits, remaining, valid_until, created_at FROM weir.quota_grants"
                + " WHERE user_id = ? ORDER BY id FOR UPDATE")) {
      statement.setString(1, userId);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          long permits = row.getLong(2);
          long left = row.getLong(3);
          long remaining = row.wasNull() ? permits : left;
          if (permits <= Policy.MAX_LIMIT && remaining > 0 && remaining <= permits) {
            grants.add(
                new QuotaGrant(
                    row.getLong(1),
                    userId,
                    permits,
                    remaining,
                    "",
                    "",
                    moment(row, 4),
                    moment(row, 5),
                    0));
          }
        }
      }
    }
    return grants;
  }

  private static Optional<Instant> moment(ResultSet row, int column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class))
        .map(OffsetDateTime::toInstant);
  }

  /** Writes what is left of grants. */
  static void lower(Connection connection, Map<Long, Long> left) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("UPDATE weir.quota_grants SET remaining = ? WHERE id = ?")) {
      for (Map.Entry<Long, Long> each : left.entrySet()) {
        statement.setLong(1, each.getValue());
        statement.setLong(2, each.getKey());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  /** Returns the grants as {@link #lower} has written them. */
  static List<QuotaGrant> lowered(List<QuotaGrant> grants, Map<Long, Long> left) {
    return grants.stream()
        .map(
            each ->
                new QuotaGrant(
                    each.id(),
                    each.userId(),
                    each.permits(),
                    left.getOrDefault(each.id(), each.remaining()),
                    each.reason(),
                    each.grantedBy(),
                    each.validUntil(),
                    each.createdAt(),
                    each.version()))
        .toList();
  }
}

package io.weir.internal.rules.quotas;

import io.weir.Policy;
import io.weir.internal.rules.database.Sql;
import io.weir.rules.quota.QuotaGrant;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Reads and lowers grants within the transaction that closes a period. */
final class GrantTable {
  private GrantTable() {}

  /** Returns the grants of a user that have permits left, and locks them. */
  static List<QuotaGrant> lock(Connection connection, String userId) throws SQLException {
    return Sql.of(
            "SELECT id, permits, remaining, valid_until, created_at FROM weir.quota_grants"
                + " WHERE user_id = ? ORDER BY id FOR UPDATE",
            userId)
        .all(connection, row -> grant(row, userId))
        .stream()
        .filter(
            each ->
                each.permits() <= Policy.MAX_LIMIT
                    && each.remaining() > 0
                    && each.remaining() <= each.permits())
        .toList();
  }

  private static QuotaGrant grant(ResultSet row, String userId) throws SQLException {
    long permits = row.getLong(2);
    long left = row.getLong(3);
    return new QuotaGrant(
        row.getLong(1),
        userId,
        permits,
        row.wasNull() ? permits : left,
        "",
        "",
        Sql.timeIfAny(row, 4),
        Sql.timeIfAny(row, 5),
        0);
  }

  /** Writes what is left of grants. */
  static void lower(Connection connection, Map<Long, Long> left) throws SQLException {
    Sql.batch(
        connection,
        left.entrySet().stream()
            .map(
                each ->
                    Sql.of(
                        "UPDATE weir.quota_grants SET remaining = ? WHERE id = ?",
                        each.getValue(),
                        each.getKey()))
            .toList());
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

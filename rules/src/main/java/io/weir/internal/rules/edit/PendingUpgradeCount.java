package io.weir.internal.rules.edit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Counts the requests for another tier that wait for a decision. */
final class PendingUpgradeCount {
  private PendingUpgradeCount() {}

  static long pending(Connection connection) throws SQLException {
    try (PreparedStatement statement =
            connection.prepareStatement(
                "SELECT COUNT(*) FROM weir.tier_upgrade_requests WHERE pending_of IS NOT NULL");
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }
}

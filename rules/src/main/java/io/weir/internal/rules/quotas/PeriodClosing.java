package io.weir.internal.rules.quotas;

import io.weir.internal.rules.database.Dialect;
import io.weir.rules.quota.QuotaGrant;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Closes the periods of a user that are over, and writes down what comes over into the running one;
 * within a transaction that somebody else began. Of two nodes the second finds nothing left to do.
 *
 * @param account the account as it is now
 * @param rule what the rule gives
 * @param stored what the store has counted, by the begin of the period
 * @param now microseconds since the epoch
 */
record PeriodClosing(QuotaAccount account, QuotaTerms rule, Map<Long, Long> stored, long now) {
  /** Who has changed the rows, for the history. */
  private static final String AUTHOR = "weir";

  void write(Connection connection, Dialect dialect) throws SQLException {
    dialect.beginChange(connection, AUTHOR);
    try {
      close(connection);
      BillingPeriod running = account.period(now);
      PeriodTable.add(
          connection,
          dialect,
          List.of(
              new PeriodTable.Addition(
                  account.userId(),
                  running,
                  OptionalLong.of(account.limit(rule)),
                  OptionalLong.of(rollover(connection, running)),
                  0)));
    } finally {
      dialect.endChange(connection);
    }
  }

  private void close(Connection connection) throws SQLException {
    String userId = account.userId();
    List<LedgerRow> open =
        PeriodTable.open(connection, userId, now - QuotaState.SETTLED_MICROS, true);
    if (open.isEmpty()) {
      return;
    }
    long limit = account.limit(rule);
    List<QuotaGrant> grants = GrantTable.lock(connection, userId);
    LedgerRow last = open.get(0);
    for (LedgerRow row : open) {
      long rollover =
          row.rollover().isPresent()
              ? row.rollover().getAsLong()
              : rollover(connection, row.period());
      long counted = stored.getOrDefault(row.period().begin(), 0L);
      ClosedPeriod closed = ClosedPeriod.of(row, rollover, counted, limit, grants);
      PeriodTable.close(connection, userId, closed, limit, now);
      GrantTable.lower(connection, closed.left());
      grants = GrantTable.lowered(grants, closed.left());
      last = closed.row();
    }
    if (account.settings().isPresent()) {
      rolledOver(connection, account.left(last.used(), rule));
    }
  }

  private long rollover(Connection connection, BillingPeriod period) throws SQLException {
    LedgerRow last = PeriodTable.last(connection, account.userId(), period.begin());
    return account.rollover(last, period, rule);
  }

  private void rolledOver(Connection connection, long amount) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "UPDATE user_quotas SET rollover_amount = ? WHERE user_id = ?")) {
      statement.setLong(1, amount);
      statement.setString(2, account.userId());
      statement.executeUpdate();
    }
  }
}

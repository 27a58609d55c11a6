package io.weir.internal.rules.quotas;

import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.Sql;
import io.weir.rules.quota.QuotaGrant;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Closes the ended periods of a user, and writes what comes over into the current one, within a
 * transaction of the caller. If two nodes try, the second finds nothing left to do.
 */
final class UserPeriodCloser {
  private static final String AUTHOR = "weir";

  private final QuotaAccount account;
  private final QuotaTerms rule;
  private final Map<Long, Long> stored;
  private final long now;

  /**
   * Prepares to close periods.
   *
   * @param rule the terms of users without their own
   * @param stored the permits that the store has counted, by the beginning of the period
   * @param now microseconds since the epoch
   */
  UserPeriodCloser(QuotaAccount account, QuotaTerms rule, Map<Long, Long> stored, long now) {
    this.account = account;
    this.rule = rule;
    this.stored = stored;
    this.now = now;
  }

  void write(Connection connection, Dialect dialect) throws SQLException {
    dialect.beginChange(connection, AUTHOR);
    try {
      close(connection);
      BillingPeriod current = account.period(now);
      PeriodTable.add(
          connection,
          dialect,
          List.of(
              new PeriodTable.Addition(
                  account.userId(),
                  current,
                  OptionalLong.of(account.limit(rule)),
                  OptionalLong.of(rollover(connection, current)),
                  0)));
    } finally {
      dialect.endChange(connection);
    }
  }

  private void close(Connection connection) throws SQLException {
    String userId = account.userId();
    List<LedgerRow> open =
        PeriodTable.open(connection, userId, now - BillingPeriod.CLOSING_DELAY_MICROS, true);
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
      long leftOver = account.leftOver(last.used(), rule);
      Sql.of("UPDATE weir.user_quotas SET rollover_amount = ? WHERE user_id = ?", leftOver, userId)
          .update(connection);
    }
  }

  private long rollover(Connection connection, BillingPeriod period) throws SQLException {
    LedgerRow last = PeriodTable.last(connection, account.userId(), period.begin());
    return account.rollover(last, period, rule);
  }
}

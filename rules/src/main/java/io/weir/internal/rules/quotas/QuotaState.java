package io.weir.internal.rules.quotas;

import io.weir.Policy;
import io.weir.rules.quota.Quota;

/**
 * Holds the permits that a user may use in the current period, as far as they are known.
 *
 * <p>The rollover from the last period is known some seconds after its end, when all nodes have
 * given back and written their permits, and the period is closed. Until then, only the limit
 * counts.
 *
 * @param limit permits of each period
 * @param rollover permits that came over from the period before
 * @param granted permits of this period's grants
 * @param written permits used according to the ledger
 * @param mustClose whether the last period must be closed, or its rollover be written
 */
public record QuotaState(
    BillingPeriod period,
    long limit,
    long rollover,
    long granted,
    long written,
    boolean mustClose) {
  /**
   * Calculates the state of an account.
   *
   * @param rule the terms of users without their own
   * @param now microseconds since the epoch
   */
  public static QuotaState of(QuotaAccount account, QuotaTerms rule, long now) {
    BillingPeriod period = account.period(now);
    LedgerRow row = account.row(period);
    long limit = account.limit(rule);
    long written = row == null ? 0 : row.used();
    if (row != null && row.rollover().isPresent()) {
      long rollover = row.rollover().getAsLong();
      long granted = PeriodGrants.sum(period, account.grants());
      return new QuotaState(period, limit, rollover, granted, written, false);
    }
    long due = period.begin() + BillingPeriod.CLOSING_DELAY_MICROS;
    if (now < due || !account.isReadFor(now)) {
      return new QuotaState(period, limit, 0, 0, written, false);
    }
    if (account.hasOpenBefore(period)) {
      return new QuotaState(period, limit, 0, 0, written, true);
    }
    long rollover = account.rollover(account.before(period), period, rule);
    long granted = PeriodGrants.sum(period, account.grants());
    return new QuotaState(period, limit, rollover, granted, written, true);
  }

  /** Returns all permits of the period, 1 to 1,000,000,000. */
  public long total() {
    return Math.min(Policy.MAX_LIMIT, limit + rollover + granted);
  }

  /** Returns the quota as people see it. */
  public Quota quota(String userId, long used) {
    long available = Math.max(0, total() - used);
    return new Quota(userId, limit, used, available, rollover, granted, period.endsAt());
  }
}

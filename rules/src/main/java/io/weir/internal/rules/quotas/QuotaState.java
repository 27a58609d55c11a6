package io.weir.internal.rules.quotas;

import io.weir.Policy;
import io.weir.rules.quota.Quota;
import java.time.Duration;

/**
 * What a user may use in the running period, as far as it is known.
 *
 * <p>What the last period left is known some seconds after its end, when all nodes have given back
 * and written what they had of it, and it is closed. Until then a period has its limit alone.
 *
 * @param period the running period
 * @param limit permits of each period
 * @param rollover what came over from the period before
 * @param granted what grants have for this period
 * @param written permits used, as far as the ledger was read
 * @param mustSettle whether somebody has to close the last period, or to write down what it left
 */
public record QuotaState(
    BillingPeriod period,
    long limit,
    long rollover,
    long granted,
    long written,
    boolean mustSettle) {
  /** How long after its end a period is closed at the earliest. */
  static final long SETTLED_MICROS = Duration.ofSeconds(10).toNanos() / 1_000;

  /**
   * What an account comes to.
   *
   * @param account the account
   * @param rule what the rule gives
   * @param now microseconds since the epoch
   * @return what holds now
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
    long due = period.begin() + SETTLED_MICROS;
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

  /**
   * All that the period has.
   *
   * @return permits, 1 to 1,000,000,000
   */
  public long total() {
    return Math.min(Policy.MAX_LIMIT, limit + rollover + granted);
  }

  /**
   * The document for people.
   *
   * @param userId whose
   * @param used permits used
   * @return what is left, too
   */
  public Quota quota(String userId, long used) {
    long available = Math.max(0, total() - used);
    return new Quota(userId, limit, used, available, rollover, granted, period.endsAt());
  }
}

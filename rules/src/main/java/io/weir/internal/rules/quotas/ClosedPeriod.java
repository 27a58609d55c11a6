package io.weir.internal.rules.quotas;

import io.weir.rules.quota.QuotaGrant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Holds the result of a closed period.
 *
 * @param rollover permits that came over from the period before
 * @param granted permits of its grants
 * @param used permits used: of the limit first, then of the rollover, then of grants by their end
 * @param left what is left of the grants that were used, by their ids
 */
record ClosedPeriod(
    BillingPeriod period, long rollover, long granted, long used, Map<Long, Long> left) {
  /**
   * Calculates the result of a period.
   *
   * @param stored permits that the store has counted; 0 if it doesn't know the period
   */
  static ClosedPeriod of(
      LedgerRow row, long rollover, long stored, long limit, List<QuotaGrant> grants) {
    long used = Math.max(row.used(), stored);
    long beyond = Math.max(0, used - limit - rollover);
    return new ClosedPeriod(
        row.period(),
        rollover,
        PeriodGrants.sum(row.period(), grants),
        used,
        PeriodGrants.left(row.period(), grants, beyond));
  }

  LedgerRow row() {
    return new LedgerRow(period, OptionalLong.of(rollover), used, true);
  }
}

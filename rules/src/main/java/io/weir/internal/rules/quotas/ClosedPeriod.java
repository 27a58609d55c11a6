package io.weir.internal.rules.quotas;

import io.weir.rules.quota.QuotaGrant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What a period came to when it was closed.
 *
 * @param period the period
 * @param rollover what had come over into it
 * @param granted what grants had for it
 * @param used permits used: limit first, then rollover, then grants by their end
 * @param left what grants that it took from have left, by their numbers
 */
record ClosedPeriod(
    BillingPeriod period, long rollover, long granted, long used, Map<Long, Long> left) {
  /**
   * Closes a period.
   *
   * @param row the ledger's row
   * @param rollover what had come over into it
   * @param stored permits that the store has counted, 0 if it knows nothing of the period
   * @param limit the limit of now
   * @param grants those of now
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

  /** The row as it is from now on. */
  LedgerRow row() {
    return new LedgerRow(period, OptionalLong.of(rollover), used, true);
  }
}

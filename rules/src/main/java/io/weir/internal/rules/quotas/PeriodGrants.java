package io.weir.internal.rules.quotas;

import io.weir.rules.quota.QuotaGrant;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Selects the grants of a period, in the order in which it uses them. */
final class PeriodGrants {
  private static final Comparator<QuotaGrant> FIRST_TO_END =
      Comparator.<QuotaGrant, Instant>comparing(each -> each.validUntil().orElse(Instant.MAX))
          .thenComparing(QuotaGrant::id);

  private PeriodGrants() {}

  /**
   * Returns whether a grant belongs to a period: it was made before the period's end, and is valid
   * after the period's beginning.
   */
  static boolean has(BillingPeriod period, QuotaGrant grant) {
    boolean isMade =
        grant.createdAt().isEmpty() || grant.createdAt().get().isBefore(period.endsAt());
    return isMade
        && (grant.validUntil().isEmpty() || grant.validUntil().get().isAfter(period.beginsAt()));
  }

  /** Returns what is left of all grants of a period. */
  static long sum(BillingPeriod period, List<QuotaGrant> grants) {
    long sum = 0;
    for (QuotaGrant each : grants) {
      if (has(period, each)) {
        sum = Math.addExact(sum, each.remaining());
      }
    }
    return sum;
  }

  /**
   * Returns what is left of each grant that a period used.
   *
   * @param beyond the permits used beyond limit and rollover
   * @return what is left by the grant's id; without grants that weren't used
   */
  static Map<Long, Long> left(BillingPeriod period, List<QuotaGrant> grants, long beyond) {
    List<QuotaGrant> sorted = new ArrayList<>(grants);
    sorted.sort(FIRST_TO_END);
    Map<Long, Long> left = new LinkedHashMap<>();
    long open = beyond;
    for (QuotaGrant each : sorted) {
      long taken = has(period, each) ? Math.min(open, each.remaining()) : 0;
      if (taken > 0) {
        left.put(each.id(), each.remaining() - taken);
        open -= taken;
      }
    }
    return left;
  }
}

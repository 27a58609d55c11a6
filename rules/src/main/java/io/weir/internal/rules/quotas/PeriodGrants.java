package io.weir.internal.rules.quotas;

import io.weir.rules.quota.QuotaGrant;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which grants a period has, and which of them it uses first. */
final class PeriodGrants {
  private static final Comparator<QuotaGrant> FIRST_TO_END =
      Comparator.<QuotaGrant, Instant>comparing(each -> each.validUntil().orElse(Instant.MAX))
          .thenComparing(QuotaGrant::id);

  private PeriodGrants() {}

  /**
   * Whether a period has a grant: it was made before the period's end, and the last moment of its
   * validity isn't before the period's begin.
   */
  static boolean has(BillingPeriod period, QuotaGrant grant) {
    boolean isMade =
        grant.createdAt().isEmpty() || grant.createdAt().get().isBefore(period.endsAt());
    return isMade
        && (grant.validUntil().isEmpty() || grant.validUntil().get().isAfter(period.beginsAt()));
  }

  /** What is left of all grants that a period has. */
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
   * What is left of each grant that a period took from.
   *
   * @param beyond how many permits it used that limit and rollover didn't have
   * @return by the grant's number; those alone that have less left than before
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

package io.weir.internal.control.dashboard;

import io.weir.internal.control.decide.StatusAnswer.RuleStatus;
import io.weir.internal.control.resource.Described;
import io.weir.rules.quota.Quota;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How a user stands. */
record OverviewDocument(
    String userId,
    String tier,
    @Described("Null if no rule gives the tier a quota") @Nullable QuotaPart quota,
    UsageStats usageStats,
    List<RuleStatus> rateLimits) {
  /** What is left of the user's quota. */
  record QuotaPart(
      String userId,
      long limit,
      long used,
      long available,
      long rollover,
      long granted,
      Instant resetsAt) {
    static QuotaPart of(Quota quota) {
      return new QuotaPart(
          quota.userId(),
          quota.limit(),
          quota.used(),
          quota.available(),
          quota.rollover(),
          quota.granted(),
          quota.resetsAt());
    }
  }

  /** What the user has used; the last seconds are missing. */
  record UsageStats(
      @Described("Since the user was first met") long totalRequests,
      @Described("Since midnight in the user's zone, by whole hours") long requestsToday,
      @Described("Since the first of the month in the user's zone") long requestsThisMonth,
      @Described("Of the last 24 hours") Map<String, Long> requestsByEndpoint,
      @Described("Of the last 24 hours, an hour each, the oldest first")
          List<HourlyValue> hourlyUsage) {}

  /** The requests of an hour. */
  record HourlyValue(@Described("When the hour began") Instant timestamp, long value) {}
}

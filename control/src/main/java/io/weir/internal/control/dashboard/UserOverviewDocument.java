package io.weir.internal.control.dashboard;

import io.weir.internal.control.decide.LimitStatusAnswer.BanStatus;
import io.weir.internal.control.decide.LimitStatusAnswer.RuleStatus;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.SchemaName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A user's tier, quota, usage and limits. */
@SchemaName("OverviewDocument")
record UserOverviewDocument(
    String userId,
    String tier,
    @Described("Null if no rule gives the tier a quota") @Nullable QuotaPart quota,
    UsageStats usageStats,
    @Described(
            "DENY if an access list denies the user, ALLOW if it lets no limit refuse it, BAN if the"
                + " user is banned from the whole application; otherwise null")
        @Nullable String access,
    @Described("Of what the user is banned until when; empty if it isn't") List<BanStatus> bans,
    @Described("Without rules in shadow mode, which refuse no request") List<RuleStatus> rateLimits,
    @Described(
            "Whether limits are missing or may be wrong, since the store is slow or can't be"
                + " reached")
        boolean incomplete) {
  /** The user's quota in the current period. */
  record QuotaPart(
      String userId,
      long limit,
      long used,
      long available,
      long rollover,
      long granted,
      Instant resetsAt) {}

  /** The user's usage, without the last few seconds. */
  record UsageStats(
      @Described("Since the user's first request") long totalRequests,
      @Described("Since midnight in the user's time zone, in whole hours") long requestsToday,
      @Described("Since the first of the month in the user's time zone") long requestsThisMonth,
      @Described("In the last 24 hours") Map<String, Long> requestsByEndpoint,
      @Described("In each of the last 24 hours, oldest first") List<HourlyValue> hourlyUsage) {}

  record HourlyValue(@Described("The beginning of the hour") Instant timestamp, long value) {}
}

package io.weir.internal.control.dashboard;

import io.weir.Ticker;
import io.weir.internal.control.dashboard.UserOverviewDocument.HourlyValue;
import io.weir.internal.control.dashboard.UserOverviewDocument.QuotaPart;
import io.weir.internal.control.dashboard.UserOverviewDocument.UsageStats;
import io.weir.internal.control.decide.LimitStatusAnswer;
import io.weir.internal.control.decide.UserStatusReader;
import io.weir.internal.control.json.JsonRecords;
import io.weir.rules.Rules;
import io.weir.rules.quota.UserQuota;
import io.weir.rules.usage.EndpointUsage;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads a user's overview. Reads the database, and waits for the store. */
final class UserOverviewReader {
  private static final int HOURS = 24;

  private final Rules rules;
  private final UserStatusReader status;
  private final Ticker ticker;

  UserOverviewReader(Rules rules, UserStatusReader status, Ticker ticker) {
    this.rules = rules;
    this.status = status;
    this.ticker = ticker;
  }

  UserOverviewDocument of(String userId) {
    LimitStatusAnswer limits = status.of(userId);
    return new UserOverviewDocument(
        userId,
        limits.tier(),
        rules.quotas().find(userId).map(JsonRecords.to(QuotaPart.class)).orElse(null),
        stats(userId, ticker.instant()),
        limits.access(),
        limits.bans(),
        limits.rules().stream().filter(each -> !each.shadow()).toList(),
        limits.incomplete());
  }

  private UsageStats stats(String userId, Instant now) {
    ZonedDateTime there =
        now.atZone(rules.quotas().settings(userId).map(UserQuota::zone).orElse(ZoneOffset.UTC));
    Instant hour = now.truncatedTo(ChronoUnit.HOURS);
    Instant first = hour.minus(HOURS - 1L, ChronoUnit.HOURS);
    Instant end = hour.plus(1, ChronoUnit.HOURS);
    Map<String, Long> byEndpoint = new TreeMap<>();
    Map<Instant, Long> byHour = new TreeMap<>();
    for (int i = 0; i < HOURS; i++) {
      byHour.put(first.plus(i, ChronoUnit.HOURS), 0L);
    }
    for (EndpointUsage each : rules.usage().hours(userId, first, end)) {
      byEndpoint.merge(each.endpoint(), each.requests(), Long::sum);
      byHour.merge(each.startsAt(), each.requests(), Long::sum);
    }
    List<HourlyValue> hours = new ArrayList<>();
    byHour.forEach((startsAt, requests) -> hours.add(new HourlyValue(startsAt, requests)));
    ZonedDateTime today = there.toLocalDate().atStartOfDay(there.getZone());
    ZonedDateTime month = YearMonth.from(there).atDay(1).atStartOfDay(there.getZone());
    return new UsageStats(
        rules.usage().total(userId).requests(),
        requests(userId, today, end),
        requests(userId, month, end),
        byEndpoint,
        hours);
  }

  /** In zones that are off by half an hour, an hour belongs to the day in which it begins. */
  private long requests(String userId, ZonedDateTime from, Instant end) {
    long sum = 0;
    for (EndpointUsage each : rules.usage().byEndpoint(userId, from.toInstant(), end)) {
      sum += each.requests();
    }
    return sum;
  }
}

package io.weir.internal.control.dashboard;

import io.weir.internal.control.dashboard.UsageHistoryDocument.Day;
import io.weir.rules.usage.EndpointUsage;
import io.weir.rules.usage.Usage;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads a user's usage, day by day, from the database. */
final class UsageHistoryReader {
  private final Usage usage;

  UsageHistoryReader(Usage usage) {
    this.usage = usage;
  }

  UsageHistoryDocument of(String userId, LocalDate first, LocalDate last) {
    Map<LocalDate, List<EndpointUsage>> byDay = new HashMap<>();
    for (EndpointUsage each : usage.days(userId, first, last)) {
      LocalDate day = each.startsAt().atZone(ZoneOffset.UTC).toLocalDate();
      byDay.computeIfAbsent(day, any -> new ArrayList<>()).add(each);
    }
    List<Day> days = new ArrayList<>();
    for (LocalDate day = first; !day.isAfter(last); day = day.plusDays(1)) {
      days.add(day(day, byDay.getOrDefault(day, List.of())));
    }
    return new UsageHistoryDocument(userId, days);
  }

  private static Day day(LocalDate date, List<EndpointUsage> endpoints) {
    long requests = 0;
    long refused = 0;
    long permits = 0;
    Map<String, Long> byEndpoint = new TreeMap<>();
    for (EndpointUsage each : endpoints) {
      requests += each.requests();
      refused += each.refused();
      permits += each.permits();
      byEndpoint.merge(each.endpoint(), each.requests(), Long::sum);
    }
    return new Day(date, requests, refused, permits, byEndpoint);
  }
}

package io.weir.internal.control.dashboard;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/** What a user has used, day by day. */
record UsageHistoryDocument(String userId, List<Day> days) {
  /** A day in UTC, also one without requests. */
  record Day(
      LocalDate date, long requests, long refused, long permits, Map<String, Long> byEndpoint) {}
}

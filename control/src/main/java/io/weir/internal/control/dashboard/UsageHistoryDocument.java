package io.weir.internal.control.dashboard;

import io.weir.internal.control.resource.SchemaName;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/** A user's usage, day by day. */
@SchemaName("HistoryDocument")
record UsageHistoryDocument(String userId, List<Day> days) {
  /** The usage of a day in UTC; a day without requests has one, too. */
  record Day(
      LocalDate date, long requests, long refused, long permits, Map<String, Long> byEndpoint) {}
}

package io.weir.internal.control.admin.records;

import io.weir.Ticker;
import io.weir.internal.control.http.CsvEntity;
import io.weir.internal.control.http.CsvText;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.paging.PageRequest;
import io.weir.rules.usage.EndpointUsage;
import io.weir.rules.usage.Usage;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the usage of one user. Safe for concurrent use. */
final class UserUsageReader {
  private static final Duration USUAL = Duration.ofDays(1);
  private static final int MAX_DAYS = 366;

  private final Usage usage;
  private final Ticker ticker;

  UserUsageReader(Usage usage, Ticker ticker) {
    this.usage = usage;
    this.ticker = ticker;
  }

  Response of(String userId, PageRequest page, @Nullable String by, UsageFormat format) {
    UsageTime time = UsageTime.of(page, USUAL, ticker);
    boolean isCsv = format.isCsv();
    List<EndpointUsage> found = read(userId, time, by);
    if (!isCsv) {
      return JsonEntity.json(
              Response.Status.OK.getStatusCode(),
              found.stream().map(EndpointUsageDocument::of).toList())
          .header(HttpHeaders.VARY, HttpHeaders.ACCEPT)
          .build();
    }
    CsvText table = new CsvText(EndpointUsageDocument.COLUMNS);
    found.forEach(each -> table.line(EndpointUsageDocument.cells(each)));
    return CsvEntity.ok(table, time.file("usage-of-user")).build();
  }

  private List<EndpointUsage> read(String userId, UsageTime time, @Nullable String by) {
    if (by == null || by.equals("hour")) {
      return usage.hours(userId, time.checked().from(), time.to());
    }
    if (!by.equals("day")) {
      throw new InvalidFieldException("by", "must be hour or day");
    }
    if (ChronoUnit.DAYS.between(time.firstDay(), time.lastDay()) >= MAX_DAYS) {
      throw new InvalidFieldException("to", "must be at most 366 days after from");
    }
    return usage.days(userId, time.firstDay(), time.lastDay());
  }
}

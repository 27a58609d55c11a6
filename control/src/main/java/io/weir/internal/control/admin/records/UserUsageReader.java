package io.weir.internal.control.admin.records;

import io.weir.Ticker;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.paging.PageRequest;
import io.weir.internal.control.paging.TimeSpan;
import io.weir.rules.usage.EndpointUsage;
import io.weir.rules.usage.Usage;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the usage of one user. Safe for concurrent use. */
final class UserUsageReader {
  private static final Duration USUAL = Duration.ofDays(1);
  private static final int MAX_DAYS = 366;

  private static final UsageTable<EndpointUsage> TABLE =
      new UsageTable<>("usage-of-user", EndpointUsageDocument.class);

  private final Usage usage;
  private final Ticker ticker;

  UserUsageReader(Usage usage, Ticker ticker) {
    this.usage = usage;
    this.ticker = ticker;
  }

  Response of(String userId, PageRequest page, @Nullable String by, UsageFormat format) {
    TimeSpan time = page.time(USUAL, ticker);
    return TABLE.all(format, time, () -> read(userId, time, by));
  }

  private List<EndpointUsage> read(String userId, TimeSpan time, @Nullable String by) {
    if (by == null || by.equals("hour")) {
      return usage.hours(userId, time.atMost(UsageTable.MAX_TIME).from(), time.to());
    }
    if (!by.equals("day")) {
      throw new InvalidFieldException("by", "must be hour or day");
    }
    if (ChronoUnit.DAYS.between(time.firstDay(), time.lastDay()) >= MAX_DAYS) {
      throw new InvalidFieldException("to", "must be less than 366 days after from");
    }
    return usage.days(userId, time.firstDay(), time.lastDay());
  }
}

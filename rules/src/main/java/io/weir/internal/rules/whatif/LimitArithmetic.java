package io.weir.internal.rules.whatif;

import io.weir.rules.usage.WhatIfLimit;
import io.weir.store.CalendarWindow;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The bounds of a limit, and which callers needn't be looked at.
 *
 * @param fixed bounds windows that begin at fixed times
 * @param rolling bounds windows that roll; empty for windows of the calendar
 * @param isExact whether {@code fixed} is exact
 * @param minRequests no caller is refused that has on no day in UTC more requests than these
 * @param minPeak no caller is refused that has on no day a minute with more requests than these
 */
record LimitArithmetic(
    RefusalBound fixed,
    Optional<RefusalBound> rolling,
    boolean isExact,
    long minRequests,
    long minPeak) {
  private static final long DAY_HOURS = 24;
  private static final long MINUTE = 60;
  private static final long ANY_PEAK = -1;

  /**
   * Chooses the bounds of a limit.
   *
   * @param limit the limit
   * @param from the first hour
   * @param until the end of the last one
   */
  static LimitArithmetic of(WhatIfLimit limit, Instant from, Instant until) {
    if (limit.calendar().isPresent()) {
      return calendar(limit.calendar().get(), limit.limit(), from, until);
    }
    long seconds = limit.length().map(Duration::toSeconds).orElseThrow();
    return seconds < HourLumps.HOUR
        ? shorter(seconds, limit.limit())
        : longer(seconds, limit.limit(), days(from, until));
  }

  private static LimitArithmetic calendar(
      CalendarWindow calendar, long limit, Instant from, Instant until) {
    FixedWindows windows = FixedWindows.of(calendar);
    boolean isWhole = true;
    long end = Math.floorDiv(until.getEpochSecond(), HourLumps.HOUR);
    for (long hour = Math.floorDiv(from.getEpochSecond(), HourLumps.HOUR); hour < end; hour++) {
      isWhole &= windows.first(hour) == windows.last(hour);
    }
    long touched = Math.min(calendar.longest().toDays() + 1, days(from, until));
    return new LimitArithmetic(
        HourLumps.fixed(windows, limit), Optional.empty(), isWhole, limit / touched, ANY_PEAK);
  }

  private static LimitArithmetic longer(long seconds, long limit, long days) {
    int run = HourLumps.run(seconds);
    return new LimitArithmetic(
        HourLumps.fixed(FixedWindows.of(Duration.ofSeconds(seconds)), limit),
        Optional.of(HourLumps.rolling(run, limit)),
        seconds % HourLumps.HOUR == 0,
        limit / Math.min(HourLumps.ceil(run - 1L, DAY_HOURS) + 1, days),
        ANY_PEAK);
  }

  /** Two hours that follow each other may be of two days. */
  private static LimitArithmetic shorter(long seconds, long limit) {
    long touched = HourLumps.ceil(2 * seconds, MINUTE) + 2; // no window touches more minutes
    return new LimitArithmetic(
        MinutePeaks.fixed(seconds, limit),
        Optional.of(MinutePeaks.rolling(seconds, limit)),
        false,
        limit / 2,
        limit / touched);
  }

  /** The number of days in UTC that a time touches. */
  private static long days(Instant from, Instant until) {
    Instant first = from.truncatedTo(ChronoUnit.DAYS);
    return Math.max(1, HourLumps.ceil(Duration.between(first, until).toHours(), DAY_HOURS));
  }
}

package io.weir.internal.rules.whatif;

import io.weir.rules.usage.WhatIfLimit;
import io.weir.store.CalendarWindow;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Holds the bounds of a limit, and thresholds below which callers needn't be read.
 *
 * <p>A window with more than L requests that touches d days and m minutes has more than L ÷ d on
 * one of the days, and more than L ÷ m in one of the minutes, perhaps of another day.
 *
 * @param fixed bounds windows that begin at fixed times
 * @param rolling bounds windows that roll; empty for windows of the calendar
 * @param isExact whether {@code fixed} is exact
 * @param minRequests no caller is refused that has on no day in UTC more requests than these
 * @param minPeak no caller is refused that has on no day a minute with more requests than these
 * @param minHour no caller is refused that has in no hour more requests than these; empty where
 *     that excludes few
 * @param byDays the same limit for lumps of whole days in UTC, with as exact figures of fixed
 *     windows; empty where a window may begin within a day
 */
record LimitArithmetic(
    RefusalBound fixed,
    Optional<RefusalBound> rolling,
    boolean isExact,
    long minRequests,
    long minPeak,
    OptionalLong minHour,
    Optional<DayLumps> byDays) {
  private static final long DAY_HOURS = 24;
  private static final long DAY_SECONDS = 86_400;

  /**
   * Bounds by days instead of hours.
   *
   * @param fixed bounds windows that begin at fixed times; exact
   * @param rolling bounds windows that roll, less strictly than by hours
   */
  record DayLumps(RefusalBound fixed, Optional<RefusalBound> rolling) {}

  /**
   * Chooses the bounds of a limit.
   *
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
    FixedWindows windows = FixedWindows.of(calendar, HourLumps.HOUR);
    FixedWindows ofDays = FixedWindows.of(calendar, DAY_SECONDS);
    boolean isWhole = isWhole(windows, from, until, HourLumps.HOUR);
    boolean isWholeDays = isWhole(ofDays, from, until, DAY_SECONDS);
    long longest = calendar.longest().toDays() + 1;
    long touched = Math.min(longest, days(from, until));
    long minutes = calendar.longest().toMinutes() + 1;
    CrowdedHours byHours = new CrowdedHours(Math.toIntExact(longest * DAY_HOURS), minutes, limit);
    CrowdedHours byDays = new CrowdedHours(Math.toIntExact(longest), minutes, limit);
    return new LimitArithmetic(
        HourLumps.fixed(windows, byHours),
        Optional.empty(),
        isWhole,
        limit / touched,
        limit / minutes,
        OptionalLong.empty(),
        isWholeDays
            ? Optional.of(new DayLumps(HourLumps.fixed(ofDays, byDays), Optional.empty()))
            : Optional.empty());
  }

  /** Returns whether no window begins within an hour, or within a day. */
  private static boolean isWhole(
      FixedWindows windows, Instant from, Instant until, long lumpSeconds) {
    long end = WholeNumbers.ceil(until.getEpochSecond(), lumpSeconds);
    for (long lump = Math.floorDiv(from.getEpochSecond(), lumpSeconds); lump < end; lump++) {
      if (windows.first(lump) != windows.last(lump)) {
        return false;
      }
    }
    return true;
  }

  private static LimitArithmetic longer(long seconds, long limit, long days) {
    Duration length = Duration.ofSeconds(seconds);
    CrowdedHours byHours =
        new CrowdedHours(HourLumps.run(seconds), CrowdedHours.minutes(seconds), limit);
    int run = byHours.run();
    long runOfDays = WholeNumbers.ceil(run - 1L, DAY_HOURS) + 1;
    CrowdedHours ofDays = new CrowdedHours(Math.toIntExact(runOfDays), byHours.minutes(), limit);
    DayLumps byDays =
        new DayLumps(
            HourLumps.fixed(FixedWindows.of(length, DAY_SECONDS), ofDays),
            Optional.of(HourLumps.rolling(ofDays)));
    return new LimitArithmetic(
        HourLumps.fixed(FixedWindows.of(length, HourLumps.HOUR), byHours),
        Optional.of(HourLumps.rolling(byHours)),
        seconds % HourLumps.HOUR == 0,
        limit / Math.min(runOfDays, days),
        limit / byHours.minutes(),
        run < DAY_HOURS ? OptionalLong.of(limit / run) : OptionalLong.empty(),
        seconds % DAY_SECONDS == 0 ? Optional.of(byDays) : Optional.empty());
  }

  /** Bounds windows below an hour; two hours that follow each other may be of two days. */
  private static LimitArithmetic shorter(long seconds, long limit) {
    long counted = WholeNumbers.ceil(61 * seconds, 60);
    long hours = counted > HourLumps.HOUR ? HourLumps.run(seconds) : 2;
    return new LimitArithmetic(
        MinutePeaks.fixed(seconds, limit),
        Optional.of(MinutePeaks.rolling(seconds, limit)),
        false,
        limit / hours,
        limit / CrowdedHours.minutes(seconds),
        OptionalLong.of(limit / hours),
        Optional.empty());
  }

  /** Returns the number of days in UTC that a time touches. */
  private static long days(Instant from, Instant until) {
    Instant first = from.truncatedTo(ChronoUnit.DAYS);
    return Math.max(1, WholeNumbers.ceil(Duration.between(first, until).toHours(), DAY_HOURS));
  }
}

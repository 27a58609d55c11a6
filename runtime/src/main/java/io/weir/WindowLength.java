package io.weir;

import io.weir.store.BucketSpec;
import io.weir.store.CalendarWindow;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The length of a policy's window as it was given: a duration, a number of units, possibly of the
 * calendar, or a single period.
 *
 * <p>Immutable.
 */
final class WindowLength {
  private static final Set<ChronoUnit> EXACT =
      EnumSet.of(
          ChronoUnit.MILLIS,
          ChronoUnit.SECONDS,
          ChronoUnit.MINUTES,
          ChronoUnit.HOURS,
          ChronoUnit.DAYS);

  private static final Set<ChronoUnit> CALENDAR =
      EnumSet.of(ChronoUnit.WEEKS, ChronoUnit.MONTHS, ChronoUnit.YEARS);

  /** Stands for lengths that are too long for a duration; beyond the allowed range. */
  private static final Duration FOREVER = Duration.ofDays(36_600);

  private final Duration length;
  private final long amount;
  private final @Nullable ChronoUnit unit;
  private final @Nullable CalendarWindow period;

  private WindowLength(
      Duration length, long amount, @Nullable ChronoUnit unit, @Nullable CalendarWindow period) {
    this.length = length;
    this.amount = amount;
    this.unit = unit;
    this.period = period;
  }

  static WindowLength of(Duration length) {
    return new WindowLength(length, 0, null, null);
  }

  static WindowLength of(long amount, ChronoUnit unit) {
    return new WindowLength(length(amount, unit), amount, unit, null);
  }

  static WindowLength of(CalendarWindow period) {
    return new WindowLength(period.longest(), 0, null, period);
  }

  private static Duration length(long amount, ChronoUnit unit) {
    if (amount < 0 || !EXACT.contains(unit)) {
      return Duration.ZERO;
    }
    return amount <= FOREVER.dividedBy(unit.getDuration()) ? Duration.of(amount, unit) : FOREVER;
  }

  /**
   * Returns whether it is a calendar window: in weeks, months or years, in days with a zone, or a
   * period.
   *
   * @param zone the name of the zone; empty if none was given
   */
  boolean isCalendar(String zone) {
    return period != null
        || unit != null && (CALENDAR.contains(unit) || unit == ChronoUnit.DAYS && !zone.isEmpty());
  }

  void check(PolicyValidator rules, String zone) {
    if (unit != null && !EXACT.contains(unit) && !CALENDAR.contains(unit)) {
      rules.wrong(
          "unit",
          unit.name(),
          "must be MILLIS, SECONDS, MINUTES, HOURS, DAYS, WEEKS, MONTHS or YEARS");
    } else if (period != null) {
      if (!zone.isEmpty()) {
        rules.wrong(
            "zone", zone, "can't be combined with a period, which begins and ends at instants");
      }
    } else if (unit != null && isCalendar(zone)) {
      CalendarWindow.mistake(amount, unit).ifPresent(rule -> rules.wrong("window", amount, rule));
    } else {
      rules.window(length);
      if (!zone.isEmpty()) {
        rules.wrong("zone", zone, "is for windows of DAYS, WEEKS, MONTHS or YEARS");
      }
    }
  }

  /** Sets the window of a spec; only after {@link #check} found no mistake. */
  void setIn(BucketSpec.Builder spec, String zone) {
    if (period != null) {
      spec.calendar(period);
    } else if (unit != null && isCalendar(zone)) {
      ZoneId found = CalendarWindow.zone(zone).orElse(ZoneOffset.UTC);
      spec.calendar(CalendarWindow.of(amount, unit, found));
    } else {
      spec.window(length);
    }
  }
}

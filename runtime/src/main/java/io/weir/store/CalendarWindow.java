package io.weir.store;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Windows that begin and end at a midnight of the calendar: a day, a week from Monday on, 1, 2, 3,
 * 4 or 6 months counted from January, or a year, in one time zone. Or a single {@linkplain #period
 * period}, whose edges are any two instants.
 *
 * <p>A midnight that the clock skips is the first instant after it, one that occurs twice is the
 * first, as in {@link LocalDate#atStartOfDay(ZoneId)}. The edges depend on the time zone data of
 * this JVM.
 *
 * <p>Immutable.
 */
public final class CalendarWindow {
  /** The shortest period, which is the shortest of all windows. */
  static final Duration MIN_PERIOD = Duration.ofMillis(10);

  /** The longest period, which is the longest of all windows of one length. */
  static final Duration MAX_PERIOD = Duration.ofDays(366);

  private static final Set<ChronoUnit> UNITS =
      EnumSet.of(ChronoUnit.DAYS, ChronoUnit.WEEKS, ChronoUnit.MONTHS, ChronoUnit.YEARS);

  private static final Set<Integer> MONTHS = Set.of(1, 2, 3, 4, 6);
  private static final int MONTHS_OF_YEAR = 12;
  private static final long MICROS = 1_000_000;
  private static final Duration PERIOD_KEPT = Duration.ofDays(40);

  /** The time by which the store's clock may be behind that of the node that begins a period. */
  private static final Duration PERIOD_EARLY = Duration.ofDays(1);

  private final int amount;
  private final ChronoUnit unit;
  private final ZoneId zone;
  private final long periodBegin;
  private final long periodEnd; // 0: no period

  private CalendarWindow(int amount, ChronoUnit unit, ZoneId zone) {
    this.amount = amount;
    this.unit = unit;
    this.zone = zone;
    this.periodBegin = 0;
    this.periodEnd = 0;
  }

  private CalendarWindow(long periodBegin, long periodEnd) {
    this.amount = 1;
    this.unit = ChronoUnit.FOREVER;
    this.zone = ZoneOffset.UTC;
    this.periodBegin = periodBegin;
    this.periodEnd = periodEnd;
  }

  /**
   * Makes windows of the calendar.
   *
   * @param amount the number of units: 1, or for months 1, 2, 3, 4 or 6
   * @param unit days, weeks, months or years
   * @param zone the time zone of the midnights
   * @return the windows
   * @throws IllegalArgumentException if there are no such windows; the message names the rule
   */
  public static CalendarWindow of(long amount, ChronoUnit unit, ZoneId zone) {
    mistake(amount, unit)
        .ifPresent(
            rule -> {
              throw new IllegalArgumentException(rule);
            });
    return new CalendarWindow((int) amount, unit, Objects.requireNonNull(zone, "zone"));
  }

  /**
   * Makes a single period, such as the billing month of a customer, which is a bucket of its own:
   * begin and end are part of the bucket's name. So the node that names the bucket decides which
   * period a request belongs to, not the store: it counts in the period from a day before its
   * begin, and for as long after its end as it is {@linkplain #kept() kept}. Refusals report its
   * end.
   *
   * @param begin when it begins, cut to whole microseconds; 1970 or later
   * @param end when it ends, cut to whole microseconds; 10 ms to 366 days later
   * @return the period as the only window
   * @throws IllegalArgumentException if it begins before 1970, or is too short or too long
   */
  public static CalendarWindow period(Instant begin, Instant end) {
    Duration length = Duration.between(begin, end);
    if (begin.isBefore(Instant.EPOCH)
        || length.compareTo(MIN_PERIOD) < 0
        || length.compareTo(MAX_PERIOD) > 0) {
      throw new IllegalArgumentException(
          "a period must begin in 1970 or later and last 10 ms to 366 days, not "
              + begin
              + " to "
              + end);
    }
    return new CalendarWindow(
        ChronoUnit.MICROS.between(Instant.EPOCH, begin),
        ChronoUnit.MICROS.between(Instant.EPOCH, end));
  }

  /**
   * Returns whether it is a single period.
   *
   * @return true only if made by {@link #period}
   */
  public boolean isPeriod() {
    return periodEnd > 0;
  }

  /**
   * Returns the time for which a store counts in a window beyond its end.
   *
   * @return 40 days for a period, else zero
   */
  public Duration kept() {
    return isPeriod() ? PERIOD_KEPT : Duration.ZERO;
  }

  /**
   * Returns when a store begins to count in the window that contains a moment.
   *
   * @param micros microseconds since the epoch, as for {@link #begin}
   * @return for a period a day before its begin, whatever the moment, but not before the epoch;
   *     else {@link #begin}
   */
  public long opens(long micros) {
    return isPeriod() ? Math.max(0, periodBegin - PERIOD_EARLY.toNanos() / 1_000) : begin(micros);
  }

  /**
   * Returns when a store stops counting in the window that contains a moment.
   *
   * @param micros microseconds since the epoch, as for {@link #end}
   * @return {@link #end} plus the time for which it is {@linkplain #kept() kept}
   */
  public long closes(long micros) {
    return end(micros) + kept().toNanos() / 1_000;
  }

  /**
   * Checks the length of a window.
   *
   * @param amount the number of units
   * @param unit any unit
   * @return the rule that it breaks; empty if there are such windows
   */
  public static Optional<String> mistake(long amount, ChronoUnit unit) {
    if (!UNITS.contains(unit)) {
      return Optional.of("must be DAYS, WEEKS, MONTHS or YEARS by the calendar");
    }
    if (unit == ChronoUnit.MONTHS) {
      boolean known = amount > 0 && amount <= MONTHS_OF_YEAR && MONTHS.contains((int) amount);
      return known ? Optional.empty() : Optional.of("must be 1, 2, 3, 4 or 6 months");
    }
    return amount == 1
        ? Optional.empty()
        : Optional.of("must be 1 with " + unit.name() + " by the calendar");
  }

  /**
   * Returns the number of units of a window.
   *
   * @return 1 to 6; 1 for a period
   */
  public int amount() {
    return amount;
  }

  /**
   * Returns the unit of a window.
   *
   * @return days, weeks, months or years; {@link ChronoUnit#FOREVER} for a period
   */
  public ChronoUnit unit() {
    return unit;
  }

  /**
   * Returns the time zone whose midnights are its edges.
   *
   * @return the time zone; UTC for a period
   */
  public ZoneId zone() {
    return zone;
  }

  /**
   * Returns when the window that contains a moment began.
   *
   * @param micros microseconds since the epoch, in the years 1 to 9999
   * @return microseconds since the epoch, not after the moment; for a period always its own begin
   */
  public long begin(long micros) {
    if (isPeriod()) {
      return periodBegin;
    }
    LocalDate first = first(day(micros));
    long begin = start(first);
    return begin > micros ? start(first.minus(amount, unit)) : begin;
  }

  /**
   * Returns when the window that contains a moment ends, which is when the next one begins.
   *
   * @param micros microseconds since the epoch, in the years 1 to 9998
   * @return microseconds since the epoch, after the moment; for a period always its own end
   */
  public long end(long micros) {
    if (isPeriod()) {
      return periodEnd;
    }
    LocalDate next = first(day(micros)).plus(amount, unit);
    long end = start(next);
    while (end <= micros) {
      next = next.plus(amount, unit);
      end = start(next);
    }
    return end;
  }

  /**
   * Returns the longest possible window, whatever the clocks do: its days, and one more.
   *
   * @return whole days; for a period its length
   */
  public Duration longest() {
    if (isPeriod()) {
      return Duration.of(periodEnd - periodBegin, ChronoUnit.MICROS);
    }
    int days =
        switch (unit) {
          case WEEKS -> 7;
          case MONTHS -> 31 * amount;
          case YEARS -> 366;
          default -> 1;
        };
    return Duration.ofDays(days + 1L);
  }

  private LocalDate day(long micros) {
    return instant(micros).atZone(zone).toLocalDate();
  }

  private static Instant instant(long micros) {
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * 1_000L);
  }

  private LocalDate first(LocalDate day) {
    return switch (unit) {
      case WEEKS -> day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
      case MONTHS -> day.withDayOfMonth(1).minusMonths((day.getMonthValue() - 1) % amount);
      case YEARS -> day.withDayOfYear(1);
      default -> day;
    };
  }

  private long start(LocalDate day) {
    return Math.multiplyExact(day.atStartOfDay(zone).toEpochSecond(), MICROS);
  }

  /**
   * Finds a time zone by its name.
   *
   * @param name {@code Europe/Berlin}, {@code UTC} or {@code +01:00}
   * @return empty if this JVM knows none of that name
   */
  public static Optional<ZoneId> zone(String name) {
    try {
      return Optional.of(ZoneId.of(name));
    } catch (DateTimeException unknown) {
      return Optional.empty();
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CalendarWindow that
        && amount == that.amount
        && unit == that.unit
        && periodBegin == that.periodBegin
        && periodEnd == that.periodEnd
        && zone.equals(that.zone);
  }

  @Override
  public int hashCode() {
    return Objects.hash(amount, unit, zone, periodBegin, periodEnd);
  }

  /**
   * For example {@code 3 MONTHS in Europe/Berlin}, or {@code 2026-01-14T23:00:00Z to
   * 2026-02-14T23:00:00Z}. Part of the names of buckets, so it must never change.
   */
  @Override
  public String toString() {
    if (isPeriod()) {
      return instant(periodBegin) + " to " + instant(periodEnd);
    }
    return amount + " " + unit.name() + " in " + zone;
  }
}

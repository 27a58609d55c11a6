package io.weir.store;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Windows that begin and end at a midnight of the calendar: a day, a week from Monday on, 1, 2, 3,
 * 4 or 6 months counted from January, or a year, in one time zone.
 *
 * <p>A midnight that the clock skips begins at the first instant after it, one that comes twice at
 * the first: as {@link LocalDate#atStartOfDay(ZoneId)} has it. Where the edges lie depends on the
 * time zone data of this JVM.
 *
 * <p>Immutable.
 */
public final class CalendarWindow {
  private static final Set<ChronoUnit> UNITS =
      EnumSet.of(ChronoUnit.DAYS, ChronoUnit.WEEKS, ChronoUnit.MONTHS, ChronoUnit.YEARS);

  private static final Set<Integer> MONTHS = Set.of(1, 2, 3, 4, 6);
  private static final int MONTHS_OF_YEAR = 12;
  private static final long MICROS = 1_000_000;

  private final int amount;
  private final ChronoUnit unit;
  private final ZoneId zone;

  private CalendarWindow(int amount, ChronoUnit unit, ZoneId zone) {
    this.amount = amount;
    this.unit = unit;
    this.zone = zone;
  }

  /**
   * Windows of the calendar.
   *
   * @param amount how many units: 1, or of months 1, 2, 3, 4 or 6
   * @param unit days, weeks, months or years
   * @param zone whose midnights
   * @return the windows
   * @throws IllegalArgumentException if there are no such windows; the message is the rule
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
   * Looks for a mistake in the length of a window.
   *
   * @param amount how many units
   * @param unit any unit
   * @return the rule that it breaks; nothing if there are such windows
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
   * How many units a window has.
   *
   * @return 1 to 6
   */
  public int amount() {
    return amount;
  }

  /**
   * What a window consists of.
   *
   * @return days, weeks, months or years
   */
  public ChronoUnit unit() {
    return unit;
  }

  /**
   * Whose midnights are its edges.
   *
   * @return the time zone
   */
  public ZoneId zone() {
    return zone;
  }

  /**
   * When the window began that a moment lies in.
   *
   * @param micros microseconds since the epoch, in the years 1 to 9999
   * @return microseconds since the epoch, not after the moment
   */
  public long begin(long micros) {
    LocalDate first = first(day(micros));
    long begin = start(first);
    return begin > micros ? start(first.minus(amount, unit)) : begin;
  }

  /**
   * When the window ends that a moment lies in, which is when the next one begins.
   *
   * @param micros microseconds since the epoch, in the years 1 to 9998
   * @return microseconds since the epoch, after the moment
   */
  public long end(long micros) {
    LocalDate next = first(day(micros)).plus(amount, unit);
    long end = start(next);
    while (end <= micros) {
      next = next.plus(amount, unit);
      end = start(next);
    }
    return end;
  }

  /**
   * How long a window is at most, whatever the clocks do: its days, and one more.
   *
   * @return whole days
   */
  public Duration longest() {
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
    Instant instant =
        Instant.ofEpochSecond(
            Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * 1_000L);
    return instant.atZone(zone).toLocalDate();
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
   * @return nothing if this JVM knows none of that name
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
        && zone.equals(that.zone);
  }

  @Override
  public int hashCode() {
    return Objects.hash(amount, unit, zone);
  }

  /** {@code 3 MONTHS in Europe/Berlin}; buckets are named by it, so it must stay as it is. */
  @Override
  public String toString() {
    return amount + " " + unit.name() + " in " + zone;
  }
}

package io.weir.internal.rules.quotas;

import io.weir.store.CalendarWindow;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;

/**
 * A billing month: from midnight of the billing day to that of the next month, in one time zone. A
 * day that a month doesn't have is its last one. A midnight that the clock skips is the first
 * instant after it, one that comes twice is the first.
 *
 * @param begin microseconds since the epoch, inclusive
 * @param end microseconds since the epoch, exclusive
 */
public record BillingPeriod(long begin, long end) {
  /** A period that would be shorter after a change of day or zone goes on to the next end. */
  private static final long SHORTEST_MICROS = Duration.ofDays(2).toNanos() / 1_000;

  /**
   * The period that a moment lies in, of one who was always billed so.
   *
   * @param now microseconds since the epoch
   * @param day the billing day, 1 to 31
   * @param zone whose midnights
   * @return the period
   */
  public static BillingPeriod at(long now, int day, ZoneId zone) {
    YearMonth month = YearMonth.from(instant(now).atZone(zone));
    long edge = edge(month, day, zone);
    return now < edge
        ? new BillingPeriod(edge(month.minusMonths(1), day, zone), edge)
        : new BillingPeriod(edge, edge(month.plusMonths(1), day, zone));
  }

  /**
   * The period that a moment lies in, after another that may have been billed otherwise: the next
   * one begins where that ended, and from its own end on all are as usual.
   *
   * @param last the end of the other period, not after the moment
   * @param now microseconds since the epoch
   * @param day the billing day, 1 to 31
   * @param zone whose midnights
   * @return the period
   */
  public static BillingPeriod after(long last, long now, int day, ZoneId zone) {
    BillingPeriod usual = at(last, day, zone);
    long end = usual.end;
    if (end - last < SHORTEST_MICROS) {
      end = at(end, day, zone).end;
    }
    return now < end ? new BillingPeriod(last, end) : at(now, day, zone);
  }

  private static long edge(YearMonth month, int day, ZoneId zone) {
    return micros(month.atDay(Math.min(day, month.lengthOfMonth())).atStartOfDay(zone).toInstant());
  }

  /**
   * A moment in microseconds since the epoch.
   *
   * @param moment any moment of the years 1 to 9999
   * @return cut to whole microseconds
   */
  public static long micros(Instant moment) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, moment);
  }

  /**
   * The other way.
   *
   * @param micros microseconds since the epoch
   * @return the moment
   */
  public static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  boolean holds(long now) {
    return now >= begin && now < end;
  }

  /** Until when the store knows what was used in it; later the ledger alone does. */
  long keptUntil() {
    return CalendarWindow.period(beginsAt(), endsAt()).closes(begin);
  }

  /**
   * When it begins.
   *
   * @return inclusive
   */
  public Instant beginsAt() {
    return instant(begin);
  }

  /**
   * When it ends.
   *
   * @return exclusive
   */
  public Instant endsAt() {
    return instant(end);
  }
}

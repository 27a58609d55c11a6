package io.weir.internal.rules.quotas;

import io.weir.store.CalendarWindow;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;

/**
 * Spans a billing month: from midnight of the billing day to that of the next month, in one time
 * zone. In a shorter month the billing day is the last one. A midnight that summer time skips is
 * the first instant after it; of a midnight that comes twice, the first one counts.
 *
 * @param begin microseconds since the epoch, inclusive
 * @param end microseconds since the epoch, exclusive
 */
public record BillingPeriod(long begin, long end) {
  /** The begin of the year 10000, beyond which no period is. */
  private static final long LATEST_MICROS = 253_402_300_800_000_000L;

  /** After a change of day or zone, a shorter period goes on to the next end. */
  private static final long SHORTEST_MICROS = Duration.ofDays(2).toNanos() / 1_000;

  /** The time from the end of a period until all nodes have written what they know of it. */
  static final long CLOSING_DELAY_MICROS = Duration.ofSeconds(10).toNanos() / 1_000;

  /**
   * Throws {@link IllegalArgumentException} if a period that was read doesn't end after its begin,
   * or isn't in the years 1970 to 9999.
   */
  static BillingPeriod checked(long begin, long end) {
    if (begin < 0 || end <= begin || end > LATEST_MICROS) {
      throw new IllegalArgumentException("no period: " + begin + " to " + end);
    }
    return new BillingPeriod(begin, end);
  }

  /**
   * Returns the period that contains a moment, for a user that was always billed in this way.
   *
   * @param now microseconds since the epoch
   * @param day the billing day, 1 to 31
   * @param zone the time zone of the midnights
   */
  public static BillingPeriod at(long now, int day, ZoneId zone) {
    YearMonth month = YearMonth.from(instant(now).atZone(zone));
    long edge = edge(month, day, zone);
    return now < edge
        ? new BillingPeriod(edge(month.minusMonths(1), day, zone), edge)
        : new BillingPeriod(edge, edge(month.plusMonths(1), day, zone));
  }

  /**
   * Returns the period that contains a moment, after another period that may have been billed
   * differently: the next one begins where that ended, and later ones are as usual.
   *
   * @param last the end of the other period, at or before the moment
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
   * Converts a moment to microseconds since the epoch.
   *
   * @param moment in the years 1 to 9999
   * @return whole microseconds, rounded down
   */
  public static long micros(Instant moment) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, moment);
  }

  /** Converts microseconds since the epoch to a moment. */
  public static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  /** Returns whether it contains a moment, in microseconds since the epoch. */
  boolean contains(long now) {
    return now >= begin && now < end;
  }

  /** Returns until when the store knows the permits used in it; later only the ledger does. */
  long keptUntil() {
    return CalendarWindow.period(beginsAt(), endsAt()).closes(begin);
  }

  public Instant beginsAt() {
    return instant(begin);
  }

  public Instant endsAt() {
    return instant(end);
  }
}

package io.weir.internal.control.json;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** Moments and days as they are written, of years that calendars and databases can count with. */
public final class Iso8601 {
  /** What is said of a text that is no moment. */
  public static final String INSTANT_RULE =
      "must be a moment of the years 1 to 9999, such as 2026-11-01T00:00:00Z";

  /** What is said of a text that is no day. */
  public static final String DAY_RULE = "must be a day of the years 1 to 9999, such as 2026-11-01";

  private static final int LAST_YEAR = 9_999;

  private Iso8601() {}

  /**
   * Reads a moment.
   *
   * @param text in ISO 8601, in UTC or with an offset
   * @return the moment
   * @throws DateTimeException if it isn't one of those years
   */
  public static Instant instant(String text) {
    Instant moment = Instant.parse(text);
    check(moment.atOffset(ZoneOffset.UTC).getYear());
    return moment;
  }

  /**
   * Reads a day.
   *
   * @param text in ISO 8601
   * @return the day
   * @throws DateTimeException if it isn't one of those years
   */
  public static LocalDate day(String text) {
    LocalDate day = LocalDate.parse(text);
    check(day.getYear());
    return day;
  }

  private static void check(int year) {
    if (year < 1 || year > LAST_YEAR) {
      throw new DateTimeException("nobody counts with the year " + year);
    }
  }
}

package io.weir.internal.control.json;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** Reads instants and days in ISO 8601, of years that calendars and databases support. */
public final class Iso8601 {
  public static final String INSTANT_RULE =
      "must be a time in the years 1 to 9999, such as 2026-11-01T00:00:00Z";

  public static final String DAY_RULE = "must be a day in the years 1 to 9999, such as 2026-11-01";

  private static final int LAST_YEAR = 9_999;

  private Iso8601() {}

  /**
   * Reads an instant.
   *
   * @param text in ISO 8601, in UTC or with an offset
   * @throws DateTimeException if it isn't an instant in the years 1 to 9999
   */
  public static Instant instant(String text) {
    Instant instant = Instant.parse(text);
    check(instant.atOffset(ZoneOffset.UTC).getYear());
    return instant;
  }

  /**
   * Reads a day.
   *
   * @throws DateTimeException if it isn't a day in the years 1 to 9999
   */
  public static LocalDate day(String text) {
    LocalDate day = LocalDate.parse(text);
    check(day.getYear());
    return day;
  }

  private static void check(int year) {
    if (year < 1 || year > LAST_YEAR) {
      throw new DateTimeException("the year " + year + " is out of range");
    }
  }
}

package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidPolicyException;
import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.annotation.Algorithm;
import io.weir.seeds.Seeds;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where windows of the calendar begin and end. */
class CalendarWindowTest {
  private static final List<ZoneId> ZONES =
      List.of(
          ZoneId.of("UTC"),
          ZoneId.of("Europe/Berlin"),
          ZoneId.of("America/Sao_Paulo"),
          ZoneId.of("America/Havana"),
          ZoneId.of("Atlantic/Azores"),
          ZoneId.of("Asia/Beirut"),
          ZoneId.of("Africa/Cairo"),
          ZoneId.of("Pacific/Apia"),
          ZoneId.of("Asia/Kathmandu"),
          ZoneId.of("Australia/Lord_Howe"),
          ZoneId.of("+01:23:45"));

  private static final long FIRST = micros("1970-01-10T00:00:00Z");
  private static final long LAST = micros("2100-01-01T00:00:00Z");

  /** Each edge: a microsecond before it the last window still runs. */
  @ParameterizedTest(name = "{0} {1} in {2} at {3}")
  @CsvSource({
    // days of 23 and 25 hours
    "1, DAYS, Europe/Berlin, 2024-03-31T12:00:00Z, 2024-03-30T23:00:00Z, 2024-03-31T22:00:00Z",
    "1, DAYS, Europe/Berlin, 2024-10-27T12:00:00Z, 2024-10-26T22:00:00Z, 2024-10-27T23:00:00Z",
    "1, DAYS, America/New_York, 2024-03-10T12:00:00Z, 2024-03-10T05:00:00Z, 2024-03-11T04:00:00Z",
    "1, DAYS, America/New_York, 2024-11-03T12:00:00Z, 2024-11-03T04:00:00Z, 2024-11-04T05:00:00Z",
    // a day of 23 hours and a half, one of 24 and a half
    "1, DAYS, Australia/Lord_Howe, 2024-10-06T02:00:00Z, 2024-10-05T13:30:00Z, 2024-10-06T13:00:00Z",
    "1, DAYS, Australia/Lord_Howe, 2024-04-07T02:00:00Z, 2024-04-06T13:00:00Z, 2024-04-07T13:30:00Z",
    // midnight is skipped: the day begins at one o'clock
    "1, DAYS, America/Sao_Paulo, 2017-10-15T12:00:00Z, 2017-10-15T03:00:00Z, 2017-10-16T02:00:00Z",
    "1, DAYS, Asia/Beirut, 2024-03-31T12:00:00Z, 2024-03-30T22:00:00Z, 2024-03-31T21:00:00Z",
    "1, DAYS, Africa/Cairo, 2024-04-26T12:00:00Z, 2024-04-25T22:00:00Z, 2024-04-26T21:00:00Z",
    "1, WEEKS, America/Sao_Paulo, 2017-10-18T12:00:00Z, 2017-10-16T02:00:00Z, 2017-10-23T02:00:00Z",
    // midnight comes twice: the day begins with the first one
    "1, DAYS, America/Havana, 2024-11-03T12:00:00Z, 2024-11-03T04:00:00Z, 2024-11-04T05:00:00Z",
    "1, DAYS, America/Havana, 2024-11-03T05:30:00Z, 2024-11-03T04:00:00Z, 2024-11-04T05:00:00Z",
    "1, DAYS, Atlantic/Azores, 2024-10-27T12:00:00Z, 2024-10-27T00:00:00Z, 2024-10-28T01:00:00Z",
    // 23:00 to 24:00 comes twice: the second time still belongs to the day
    "1, DAYS, America/Sao_Paulo, 2018-02-18T02:30:00Z, 2018-02-17T02:00:00Z, 2018-02-18T03:00:00Z",
    "1, DAYS, Africa/Cairo, 2024-10-31T21:30:00Z, 2024-10-30T21:00:00Z, 2024-10-31T22:00:00Z",
    // a day that Samoa left out
    "1, DAYS, Pacific/Apia, 2011-12-30T09:59:59Z, 2011-12-29T10:00:00Z, 2011-12-30T10:00:00Z",
    "1, DAYS, Pacific/Apia, 2011-12-30T10:00:00Z, 2011-12-30T10:00:00Z, 2011-12-31T10:00:00Z",
    // ISO weeks around New Year
    "1, WEEKS, UTC, 2020-12-31T12:00:00Z, 2020-12-28T00:00:00Z, 2021-01-04T00:00:00Z",
    "1, WEEKS, UTC, 2021-01-03T23:59:59Z, 2020-12-28T00:00:00Z, 2021-01-04T00:00:00Z",
    "1, WEEKS, Europe/Berlin, 2024-12-30T12:00:00Z, 2024-12-29T23:00:00Z, 2025-01-05T23:00:00Z",
    "1, WEEKS, Europe/Berlin, 2024-03-31T12:00:00Z, 2024-03-24T23:00:00Z, 2024-03-31T22:00:00Z",
    // months of 28 to 31 days
    "1, MONTHS, UTC, 2023-02-14T00:00:00Z, 2023-02-01T00:00:00Z, 2023-03-01T00:00:00Z",
    "1, MONTHS, UTC, 2024-02-29T23:59:59Z, 2024-02-01T00:00:00Z, 2024-03-01T00:00:00Z",
    "1, MONTHS, UTC, 2100-02-28T23:59:59Z, 2100-02-01T00:00:00Z, 2100-03-01T00:00:00Z",
    "1, MONTHS, Europe/Berlin, 2024-03-31T22:30:00Z, 2024-03-31T22:00:00Z, 2024-04-30T22:00:00Z",
    "1, MONTHS, Europe/Berlin, 2024-12-31T23:00:00Z, 2024-12-31T23:00:00Z, 2025-01-31T23:00:00Z",
    "2, MONTHS, UTC, 2024-02-10T00:00:00Z, 2024-01-01T00:00:00Z, 2024-03-01T00:00:00Z",
    "3, MONTHS, UTC, 2024-06-30T00:00:00Z, 2024-04-01T00:00:00Z, 2024-07-01T00:00:00Z",
    "4, MONTHS, UTC, 2024-12-31T00:00:00Z, 2024-09-01T00:00:00Z, 2025-01-01T00:00:00Z",
    "6, MONTHS, America/Sao_Paulo, 2017-11-01T00:00:00Z, 2017-07-01T03:00:00Z, 2018-01-01T02:00:00Z",
    // years
    "1, YEARS, Europe/Berlin, 2024-12-31T22:59:59Z, 2023-12-31T23:00:00Z, 2024-12-31T23:00:00Z",
    "1, YEARS, Europe/Berlin, 2024-12-31T23:00:00Z, 2024-12-31T23:00:00Z, 2025-12-31T23:00:00Z",
    "1, YEARS, Pacific/Apia, 2011-06-01T00:00:00Z, 2011-01-01T10:00:00Z, 2011-12-31T10:00:00Z"
  })
  void beginsAndEndsWithTheCalendar(
      int amount, ChronoUnit unit, String zone, String at, String begin, String end) {
    CalendarWindow windows = CalendarWindow.of(amount, unit, ZoneId.of(zone));
    assertEquals(begin, Instant.ofEpochSecond(windows.begin(micros(at)) / 1_000_000).toString());
    assertEquals(end, Instant.ofEpochSecond(windows.end(micros(at)) / 1_000_000).toString());
    for (long edge : List.of(micros(begin), micros(end))) {
      assertEquals(edge, windows.begin(edge));
      assertEquals(edge, windows.end(edge - 1));
    }
  }

  @Test
  void tilesAllOfTimeWithoutGapsAndNoneIsLongerThanTold() {
    Seeds.each(
        400,
        random -> {
          CalendarWindow windows = any(random);
          long longest = windows.longest().toNanos() / 1_000;
          long time = FIRST + (long) (random.nextDouble() * (LAST - FIRST));
          for (int i = 0; i < 60; i++) {
            long begin = windows.begin(time);
            long end = windows.end(time);
            String what = windows + " at " + Instant.ofEpochMilli(time / 1_000);
            assertTrue(begin <= time && time < end, what);
            assertTrue(end - begin <= longest, what + " lasts longer than " + windows.longest());
            assertEquals(begin, windows.begin(end - 1), what);
            assertEquals(end, windows.begin(end), what);
            assertEquals(begin, windows.end(begin - 1), what);
            time = random.nextBoolean() ? end : end + random.nextInt(1_000_000_000);
          }
        });
  }

  /** By another way: the first moment of that day in that zone, second by second around it. */
  @Test
  void theFirstMomentOfItsDayIsTheEdge() {
    Seeds.each(
        200,
        random -> {
          CalendarWindow windows = any(random);
          long time = FIRST + (long) (random.nextDouble() * (LAST - FIRST));
          long begin = windows.begin(time);
          LocalDate day = day(begin, windows.zone());
          assertTrue(day(begin - 1, windows.zone()).isBefore(day), windows + " from " + day);
          boolean first =
              switch (windows.unit()) {
                case WEEKS -> day.getDayOfWeek().getValue() == 1;
                case MONTHS ->
                    day.getDayOfMonth() == 1 && (day.getMonthValue() - 1) % windows.amount() == 0;
                case YEARS -> day.getDayOfYear() == 1;
                default -> true;
              };
          assertTrue(first, windows + " from " + day);
        });
  }

  private static LocalDate day(long micros, ZoneId zone) {
    return Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000L)).atZone(zone).toLocalDate();
  }

  private static CalendarWindow any(Random random) {
    ZoneId zone = ZONES.get(random.nextInt(ZONES.size()));
    return switch (random.nextInt(4)) {
      case 0 -> CalendarWindow.of(1, ChronoUnit.DAYS, zone);
      case 1 -> CalendarWindow.of(1, ChronoUnit.WEEKS, zone);
      case 2 ->
          CalendarWindow.of(List.of(1, 2, 3, 4, 6).get(random.nextInt(5)), ChronoUnit.MONTHS, zone);
      default -> CalendarWindow.of(1, ChronoUnit.YEARS, zone);
    };
  }

  @Test
  void thereAreNoOtherWindows() {
    List<String> allowed = new ArrayList<>();
    for (ChronoUnit unit : ChronoUnit.values()) {
      for (long amount = -1; amount < 14; amount++) {
        if (CalendarWindow.mistake(amount, unit).isEmpty()) {
          allowed.add(amount + " " + unit.name());
        } else {
          long wrong = amount;
          assertThrows(
              IllegalArgumentException.class,
              () -> CalendarWindow.of(wrong, unit, ZoneId.of("UTC")));
        }
      }
    }
    assertEquals(
        List.of(
            "1 DAYS",
            "1 WEEKS",
            "1 MONTHS",
            "2 MONTHS",
            "3 MONTHS",
            "4 MONTHS",
            "6 MONTHS",
            "1 YEARS"),
        allowed);
    assertTrue(CalendarWindow.mistake(Long.MAX_VALUE, ChronoUnit.MONTHS).isPresent());
  }

  @Test
  void zonesAreFoundByTheirNames() {
    assertEquals(ZoneId.of("Europe/Berlin"), CalendarWindow.zone("Europe/Berlin").orElseThrow());
    for (String unknown : List.of("", "Europe", "Berlin", "Europe/Rome ", "+25:00", "\u0000")) {
      assertTrue(CalendarWindow.zone(unknown).isEmpty(), unknown);
    }
  }

  private static long micros(String instant) {
    return Math.multiplyExact(Instant.parse(instant).getEpochSecond(), 1_000_000L);
  }

  @Test
  void aPeriodIsOneWindowWhateverTheMoment() {
    Instant begin = Instant.parse("2026-01-14T23:00:00Z");
    Instant end = Instant.parse("2026-02-14T23:00:00.000001Z");
    CalendarWindow period = CalendarWindow.period(begin, end);
    long from = ChronoUnit.MICROS.between(Instant.EPOCH, begin);
    long to = ChronoUnit.MICROS.between(Instant.EPOCH, end);
    long day = 86_400_000_000L;
    for (long moment : new long[] {0, from - 1, from, to - 1, to, to + 100 * day}) {
      assertEquals(from, period.begin(moment));
      assertEquals(to, period.end(moment));
      assertEquals(from - day, period.opens(moment), "a day for clocks that are ahead");
      assertEquals(to + 40 * day, period.closes(moment), "40 days for what comes late");
    }
    assertTrue(period.isPeriod());
    assertEquals(Duration.between(begin, end), period.longest());
    assertEquals("2026-01-14T23:00:00Z to 2026-02-14T23:00:00.000001Z", period.toString());
    assertEquals(period, CalendarWindow.period(begin, end.plusNanos(999)));
    assertNotEquals(period, CalendarWindow.period(begin, end.plusNanos(1_000)));
    CalendarWindow days = CalendarWindow.of(1, ChronoUnit.DAYS, ZoneOffset.UTC);
    assertEquals(days.begin(from), days.opens(from));
    assertEquals(days.end(from), days.closes(from));
  }

  @Test
  void aPeriodLastsFromTenMillisecondsTo366Days() {
    Instant begin = Instant.parse("2026-01-01T00:00:00Z");
    for (Duration length :
        List.of(Duration.ZERO, Duration.ofMillis(9), Duration.ofDays(-1), Duration.ofDays(367))) {
      assertThrows(
          IllegalArgumentException.class, () -> CalendarWindow.period(begin, begin.plus(length)));
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> CalendarWindow.period(Instant.EPOCH.minusSeconds(1), Instant.EPOCH.plusSeconds(1)));
  }

  @Test
  void aPolicyOfAPeriodTakesNoZoneAndNoOtherAlgorithm() {
    Instant begin = Instant.parse("2026-01-01T00:00:00Z");
    PolicyBuilder quota = Policy.builder("quota").limit(5).period(begin, begin.plusSeconds(60));
    assertEquals(Duration.ofMinutes(1), quota.build().window());
    assertTrue(quota.build().spec().isOfPeriod());
    assertThrows(InvalidPolicyException.class, () -> quota.zone("UTC").build());
    quota.zone("").algorithm(Algorithm.SLIDING_WINDOW);
    assertThrows(InvalidPolicyException.class, quota::build);
  }
}

package io.weir.internal.rules.quotas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BillingPeriodTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private static long micros(String instant) {
    return BillingPeriod.micros(Instant.parse(instant));
  }

  private static List<String> periods(String from, int number, int day, ZoneId zone) {
    List<String> begins = new ArrayList<>();
    long now = micros(from);
    for (int i = 0; i < number; i++) {
      BillingPeriod period = BillingPeriod.at(now, day, zone);
      begins.add(LocalDateTime.ofInstant(period.beginsAt(), zone).toString());
      now = period.end();
    }
    return begins;
  }

  @Test
  void theDayAfterTheMonthsEndIsCutToItAndComesBack() {
    assertEquals(
        List.of(
            "2027-12-31T00:00",
            "2028-01-31T00:00",
            "2028-02-29T00:00",
            "2028-03-31T00:00",
            "2028-04-30T00:00",
            "2028-05-31T00:00"),
        periods("2028-01-10T00:00:00Z", 6, 31, ZoneOffset.UTC));
    assertEquals(
        List.of("2027-01-29T00:00", "2027-02-28T00:00", "2027-03-29T00:00"),
        periods("2027-02-01T00:00:00Z", 3, 29, ZoneOffset.UTC));
  }

  @Test
  void aPeriodBeginsAtMidnightOfItsZoneAlsoWhereClocksChange() {
    BillingPeriod march = BillingPeriod.at(micros("2027-03-20T12:00:00Z"), 15, BERLIN);
    assertEquals(Instant.parse("2027-03-14T23:00:00Z"), march.beginsAt());
    assertEquals(Instant.parse("2027-04-14T22:00:00Z"), march.endsAt());
  }

  @Test
  void aMidnightThatTheClockSkipsIsTheFirstInstantAfterIt() {
    ZoneId beirut = ZoneId.of("Asia/Beirut"); // 28 March 2027 begins at 1 o'clock
    BillingPeriod period = BillingPeriod.at(micros("2027-04-01T12:00:00Z"), 28, beirut);
    assertEquals("2027-03-28T01:00", LocalDateTime.ofInstant(period.beginsAt(), beirut).toString());
  }

  @Test
  void theZoneIsHeeded() {
    long lateOnTheThirtyFirst = micros("2027-01-31T23:30:00Z");
    assertEquals(
        Instant.parse("2027-01-31T23:00:00Z"),
        BillingPeriod.at(lateOnTheThirtyFirst, 1, BERLIN).beginsAt());
    assertEquals(
        Instant.parse("2027-01-01T00:00:00Z"),
        BillingPeriod.at(lateOnTheThirtyFirst, 1, ZoneOffset.UTC).beginsAt());
  }

  @Test
  void aChangedDayHoldsFromTheEndOfTheLastPeriod() {
    long last = micros("2027-04-15T00:00:00Z");
    BillingPeriod next =
        BillingPeriod.after(last, micros("2027-04-20T00:00:00Z"), 1, ZoneOffset.UTC);
    assertEquals(new BillingPeriod(last, micros("2027-05-01T00:00:00Z")), next);
    assertEquals(
        new BillingPeriod(micros("2027-05-01T00:00:00Z"), micros("2027-06-01T00:00:00Z")),
        BillingPeriod.after(last, micros("2027-05-20T00:00:00Z"), 1, ZoneOffset.UTC));
  }

  @Test
  void aChangedZoneMakesNoPeriodOfSomeHours() {
    long last = micros("2027-04-14T22:00:00Z"); // midnight in Berlin
    ZoneId newYork = ZoneId.of("America/New_York");
    assertEquals(
        new BillingPeriod(last, micros("2027-05-15T04:00:00Z")),
        BillingPeriod.after(last, last, 15, newYork));
    ZoneId tokyo = ZoneId.of("Asia/Tokyo");
    assertEquals(
        new BillingPeriod(last, micros("2027-05-14T15:00:00Z")),
        BillingPeriod.after(last, last, 15, tokyo));
  }

  @Test
  void periodsFollowEachOtherWithoutGapWhateverDayAndZone() {
    Random random = new Random(7);
    List<String> zones = ZoneId.getAvailableZoneIds().stream().sorted().toList();
    for (int i = 0; i < 2_000; i++) {
      ZoneId zone = ZoneId.of(zones.get(random.nextInt(zones.size())));
      int day = 1 + random.nextInt(31);
      long now = micros("2024-01-01T00:00:00Z") + random.nextInt(100_000_000) * 1_000_000L;
      BillingPeriod period = BillingPeriod.at(now, day, zone);
      assertTrue(period.contains(now), () -> zone + " " + day);
      assertEquals(period, BillingPeriod.at(period.begin(), day, zone));
      assertEquals(period, BillingPeriod.at(period.end() - 1, day, zone));
      assertEquals(period.end(), BillingPeriod.at(period.end(), day, zone).begin());
    }
  }
}

package io.weir.internal.rules.whatif;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rules.usage.WhatIfLimit;
import io.weir.seeds.Seeds;
import io.weir.store.CalendarWindow;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Compares what a limit would have refused, by what is recorded of hours, with a replay of the
 * single requests.
 */
class WhatIfReplayTest {
  private static final long HOUR = 3_600_000_000L;
  private static final long MINUTE = 60_000_000L;
  private static final int CASES = 400;

  /** Windows of whole hours. */
  private static final long[] WHOLE = {
    3_600, 7_200, 10_800, 18_000, 21_600, 43_200, 86_400, 90_000, 172_800, 604_800
  };

  /** Others of an hour and longer. */
  private static final long[] UNEVEN = {3_601, 5_400, 5_000, 9_000, 10_000, 86_399, 100_000};

  private static final long[] SHORT = {
    1, 2, 5, 7, 10, 13, 30, 45, 59, 60, 61, 90, 100, 120, 300, 600, 900, 1_000, 1_800, 2_400, 3_000,
    3_540, 3_599
  };

  /** Requests of one caller, and what is recorded of them. */
  private static final class Traffic {
    final long[] times;
    final CallerHours hours = new CallerHours();
    final Instant from;
    final Instant until;

    /** Sends requests evenly, in bursts and around the edges of hours. */
    Traffic(Random random) {
      long first = 400_000L + random.nextInt(100_000);
      int span = 1 + random.nextInt(random.nextBoolean() ? 6 : 200);
      times = new long[1 + random.nextInt(400)];
      int at = 0;
      while (at < times.length) {
        long begin = (first + random.nextInt(span)) * HOUR;
        begin += random.nextInt(3) == 0 ? HOUR - 1 - random.nextInt(90_000_000) : 0L;
        begin += random.nextInt(3) == 0 ? (long) (random.nextDouble() * HOUR) : 0;
        long width = 1 + (long) (Math.pow(10, 10 * random.nextDouble()));
        int number = 1 + random.nextInt(60);
        for (int i = 0; i < number && at < times.length; i++) {
          long micros = begin + (long) (random.nextDouble() * width);
          times[at++] = Math.max(first * HOUR, Math.min(micros, (first + span) * HOUR - 1));
        }
      }
      Arrays.sort(times);
      from = Instant.ofEpochSecond(first * 3_600);
      until = Instant.ofEpochSecond((first + span) * 3_600);
      record(random);
    }

    /** Sends as many as can be in a window of whole minutes, in none of which more than a peak. */
    Traffic(Random random, long minutes, int peak) {
      long first = 400_000L + random.nextInt(100_000);
      long begin = first * HOUR + random.nextInt(120) * MINUTE;
      times = new long[Math.toIntExact((minutes + 1) * peak)];
      for (int i = 0; i < times.length; i++) {
        long minute = i / peak;
        long within = (long) (random.nextDouble() * MINUTE);
        long early = (long) (random.nextDouble() * MINUTE / 3);
        times[i] =
            begin
                + minute * MINUTE
                + (minute == 0 ? MINUTE - 1 - early : minute == minutes ? early : within);
      }
      Arrays.sort(times);
      from = Instant.ofEpochSecond(first * 3_600);
      until = Instant.ofEpochSecond((first + 4) * 3_600);
      record(random);
    }

    private void record(Random random) {
      Map<Long, Map<Long, Long>> minutes = new TreeMap<>();
      for (long each : times) {
        minutes
            .computeIfAbsent(each / HOUR, any -> new TreeMap<>())
            .merge(each / MINUTE, 1L, Long::sum);
      }
      minutes.forEach(
          (hour, byMinute) -> {
            long sum = byMinute.values().stream().mapToLong(each -> each).sum();
            long peak = byMinute.values().stream().mapToLong(each -> each).max().orElseThrow();
            // over several nodes the peak is too high
            hours.add(hour, sum, peak + (random.nextInt(4) == 0 ? random.nextInt(5) : 0L));
          });
    }

    /** Returns the refusals of each recorded hour. */
    long[] refused(ReplayedLimit limit) {
      long[] refused = new long[hours.size()];
      int hour = 0;
      for (long each : times) {
        while (hours.hour(hour) < each / HOUR) {
          hour++;
        }
        refused[hour] += limit.admits(each) ? 0 : 1;
      }
      return refused;
    }

    LimitArithmetic arithmetic(long seconds, long limit) {
      return WhatIfReplayTest.arithmetic(from, until, seconds, limit);
    }

    LimitArithmetic arithmetic(CalendarWindow calendar, long limit) {
      return WhatIfReplayTest.arithmetic(
          from, until, limit, Optional.empty(), Optional.of(calendar));
    }

    CallerHours days() {
      Map<Long, long[]> ofDays = new TreeMap<>();
      for (int at = 0; at < hours.size(); at++) {
        long[] day = ofDays.computeIfAbsent(hours.hour(at) / 24, any -> new long[2]);
        day[0] += hours.requests(at);
        day[1] = Math.max(day[1], hours.peak(at));
      }
      CallerHours days = new CallerHours();
      ofDays.forEach((day, each) -> days.add(day, each[0], each[1]));
      return days;
    }

    /** Adds up figures of hours by day. */
    long[] ofDays(long[] ofHours) {
      Map<Long, Long> sums = new TreeMap<>();
      for (int at = 0; at < hours.size(); at++) {
        sums.merge(hours.hour(at) / 24, ofHours[at], Long::sum);
      }
      return sums.values().stream().mapToLong(each -> each).toArray();
    }

    long mostOfAnHour() {
      long most = 0;
      for (int at = 0; at < hours.size(); at++) {
        most = Math.max(most, hours.requests(at));
      }
      return most;
    }

    /** The most requests of a day, and the most that a minute of a day may have. */
    long[] mostOfADay() {
      Map<Long, long[]> days = new TreeMap<>();
      for (int at = 0; at < hours.size(); at++) {
        long[] day = days.computeIfAbsent(hours.hour(at) / 24, any -> new long[2]);
        day[0] += hours.requests(at);
        day[1] = Math.max(day[1], hours.peak(at));
      }
      return new long[] {
        days.values().stream().mapToLong(each -> each[0]).max().orElseThrow(),
        days.values().stream().mapToLong(each -> each[1]).max().orElseThrow()
      };
    }
  }

  private static long limit(Random random) {
    return 1L + random.nextInt(random.nextBoolean() ? 10 : 150);
  }

  private static long sum(long[] numbers) {
    return Arrays.stream(numbers).sum();
  }

  /** Up to each hour. */
  private static void assertNeverBelow(long[] bound, long[] truth, String what) {
    long bounds = 0;
    long refused = 0;
    for (int at = 0; at < truth.length; at++) {
      bounds += bound[at];
      refused += truth[at];
      assertTrue(
          bounds >= refused, what + ": " + bounds + " up to hour " + at + ", truth " + refused);
    }
  }

  /** No caller of which a request is refused may be left out before its hours are read. */
  private static void assertFound(Traffic traffic, LimitArithmetic arithmetic, long... refused) {
    if (sum(refused) > 0) {
      long[] most = traffic.mostOfADay();
      assertTrue(most[0] > arithmetic.minRequests(), "by requests");
      assertTrue(most[1] > arithmetic.minPeak(), "by the busiest minute");
      assertTrue(traffic.mostOfAnHour() > arithmetic.minHour().orElse(0), "by hours");
    }
  }

  private static void assertRollingNeverBelow(
      Traffic traffic, LimitArithmetic arithmetic, long seconds, long limit) {
    long[] bound = arithmetic.rolling().orElseThrow().refused(traffic.hours);
    long[] log = traffic.refused(ReplayedLimit.log(seconds, limit));
    long[] slots = traffic.refused(ReplayedLimit.slots(seconds, 60, limit));
    long[] bucket = traffic.refused(ReplayedLimit.bucket(seconds, limit));
    assertNeverBelow(bound, log, "SLIDING_LOG of " + seconds + " s, " + limit);
    assertNeverBelow(bound, slots, "SLIDING_WINDOW of " + seconds + " s, " + limit);
    assertNeverBelow(bound, bucket, "TOKEN_BUCKET of " + seconds + " s, " + limit);
    if (seconds < 60) {
      long[] few = traffic.refused(ReplayedLimit.slots(seconds, 1, limit));
      assertNeverBelow(bound, few, "SLIDING_WINDOW of one slot and " + seconds + " s, " + limit);
    }
    assertFound(traffic, arithmetic, log);
    assertFound(traffic, arithmetic, slots);
    assertFound(traffic, arithmetic, bucket);
  }

  @Test
  void aFixedWindowOfWholeHoursIsExactInEachHour() {
    Seeds.each(
        CASES,
        random -> {
          Traffic traffic = new Traffic(random);
          long seconds = WHOLE[random.nextInt(WHOLE.length)];
          long limit = limit(random);
          LimitArithmetic arithmetic = traffic.arithmetic(seconds, limit);
          long[] truth = traffic.refused(ReplayedLimit.fixed(seconds, limit));
          assertTrue(arithmetic.isExact());
          assertArrayEquals(truth, arithmetic.fixed().refused(traffic.hours));
          assertFound(traffic, arithmetic, truth);
          assertRollingNeverBelow(traffic, arithmetic, seconds, limit);
          assertDays(traffic, arithmetic, seconds, limit, truth);
          assertTrue(
              sum(truth) <= sum(traffic.refused(ReplayedLimit.slots(seconds, 60, limit))),
              "a rolling window refuses at least as many");
        });
  }

  /** Days in place of hours are as exact of fixed windows, and never below the truth of others. */
  private static void assertDays(
      Traffic traffic, LimitArithmetic arithmetic, long seconds, long limit, long[] truth) {
    assertEquals(seconds % 86_400 == 0, arithmetic.byDays().isPresent());
    if (arithmetic.byDays().isPresent()) {
      CallerHours days = traffic.days();
      assertArrayEquals(traffic.ofDays(truth), arithmetic.byDays().get().fixed().refused(days));
      long[] bound = arithmetic.byDays().get().rolling().orElseThrow().refused(days);
      for (ReplayedLimit each :
          List.of(ReplayedLimit.log(seconds, limit), ReplayedLimit.slots(seconds, 60, limit))) {
        assertNeverBelow(bound, traffic.ofDays(traffic.refused(each)), seconds + " s by days");
      }
    }
  }

  @Test
  void aCalendarWithFullHoursIsExactAndOthersAreBounded() {
    List<ZoneId> whole =
        List.of(ZoneId.of("UTC"), ZoneId.of("Europe/Berlin"), ZoneId.of("America/New_York"));
    List<ZoneId> uneven = List.of(ZoneId.of("Asia/Kolkata"), ZoneId.of("Asia/Kathmandu"));
    Seeds.each(
        CASES,
        random -> {
          Traffic traffic = new Traffic(random);
          boolean isWhole = random.nextBoolean();
          List<ZoneId> zones = isWhole ? whole : uneven;
          ZoneId zone = zones.get(random.nextInt(zones.size()));
          long limit = limit(random);
          int days = new int[] {0, 1, 7}[random.nextInt(3)];
          CalendarWindow calendar =
              CalendarWindow.of(
                  1,
                  days == 0 ? ChronoUnit.MONTHS : days == 1 ? ChronoUnit.DAYS : ChronoUnit.WEEKS,
                  zone);
          LimitArithmetic arithmetic = traffic.arithmetic(calendar, limit);
          long[] truth = traffic.refused(ReplayedLimit.calendar(days, zone, limit));
          long[] found = arithmetic.fixed().refused(traffic.hours);
          if (arithmetic.isExact()) {
            assertArrayEquals(truth, found);
          }
          arithmetic
              .byDays()
              .ifPresent(
                  lumps ->
                      assertArrayEquals(
                          traffic.ofDays(truth), lumps.fixed().refused(traffic.days())));
          assertTrue(
              arithmetic.byDays().isPresent() || !zone.getId().equals("UTC"), "whole days in UTC");
          assertTrue(arithmetic.isExact() || !isWhole, "midnights are full hours in " + zone);
          assertNeverBelow(found, truth, calendar.toString());
          assertFound(traffic, arithmetic, truth);
        });
  }

  @Test
  void anUnevenWindowIsNeverBelowTheTruth() {
    Seeds.each(
        CASES, random -> assertWindowNeverBelow(random, UNEVEN[random.nextInt(UNEVEN.length)]));
  }

  @Test
  void aShortWindowIsNeverBelowTheTruth() {
    Seeds.each(
        3 * CASES, random -> assertWindowNeverBelow(random, SHORT[random.nextInt(SHORT.length)]));
  }

  private static void assertWindowNeverBelow(Random random, long seconds) {
    Traffic traffic = new Traffic(random);
    long limit = limit(random);
    LimitArithmetic arithmetic = traffic.arithmetic(seconds, limit);
    long[] truth = traffic.refused(ReplayedLimit.fixed(seconds, limit));
    assertFalse(arithmetic.isExact());
    assertNeverBelow(arithmetic.fixed().refused(traffic.hours), truth, seconds + " s, " + limit);
    assertFound(traffic, arithmetic, truth);
    assertRollingNeverBelow(traffic, arithmetic, seconds, limit);
  }

  /** With one node and the minutes of the clock, it is known which callers are affected. */
  @Test
  void ofAMinuteThoseAreAffectedWhoseBusiestMinuteLiesAboveIt() {
    CallerHours hours = new CallerHours();
    hours.add(500_000, 1_000, 60);
    hours.add(500_001, 61, 61);
    LimitArithmetic sixty = ofTwoHours(60, 60);
    assertArrayEquals(new long[] {0, 1}, sixty.fixed().refused(hours));
  }

  private static LimitArithmetic arithmetic(Instant from, Instant until, long seconds, long limit) {
    return arithmetic(
        from, until, limit, Optional.of(Duration.ofSeconds(seconds)), Optional.empty());
  }

  private static LimitArithmetic arithmetic(
      Instant from,
      Instant until,
      long limit,
      Optional<Duration> window,
      Optional<CalendarWindow> calendar) {
    return LimitArithmetic.of(
        new WhatIfLimit("*", Set.of(), Optional.empty(), limit, window, calendar, from, until),
        from,
        until);
  }

  private static LimitArithmetic ofTwoHours(long limit, long seconds) {
    Instant from = Instant.ofEpochSecond(500_000 * 3_600L);
    return arithmetic(from, Instant.ofEpochSecond(500_002 * 3_600L), seconds, limit);
  }

  /** A window of m minutes touches m + 1 of the clock's, and has at most so many busiest ones. */
  @Test
  void ofARollingWindowNobodyIsAffectedWhoseBusiestMinutesFitIntoIt() {
    for (long minutes : new long[] {1, 2, 5, 10, 30, 60}) {
      CallerHours hours = new CallerHours();
      hours.add(500_000, 60 * 7, 7);
      hours.add(500_001, 60 * 7, 7);
      long fits = (minutes + 1) * 7;
      RefusalBound within = ofTwoHours(fits, 60 * minutes).rolling().orElseThrow();
      RefusalBound above = ofTwoHours(fits - 1, 60 * minutes).rolling().orElseThrow();
      assertEquals(0, sum(within.refused(hours)), minutes + " minutes");
      assertTrue(sum(above.refused(hours)) > 0, minutes + " minutes");
    }
  }

  @Test
  void aWindowFullOfBusiestMinutesIsNeverBelowTheTruth() {
    Seeds.each(
        CASES,
        random -> {
          long minutes = new long[] {1, 2, 5, 10, 30, 45, 60, 90}[random.nextInt(8)];
          int peak = 1 + random.nextInt(4);
          Traffic traffic = new Traffic(random, minutes, peak);
          long limit = Math.max(1, (minutes + 1) * peak - 1 - random.nextInt(3));
          LimitArithmetic arithmetic = traffic.arithmetic(60 * minutes, limit);
          assertRollingNeverBelow(traffic, arithmetic, 60 * minutes, limit);
          long[] truth = traffic.refused(ReplayedLimit.fixed(60 * minutes, limit));
          assertNeverBelow(arithmetic.fixed().refused(traffic.hours), truth, minutes + " minutes");
        });
  }

  /** Hours that no full window touches are admitted whole, and take nothing from those of one. */
  @Test
  void quietHoursAreAdmittedWholeBesideABusyOne() {
    CallerHours hours = new CallerHours();
    hours.add(500_000, 180, 3);
    hours.add(500_001, 180, 3);
    hours.add(500_003, 300, 40);
    RefusalBound rolling = ofTwoHours(200, 3_600).rolling().orElseThrow();
    assertArrayEquals(new long[] {0, 0, 100}, rolling.refused(hours));
    RefusalBound uneven = ofTwoHours(250, 5_400).fixed();
    assertArrayEquals(new long[] {0, 0, 50}, uneven.refused(hours));
  }

  /** Two days share the requests of one window, so neither has more than half of them. */
  @Test
  void whoSendsAroundMidnightIsFound() {
    CallerHours hours = new CallerHours();
    hours.add(24 * 20_000 - 1, 6, 6);
    hours.add(24 * 20_000, 6, 6);
    for (long seconds : new long[] {60, 3_599, 3_600, 43_200}) {
      Instant from = Instant.ofEpochSecond((24 * 20_000 - 1) * 3_600L);
      Instant until = Instant.ofEpochSecond((24 * 20_000 + 1) * 3_600L);
      LimitArithmetic arithmetic =
          LimitArithmetic.of(
              new WhatIfLimit(
                  "*",
                  Set.of(),
                  Optional.empty(),
                  10,
                  Optional.of(Duration.ofSeconds(seconds)),
                  Optional.empty(),
                  from,
                  until),
              from,
              until);
      assertTrue(sum(arithmetic.rolling().orElseThrow().refused(hours)) > 0);
      assertTrue(arithmetic.minRequests() < 6, () -> seconds + " s");
      assertTrue(arithmetic.minHour().orElse(0) < 6, () -> seconds + " s");
    }
  }

  @Test
  void theHoursThatARollingWindowTouchesAreFew() {
    assertEquals(2, HourLumps.run(3_600));
    assertEquals(3, HourLumps.run(7_200));
    assertEquals(26, HourLumps.run(86_400));
    assertEquals(1, MinutePeaks.minutes(60));
    assertEquals(1, MinutePeaks.minutes(10));
    assertEquals(2, MinutePeaks.minutes(90));
    assertEquals(30, MinutePeaks.minutes(1_800));
  }
}

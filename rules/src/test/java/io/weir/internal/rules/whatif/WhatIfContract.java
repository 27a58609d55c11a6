package io.weir.internal.rules.whatif;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.rules.database.LargeQueries;
import io.weir.internal.rules.database.TestSql;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.usage.RecordedUsage;
import io.weir.internal.rules.usage.RecordedUsage.Row;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.usage.WhatIfLimit;
import io.weir.rules.usage.WhatIfResult;
import io.weir.seeds.Seeds;
import io.weir.store.CalendarWindow;
import io.weir.testkit.FakeTicker;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Puts limits against the tables of a database, and compares the figures with those of all hours of
 * all callers.
 */
abstract class WhatIfContract {
  private static final Instant FIRST = Instant.parse("2027-02-26T07:00:00Z");
  private static final int HOURS = 120;
  private static final Instant NOW = FIRST.plus(HOURS, ChronoUnit.HOURS);
  private static final List<String> ENDPOINTS =
      List.of("/api/a", "/api/b/{id}", "/other", "policy:woven");

  private DataSource source;
  private final Random random = new Random(Seeds.first());
  private WhatIfReader reader;

  /** Takes the ways that are for many callers. */
  private WhatIfReader readerOfMany;

  abstract DataSource fresh();

  @BeforeEach
  void start() {
    source = fresh();
    LargeQueries queries = new LargeQueries(DatabaseOpener.open(source, true));
    reader = new WhatIfReader(queries, () -> "free", new FakeTicker(NOW));
    readerOfMany = new WhatIfReader(queries, () -> "free", new FakeTicker(NOW), 0);
  }

  private static WhatIfLimit limit(String pattern, long limit, long seconds) {
    return new WhatIfLimit(
        pattern,
        Set.of(),
        Optional.empty(),
        limit,
        Optional.of(Duration.ofSeconds(seconds)),
        Optional.empty(),
        FIRST,
        NOW);
  }

  private static WhatIfLimit at(WhatIfLimit limit, Instant from, Instant until) {
    return new WhatIfLimit(
        limit.endpointPattern(),
        limit.methods(),
        limit.tier(),
        limit.limit(),
        limit.length(),
        limit.calendar(),
        from,
        until);
  }

  private static WhatIfLimit of(WhatIfLimit limit, String tier) {
    return new WhatIfLimit(
        limit.endpointPattern(),
        limit.methods(),
        Optional.of(tier),
        limit.limit(),
        limit.length(),
        limit.calendar(),
        limit.from(),
        limit.until());
  }

  @Test
  void theFiguresAreThoseOfAllHoursOfAllCallers() throws SQLException {
    RecordedUsage recorded = RecordedUsage.random(random, 30, ENDPOINTS, FIRST, HOURS);
    recorded.insert(source);
    long[] windows = {1, 30, 60, 90, 600, 3_000, 3_600, 5_400, 7_200, 43_200, 86_400, 172_800};
    for (int i = 0; i < 60; i++) {
      long seconds = windows[i % windows.length];
      WhatIfLimit wanted =
          limit(
              random.nextBoolean() ? "/api/*" : "*",
              1 + random.nextInt((int) Math.max(20, seconds / 360)),
              seconds);
      Instant from = FIRST.plus(random.nextInt(60 * HOURS / 2), ChronoUnit.MINUTES);
      wanted = at(wanted, from, from.plus(1 + random.nextInt(60 * HOURS / 2), ChronoUnit.MINUTES));
      assertSame(wanted, recorded, any -> true);
    }
  }

  @Test
  void aCalendarIsCountedInItsZone() throws SQLException {
    RecordedUsage recorded = RecordedUsage.random(random, 10, ENDPOINTS, FIRST, HOURS);
    recorded.insert(source);
    for (String zone : List.of("UTC", "America/New_York", "Asia/Kolkata")) {
      for (ChronoUnit unit : List.of(ChronoUnit.DAYS, ChronoUnit.WEEKS, ChronoUnit.MONTHS)) {
        WhatIfLimit wanted =
            new WhatIfLimit(
                "/api/*",
                Set.of(),
                Optional.empty(),
                1 + random.nextInt(400),
                Optional.empty(),
                Optional.of(CalendarWindow.of(1, unit, ZoneId.of(zone))),
                FIRST,
                NOW);
        assertSame(wanted, recorded, any -> true);
        boolean isExact = reader.of(wanted).exact();
        assertEquals(!zone.equals("Asia/Kolkata"), isExact, "midnights that are full hours in UTC");
      }
    }
  }

  private void assertSame(WhatIfLimit wanted, RecordedUsage recorded, Predicate<String> isCounted) {
    Instant from = up(wanted.from());
    Instant until = up(wanted.until());
    LimitArithmetic arithmetic = LimitArithmetic.of(wanted, from, until);
    Map<String, Map<Long, long[]>> callers = new TreeMap<>();
    Map<LocalDate, long[]> days = new HashMap<>();
    Map<LocalDate, Set<String>> ofDays = new HashMap<>();
    for (Row each : recorded.rows()) {
      boolean isMatched =
          wanted.endpointPattern().equals("*")
              ? !each.endpoint().startsWith("policy:")
              : each.endpoint().startsWith("/api/");
      if (!isMatched
          || each.userId().equals("*")
          || !each.isWithin(from, until)
          || !isCounted.test(each.userId())) {
        continue;
      }
      long[] hour =
          callers
              .computeIfAbsent(each.userId(), any -> new TreeMap<>())
              .computeIfAbsent(each.startsAt().getEpochSecond() / 3_600, any -> new long[2]);
      hour[0] += each.requests();
      hour[1] += each.peakMinute();
      LocalDate day = each.startsAt().atZone(ZoneOffset.UTC).toLocalDate();
      days.computeIfAbsent(day, any -> new long[1])[0] += each.requests();
      ofDays.computeIfAbsent(day, any -> new TreeSet<>()).add(each.userId());
    }
    Map<LocalDate, long[]> refusedOfDays = new HashMap<>();
    long refused = 0;
    long affected = 0;
    long rolling = 0;
    List<WhatIfResult.Caller> worst = new ArrayList<>();
    for (Map.Entry<String, Map<Long, long[]>> caller : callers.entrySet()) {
      CallerHours hours = new CallerHours();
      caller.getValue().forEach((hour, sums) -> hours.add(hour, sums[0], sums[1]));
      long[] ofHours = arithmetic.fixed().refused(hours);
      long sum = 0;
      long sent = 0;
      for (int at = 0; at < ofHours.length; at++) {
        sum += ofHours[at];
        sent += hours.requests(at);
        LocalDate day = LocalDate.ofEpochDay(Math.floorDiv(hours.hour(at), 24));
        refusedOfDays.computeIfAbsent(day, any -> new long[1])[0] += ofHours[at];
      }
      refused += sum;
      affected += sum > 0 ? 1 : 0;
      if (sum > 0) {
        worst.add(new WhatIfResult.Caller(caller.getKey(), sent, sum));
      }
      if (arithmetic.rolling().isPresent()) {
        for (long each : arithmetic.rolling().get().refused(hours)) {
          rolling += each;
        }
      }
    }
    WhatIfResult found = (random.nextBoolean() ? readerOfMany : reader).of(wanted);
    String what = wanted.toString();
    assertEquals(callers.size(), found.callers(), what);
    assertEquals(days.values().stream().mapToLong(each -> each[0]).sum(), found.requests(), what);
    assertEquals(refused, found.refusedRequests(), what);
    assertEquals(affected, found.affectedCallers(), what);
    long foundRolling = found.rolling().map(WhatIfResult.Rolling::refusedRequests).orElse(0L);
    assertTrue(foundRolling >= rolling, what);
    if (arithmetic.rolling().isPresent() && arithmetic.byDays().isEmpty()) {
      assertEquals(rolling, found.rolling().orElseThrow().refusedRequests(), what);
    }
    worst.sort(
        Comparator.comparingLong(WhatIfResult.Caller::refused)
            .reversed()
            .thenComparing(WhatIfResult.Caller::userId));
    assertEquals(worst.subList(0, Math.min(20, worst.size())), found.worst(), what);
    for (WhatIfResult.Day day : found.days()) {
      assertEquals(days.getOrDefault(day.date(), new long[1])[0], day.requests(), what);
      assertEquals(ofDays.getOrDefault(day.date(), Set.of()).size(), day.callers(), what);
      assertEquals(refusedOfDays.getOrDefault(day.date(), new long[1])[0], day.refused(), what);
    }
    assertEquals(found.requests(), found.days().stream().mapToLong(d -> d.requests()).sum(), what);
  }

  private static Instant up(Instant moment) {
    Instant hour = moment.truncatedTo(ChronoUnit.HOURS);
    return hour.equals(moment) ? hour : hour.plus(1, ChronoUnit.HOURS);
  }

  @Test
  void aTierIsTheOneOfToday() throws SQLException {
    RecordedUsage recorded =
        RecordedUsage.random(new Random(Seeds.first()), 12, ENDPOINTS, FIRST, HOURS);
    recorded.insert(source);
    TestSql.run(
        source,
        "INSERT INTO weir.user_tiers (user_id, tier) VALUES ('user1', 'gold'), ('user3', 'free')",
        "INSERT INTO weir.user_tiers (user_id, tier, valid_until) VALUES ('user4', 'gold', TIMESTAMP"
            + " WITH TIME ZONE '2027-01-01 00:00:00+00')");
    WhatIfLimit wanted = limit("/api/*", 5, 3_600);
    assertSame(of(wanted, "gold"), recorded, each -> each.equals("user1"));
    assertSame(of(wanted, "free"), recorded, each -> !each.equals("user1"));
    assertSame(of(wanted, "none"), recorded, each -> false);
  }

  @Test
  void whatIsNotRecordedIsSaid() throws SQLException {
    RecordedUsage recorded = new RecordedUsage();
    Instant hour = FIRST.plus(2, ChronoUnit.HOURS);
    recorded.add("ann", "/api/a", hour, 30, 3);
    recorded.add("ann", "/api/*", hour, 6, 3); // a servlet's mapping, or the pattern of a rule
    recorded.add("ann", "/api/{}", hour, 3, 3); // the pattern of a rule, for paths
    recorded.add("ann", "/api/{id}", hour, 300, 3); // a template, which is no literal
    recorded.add("ann", "*.do", hour, 9, 3);
    recorded.add("*", "/api/a", hour, 12, 3);
    recorded.insert(source);
    WhatIfResult found = reader.of(limit("/api/a", 10, 3_600));
    assertFalse(found.exact());
    assertEquals(List.of("*.do", "/api/*", "/api/{}"), found.unknown().partlyMatched());
    assertEquals(30 + 6 + 3 + 9, found.requests());
    assertEquals(38, found.refusedRequests());
    assertEquals(12, found.unknown().unknownCallers());
    assertEquals(Optional.of(hour), found.unknown().recordedSince());
    assertEquals(2 * (found.requests() - found.refusedThen()), found.unknown().permits());
    WhatIfResult exact = reader.of(limit("/api/{x}", 10, 3_600));
    assertEquals(List.of("*.do", "/api/*"), exact.unknown().partlyMatched());
    assertTrue(reader.of(at(limit("*", 10, 3_600), hour, NOW)).unknown().recordedSince().isEmpty());
    WhatIfResult nothing = reader.of(limit("/none", 10, 3_600));
    assertEquals(9, nothing.requests(), "what may have any path");
    assertThrows(InvalidRuleException.class, () -> reader.of(limit("none", 10, 3_600)));
    assertThrows(InvalidRuleException.class, () -> reader.of(limit("policy:a", 10, 3_600)));
  }

  @Test
  void withoutUsageNothingIsRefused() {
    WhatIfResult found = reader.of(limit("*", 1, 3_600));
    assertEquals(0, found.refusedRequests());
    assertEquals(0, found.callers());
    assertEquals(6, found.days().size());
  }
}

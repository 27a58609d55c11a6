package io.weir.internal.rules.rulebook.column;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.annotation.Algorithm;
import io.weir.annotation.ClearOn;
import io.weir.annotation.Count;
import io.weir.annotation.Mode;
import io.weir.annotation.OnStoreFailure;
import io.weir.annotation.Priority;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.rules.Rule;
import io.weir.rules.RuleBuilder;
import io.weir.rules.RuleState;
import io.weir.rules.RuleWindow;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RuleProblem;
import io.weir.seeds.Seeds;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RuleColumnsTest {
  private static final Map<String, String> BARE =
      Map.of(
          "id", "17",
          "tier", "free",
          "endpoint_pattern", "/api/posts",
          "limit_count", "10",
          "window_seconds", "60",
          "created_at", "2026-01-01T00:00:00Z",
          "updated_at", "2026-01-02T03:04:05.678");

  @Test
  void aBareRowHasTheDefaults() {
    Rule rule = RuleColumns.read(row(BARE));
    assertEquals(17, rule.id());
    assertEquals(0, rule.version());
    assertEquals("free", rule.tier());
    assertEquals(10, rule.limit());
    assertEquals(RuleWindow.ofSeconds(60), rule.window());
    assertEquals("api.posts-60s", rule.name());
    assertEquals(Set.of(), rule.methods());
    assertEquals(Optional.empty(), rule.algorithm());
    assertEquals(Mode.HARD, rule.mode());
    assertEquals(List.of("USER"), rule.countBy());
    assertFalse(rule.perEndpoint());
    assertEquals(Count.ALL, rule.counts());
    assertEquals(ClearOn.NOTHING, rule.clearOn());
    assertEquals(1, rule.cost());
    assertEquals(0, rule.overshoot());
    assertEquals(Priority.NONE, rule.priority());
    assertEquals(RuleState.ENFORCED, rule.state());
    assertEquals(Optional.empty(), rule.validFrom());
  }

  @Test
  void aTimeWithoutZoneIsUtc() {
    Rule rule = RuleColumns.read(row(BARE));
    assertEquals(Optional.of(Instant.parse("2026-01-02T03:04:05.678Z")), rule.updatedAt());
  }

  @Test
  void defaultsAreLeftOutWhenWritten() {
    Rule rule = Rule.builder("free", "/api/posts").limit(10).build();
    assertEquals(
        Set.of("tier", "endpoint_pattern", "limit_count", "window_seconds"),
        RuleColumns.write(rule).keySet());
  }

  @Test
  void whatIsBlankIsAsWhatIsMissing() {
    Rule rule = RuleColumns.read(row(with("algorithm", " ", "name", "", "methods", "")));
    assertEquals("api.posts-60s", rule.name());
  }

  @Test
  void aPeriodGoesBeforeSeconds() {
    Rule rule = RuleColumns.read(row(with("period", "3 month")));
    assertEquals(RuleWindow.ofCalendar(3, ChronoUnit.MONTHS), rule.window());
  }

  @Test
  void aPeriodIsWrittenWithoutSeconds() {
    RuleWindow day = RuleWindow.ofCalendar(1, ChronoUnit.DAYS);
    Map<String, String> columns =
        RuleColumns.write(Rule.builder("free", "*").limit(1).window(day).build());
    assertEquals("1 DAY", columns.get("period"));
    assertFalse(columns.containsKey("window_seconds"), columns::toString);
  }

  @Test
  void wordsMayBeInSmallLettersAndListsHaveBlanks() {
    Rule rule =
        RuleColumns.read(
            row(
                with(
                    "methods", "get, Post", "mode", "soft", "count_by", "USER + header:X-Tenant")));
    assertEquals(Set.of("GET", "POST"), rule.methods());
    assertEquals(Mode.SOFT, rule.mode());
    assertEquals(List.of("USER", "header:X-Tenant"), rule.countBy());
  }

  @Test
  void aStarMeansAllMethods() {
    assertEquals(Set.of(), RuleColumns.read(row(with("methods", "*"))).methods());
  }

  @Test
  void allMistakesAreToldAtOnceByFieldAndRule() {
    Map<String, String> columns =
        with(
            "limit_count", "0",
            "window_seconds", "soon",
            "algorithm", "SLIDING",
            "strict", "perhaps",
            "valid_until", "tomorrow",
            "overshoot", "101");
    InvalidRuleException told =
        assertThrows(InvalidRuleException.class, () -> RuleColumns.read(row(columns)));
    assertEquals(
        List.of("limit_count", "window_seconds", "algorithm", "strict", "overshoot", "valid_until"),
        told.problems().stream().map(RuleProblem::field).toList());
    assertEquals(
        "rate_limit_rules /api/posts of free (id 17), limit_count: must be a whole number, 1 to"
            + " 1,000,000,000, not '0'",
        told.problems().get(0).toString());
  }

  @Test
  void whatEachRuleNeedsIsToldWhereItIsMissing() {
    InvalidRuleException told =
        assertThrows(InvalidRuleException.class, () -> RuleColumns.read(row(Map.of("id", "17"))));
    assertEquals(
        List.of("tier", "endpoint_pattern", "limit_count", "window_seconds"),
        told.problems().stream().map(RuleProblem::field).toList());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatIsWrittenIsReadAsItWas(long seed) {
    Random random = new Random(seed);
    for (int each = 0; each < 200; each++) {
      Rule rule = any(random);
      Map<String, String> columns = RuleColumns.write(rule);
      Map<String, String> stored = new HashMap<>(columns);
      stored.put("version", "3");
      Rule read = RuleColumns.read(row(stored));
      assertEquals(columns, RuleColumns.write(read));
      assertEquals(shown(rule), shown(read));
    }
  }

  private static String shown(Rule rule) {
    return String.join(
        "|",
        List.of(
            rule.toString(),
            rule.pattern(),
            rule.methods() + "",
            rule.zone(),
            rule.algorithm() + "",
            rule.mode() + "",
            rule.exceedBy() + "",
            rule.burst() + "",
            rule.refill() + "",
            rule.strict() + "",
            rule.countBy() + "",
            rule.perEndpoint() + "",
            rule.counts() + "",
            rule.clearOn() + "",
            rule.cost() + "",
            rule.costFrom(),
            rule.condition(),
            rule.overshoot() + "",
            rule.maxRollover() + "",
            rule.onStoreFailure() + "",
            rule.priority() + "",
            rule.state() + "",
            rule.validFrom() + "",
            rule.validUntil() + ""));
  }

  private static Rule any(Random random) {
    RuleBuilder rule = Rule.builder(random.nextBoolean() ? "*" : "free", "/a/{b}/c");
    rule.limit(1 + random.nextInt(1_000));
    if (random.nextBoolean()) {
      rule.window(RuleWindow.ofSeconds(1 + random.nextInt(10_000)));
    } else {
      rule.window(
          random.nextBoolean()
              ? RuleWindow.ofQuota()
              : RuleWindow.ofCalendar(4, ChronoUnit.MONTHS));
    }
    List<Runnable> changes =
        List.of(
            () -> rule.name("posts"),
            () -> rule.methods(Set.of("GET")),
            () -> rule.zone("Europe/Berlin"),
            () -> rule.algorithm(one(random, Algorithm.values())),
            () -> rule.mode(one(random, Mode.values())),
            () -> rule.exceedBy(random.nextInt(1_001)),
            () -> rule.burst(random.nextInt(10)),
            () -> rule.refill(random.nextInt(10)),
            () -> rule.strict(true),
            () -> rule.countBy(List.of("IP", "header:X-Tenant")),
            () -> rule.perEndpoint(true),
            () -> rule.counts(one(random, Count.values())),
            () -> rule.clearOn(one(random, ClearOn.values())),
            () -> rule.cost(1 + random.nextInt(5)),
            () -> rule.costFrom("query:amount"),
            () -> rule.condition("domain"),
            () -> rule.overshoot(random.nextInt(101)),
            () -> rule.maxRollover(random.nextInt(100)),
            () -> rule.onStoreFailure(OnStoreFailure.CLOSED),
            () -> rule.priority(one(random, Priority.values())),
            () -> rule.state(one(random, RuleState.values())),
            () -> rule.validFrom(Instant.ofEpochMilli(random.nextInt())),
            () -> rule.validUntil(Instant.ofEpochMilli(random.nextInt())));
    changes.stream().filter(each -> random.nextInt(3) == 0).forEach(Runnable::run);
    return rule.build();
  }

  private static <E> E one(Random random, E[] of) {
    return of[random.nextInt(of.length)];
  }

  private static Map<String, String> with(String... columns) {
    Map<String, String> all = new HashMap<>(BARE);
    for (int at = 0; at < columns.length; at += 2) {
      all.put(columns[at], columns[at + 1]);
    }
    return all;
  }

  private static StoredRow row(Map<String, String> columns) {
    return new StoredRow(RuleTable.RULES, "17", columns);
  }

  static LongStream seeds() {
    return Seeds.of(5);
  }
}

package io.weir.internal.rules.rulebook.compile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.internal.rules.rulebook.AppliedRule;
import io.weir.internal.rules.rulebook.CompiledRule;
import io.weir.internal.rules.rulebook.Compiling;
import io.weir.internal.rules.rulebook.OwnLimits;
import io.weir.internal.rules.rulebook.Rulebook;
import io.weir.internal.rules.rulebook.pattern.EndpointForm;
import io.weir.rules.Rule;
import io.weir.rules.RuleBuilder;
import io.weir.rules.RuleState;
import io.weir.rules.RuleWindow;
import io.weir.rules.tier.OwnLimit;
import io.weir.rules.tier.UserState;
import io.weir.rules.tier.UserTier;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class QuotaRuleCheckTest {
  private static RuleBuilder quota(String tier, String pattern) {
    return Rule.builder(tier, pattern).limit(1_000).window(RuleWindow.ofQuota());
  }

  @Test
  void aQuotaCountsByUserAlone() {
    Map<String, RuleBuilder> wrong =
        Map.ofEntries(
            Map.entry("count_by", quota("free", "/a").countBy(List.of("IP"))),
            Map.entry("algorithm", quota("free", "/a").algorithm(Algorithm.FIXED_WINDOW)),
            Map.entry("burst", quota("free", "/a").burst(5)),
            Map.entry("refill", quota("free", "/a").refill(5)),
            Map.entry("strict", quota("free", "/a").strict(true)),
            Map.entry("per_endpoint", quota("free", "/a").perEndpoint(true)),
            Map.entry("overshoot", quota("free", "/a").overshoot(5)),
            Map.entry("zone", quota("free", "/a").zone("Europe/Berlin")),
            Map.entry("max_rollover", quota("free", "/a").maxRollover(1_000_000_001L)),
            Map.entry("period", quota("free", "policy:Search.search")));
    wrong.forEach(
        (field, rule) -> {
          Compiling rows = Compiling.of(rule.build());
          assertTrue(rows.rulebook().rules().isEmpty(), field);
          assertTrue(
              rows.problems().stream().anyMatch(each -> each.contains(", " + field + ": ")),
              () -> field + ": " + rows.problems());
        });
  }

  @Test
  void anAnnotatedPolicyNamedQuotaTakesItsName() {
    Compiling rows =
        Compiling.of(quota("free", "/a").build())
            .bound(Policy.builder("quota").limit(1).window(Duration.ofMinutes(1)).build());
    assertTrue(rows.rulebook().rules().isEmpty());
    assertTrue(rows.problems().get(0).contains("period"), rows.problems().toString());
  }

  @Test
  void allQuotasOfACallerAreOneBucket() {
    Rulebook book =
        Compiling.of(
                quota("free", "/a").build(),
                quota("free", "/b").limit(10).build(),
                quota(Rule.EVERYBODY, "*").limit(50).cost(3).build())
            .rulebook();
    List<CompiledRule> rules = book.rules();
    assertEquals(3, rules.size());
    assertTrue(rules.get(0).sharesBucket(rules.get(1)));
    assertTrue(rules.get(0).sharesBucket(rules.get(2)));
    Instant begin = Instant.parse("2026-01-15T00:00:00Z");
    Instant end = Instant.parse("2026-02-15T00:00:00Z");
    Policy policy = rules.get(0).quota(begin, end, false);
    assertEquals("quota", policy.name());
    assertEquals(policy.spec(), rules.get(2).quota(begin, end, true).spec());
  }

  @Test
  void ofTwoQuotasThatMatchTheLowerLimitDecidesAndTheLargerCostIsTaken() {
    Rulebook book =
        Compiling.of(
                quota("free", "/a").build(), quota(Rule.EVERYBODY, "*").limit(50).cost(3).build())
            .rulebook();
    List<AppliedRule> kept =
        book.match(EndpointForm.TEMPLATE, "/a", "GET").after("free", OwnLimits.NONE, 0);
    assertEquals(1, kept.size());
    assertEquals(50, kept.get(0).limit());
    assertEquals(3, kept.get(0).permits(1));
  }

  @Test
  void aQuotaIsClosedUnlessTheRuleSaysOtherwise() {
    Rulebook book =
        Compiling.of(
                quota("free", "/a").build(),
                quota("free", "/b").onStoreFailure(OnStoreFailure.LOCAL).build())
            .rulebook();
    assertEquals(OnStoreFailure.CLOSED, book.rules().get(0).policy(false).onStoreFailure());
    assertEquals(OnStoreFailure.LOCAL, book.rules().get(1).policy(false).onStoreFailure());
  }

  @Test
  void theLowestRuleOfTierOrEverybodyTellsAUsersQuota() {
    Rulebook book =
        Compiling.of(
                quota("free", "/a").build(),
                quota("free", "/b").limit(10).state(RuleState.SHADOW).build(),
                quota("premium", "/a").limit(5).build(),
                quota(Rule.EVERYBODY, "*").limit(500).build())
            .rulebook();
    assertEquals(500, book.quotaOf("free", OwnLimits.NONE, 0).orElseThrow().limit());
    assertEquals(5, book.quotaOf("premium", OwnLimits.NONE, 0).orElseThrow().limit());
    assertTrue(Compiling.of().rulebook().quotaOf("free", OwnLimits.NONE, 0).isEmpty());
  }

  @Test
  void aQuotaThatIsTriedTakesNothingFromTheQuota() {
    CompiledRule tried =
        Compiling.of(quota("free", "/a").state(RuleState.SHADOW).build()).rulebook().rules().get(0);
    CompiledRule enforced = Compiling.of(quota("free", "/a").build()).rulebook().rules().get(0);
    assertEquals("quota", enforced.policy(false).name());
    assertEquals("quota-shadow", tried.policy(false).name());
    Instant begin = Instant.parse("2026-06-01T00:00:00Z");
    Instant end = begin.plusSeconds(86_400);
    assertEquals("quota-shadow", tried.quota(begin, end, false).name());
  }

  @Test
  void anOwnLimitByPatternIsNotForAQuota() {
    Rulebook book =
        Compiling.of(
                quota("free", "/a").name("month").build(),
                Rule.builder("free", "/a").limit(9).build())
            .rulebook();
    OwnLimits byPattern = own("/a", Optional.empty());
    assertEquals(Map.of("month", 1_000L, "a-60s", 5L), limits(book, byPattern));
    assertEquals(1_000, book.quotaOf("free", byPattern, 0).orElseThrow().limit());
    OwnLimits byName = own("month", Optional.empty());
    assertEquals(Map.of("month", 5L, "a-60s", 9L), limits(book, byName));
    assertEquals(5, book.quotaOf("free", byName, 0).orElseThrow().limit());
  }

  @Test
  void anOwnLimitForAQuotasPatternFitsNothingUnlessItHasAWindow() {
    Rulebook book = Compiling.of(quota("free", "/a").name("month").build()).rulebook();
    assertEquals(1, problems(book, Optional.empty()));
    assertEquals(0, problems(book, Optional.of(Duration.ofHours(1))));
    OwnLimits hourly = own("/a", Optional.of(Duration.ofHours(1)));
    assertEquals(Map.of("month", 1_000L, "month-3600s", 5L), limits(book, hourly));
  }

  private static long problems(Rulebook book, Optional<Duration> window) {
    UserTier user =
        new UserTier(
            "alice",
            "free",
            List.of(new OwnLimit("/a", 5, window)),
            UserState.ENFORCED,
            Optional.empty(),
            1);
    return book.check(user).size();
  }

  private static OwnLimits own(String rule, Optional<Duration> window) {
    return OwnLimits.of(List.of(new OwnLimit(rule, 5, window)));
  }

  private static Map<String, Long> limits(Rulebook book, OwnLimits own) {
    return book.match(EndpointForm.PATH, "/a", "GET").after("free", own, 0).stream()
        .collect(Collectors.toMap(each -> each.rule().name(), AppliedRule::limit));
  }
}

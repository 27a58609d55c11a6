package io.weir.internal.rules.rulebook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.rules.rulebook.pattern.EndpointForm;
import io.weir.rules.Rule;
import io.weir.rules.RuleBuilder;
import io.weir.rules.RuleState;
import io.weir.rules.RuleWindow;
import io.weir.rules.tier.OwnLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EndpointRulesTest {
  private static final long NOW = EpochMicros.of(Instant.parse("2026-06-01T00:00:00Z"));
  private static final long SECOND = 1_000_000;

  @Test
  void ofATiersRulesThoseOfTheMostSpecificPatternAreKept() {
    Rulebook book =
        Compiling.of(
                rule("free", "/api/*", "broad"),
                rule("free", "/api/posts", "narrow"),
                rule("free", "*", "all"))
            .rulebook();
    assertEquals(List.of("narrow"), late(book, "free", "/api/posts"));
    assertEquals(List.of("broad"), late(book, "free", "/api/other"));
    assertEquals(List.of("all"), late(book, "free", "/else"));
  }

  @Test
  void allRulesOfTheMostSpecificPatternAreKeptPerMinuteAndPerHour() {
    Rule perHour = with("free", "/api/posts", "hour").window(RuleWindow.ofSeconds(3_600)).build();
    Rulebook book = Compiling.of(rule("free", "/api/posts", "minute"), perHour).rulebook();
    assertEquals(List.of("minute", "hour"), late(book, "free", "/api/posts"));
  }

  @Test
  void theSameIsDoneForEverybodyBeside() {
    Rulebook book =
        Compiling.of(
                rule("free", "/api/posts", "mine"),
                rule("*", "*", "all"),
                rule("*", "/api/*", "ours"))
            .rulebook();
    assertEquals(List.of("mine", "ours"), late(book, "free", "/api/posts"));
    assertEquals(List.of("ours"), late(book, "unknown", "/api/posts"));
    assertEquals(List.of("all"), late(book, "free", "/else"));
  }

  @Test
  void rulesOfOtherTiersDoNotHoldAndCaseCounts() {
    Rulebook book =
        Compiling.of(rule("free", "/a", "free"), rule("Free", "/a", "other")).rulebook();
    assertEquals(List.of("free"), late(book, "free", "/a"));
    assertEquals(List.of("other"), late(book, "Free", "/a"));
    assertEquals(List.of(), late(book, "FREE", "/a"));
  }

  @Test
  void aRuleForOtherMethodsTakesNoPlace() {
    Rule posts = with("free", "/a/b", "post").methods(Set.of("POST")).build();
    Rulebook book = Compiling.of(rule("free", "/a/*", "any"), posts).rulebook();
    assertEquals(
        List.of("post"),
        names(
            book.match(EndpointForm.TEMPLATE, "/a/b", "POST").after("free", OwnLimits.NONE, NOW)));
    assertEquals(List.of("any"), late(book, "free", "/a/b"));
    assertEquals(
        List.of("any"),
        names(
            book.match(EndpointForm.TEMPLATE, "/a/b", "BREW").after("free", OwnLimits.NONE, NOW)));
  }

  @Test
  void headMatchesWhereGetDoes() {
    Rule get = with("free", "/a", "get").methods(Set.of("GET")).build();
    Rulebook book = Compiling.of(get).rulebook();
    assertEquals(
        List.of("get"),
        names(book.match(EndpointForm.TEMPLATE, "/a", "HEAD").after("free", OwnLimits.NONE, NOW)));
    assertTrue(book.match(EndpointForm.TEMPLATE, "/a", "POST").isEmpty());
  }

  @Test
  void aRuleOfEverybodyThatNeedsNoUserIsDecidedBeforeAuthentication() {
    Rulebook book =
        Compiling.of(
                with("*", "/a", "address").countBy(List.of("IP")).build(),
                with("*", "/a", "together").countBy(List.of("ENDPOINT")).build(),
                with("*", "/a", "header").countBy(List.of("header:X-A")).build(),
                with("*", "/a", "user").countBy(List.of("USER")).build(),
                with("*", "/a", "both").countBy(List.of("IP", "USER")).build(),
                with("*", "/a", "when").countBy(List.of("IP")).condition("c").build(),
                with("*", "/a", "named").countBy(List.of("IP")).costFrom("named").build(),
                with("free", "/a", "mine").countBy(List.of("IP")).build())
            .rulebook();
    EndpointRules matched = book.match(EndpointForm.TEMPLATE, "/a", "GET");
    assertEquals(List.of("address", "together", "header"), names(matched.before(NOW)));
    assertEquals(List.of("mine", "user", "both", "when", "named"), late(book, "free", "/a"));
  }

  @Test
  void aConditionThatNeedsNoUserMovesNoRuleBehindTheSignIn() {
    Rulebook book =
        Compiling.of(
                with("*", "/a", "address").countBy(List.of("IP")).condition("c").build(),
                with("*", "/a", "user").countBy(List.of("USER")).condition("c").build(),
                with("*", "/a", "resolved")
                    .countBy(List.of("IP"))
                    .condition("c")
                    .costFrom("named")
                    .build())
            .userless("c")
            .rulebook();
    EndpointRules matched = book.match(EndpointForm.TEMPLATE, "/a", "GET");
    assertEquals(List.of("address"), names(matched.before(NOW)));
    assertEquals(List.of("user", "resolved"), late(book, "free", "/a"));
  }

  @Test
  void whatADraftSaysHasNoEffect() {
    Rule draft = with("free", "/a/b", "draft").state(RuleState.DRAFT).build();
    Rulebook book = Compiling.of(rule("free", "/a/*", "holds"), draft).rulebook();
    assertEquals(List.of("holds"), late(book, "free", "/a/b"));
  }

  @Test
  void aRuleInShadowModeTakesNothingOutOfForce() {
    Rule tried = with("free", "/a/b", "tried").state(RuleState.SHADOW).build();
    Rulebook book = Compiling.of(rule("free", "/a/*", "holds"), tried).rulebook();
    assertEquals(List.of("tried", "holds"), late(book, "free", "/a/b"));
    List<AppliedRule> both =
        book.match(EndpointForm.TEMPLATE, "/a/b", "GET").after("free", OwnLimits.NONE, NOW);
    assertTrue(both.get(0).policy(false).shadow());
    assertEquals(false, both.get(1).policy(false).shadow());
  }

  @Test
  void validityIsLookedAtWithEachRequest() {
    Instant now = Instant.parse("2026-06-01T00:00:00Z");
    Rule sale =
        with("free", "/a/b", "sale")
            .validFrom(now.plusSeconds(10))
            .validUntil(now.plusSeconds(20))
            .build();
    Rulebook book = Compiling.of(rule("free", "/a/*", "usual"), sale).rulebook();
    assertEquals(List.of("usual"), late(book, "free", "/a/b", NOW));
    assertEquals(List.of("usual"), late(book, "free", "/a/b", NOW + 10 * SECOND - 1));
    assertEquals(List.of("sale"), late(book, "free", "/a/b", NOW + 10 * SECOND));
    assertEquals(List.of("sale"), late(book, "free", "/a/b", NOW + 20 * SECOND - 1));
    assertEquals(List.of("usual"), late(book, "free", "/a/b", NOW + 20 * SECOND));
    assertEquals(List.of("usual"), late(book, "free", "/a/b", NOW)); // a clock that goes back
  }

  @Test
  void oneBucketUnderTwoRulesIsAskedOnceForTheLargerCostUnderTheLowerLimit() {
    Rule mine = with("free", "/a", "a").limit(100).cost(3).build();
    Rule ours = with("*", "/a", "a").limit(50).cost(2).build();
    List<AppliedRule> applied =
        Compiling.of(mine, ours)
            .rulebook()
            .match(EndpointForm.TEMPLATE, "/a", "GET")
            .after("free", OwnLimits.NONE, NOW);
    assertEquals(1, applied.size());
    assertEquals(50, applied.get(0).limit());
    assertEquals(3, applied.get(0).permits(1));
  }

  @Test
  void aQuotaInShadowModeDoesNotLowerTheEnforcedOne() {
    Rule mine = with("free", "/a", "a").window(RuleWindow.ofQuota()).limit(100).build();
    Rule tried =
        with("*", "/a", "a").window(RuleWindow.ofQuota()).limit(5).state(RuleState.SHADOW).build();
    List<AppliedRule> applied =
        Compiling.of(mine, tried)
            .rulebook()
            .match(EndpointForm.TEMPLATE, "/a", "GET")
            .after("free", OwnLimits.NONE, NOW);
    assertEquals(2, applied.size());
    assertEquals(100, applied.get(0).limit());
  }

  @Test
  void aSharedBucketIsNotAskedBeforeAuthenticationSinceTheTierIsNotKnownThen() {
    Rule mine = with("free", "/a", "a").countBy(List.of("IP")).limit(5).build();
    Rule ours = with("*", "/a", "a").countBy(List.of("IP")).limit(50).build();
    EndpointRules matched =
        Compiling.of(mine, ours).rulebook().match(EndpointForm.TEMPLATE, "/a", "GET");
    assertEquals(List.of(), matched.before(NOW));
    assertEquals(5, matched.after("free", OwnLimits.NONE, NOW).get(0).limit());
    assertEquals(50, matched.after("gold", OwnLimits.NONE, NOW).get(0).limit());
  }

  @Test
  void rulesOfOneNameInSeveralTiersShareTheBucketWhereWindowAndCountingAreEqual() {
    CompiledRule free = compiled(with("free", "/a", "a").limit(10));
    assertTrue(free.sharesBucket(compiled(with("gold", "/b/*", "a").limit(1_000))));
    List<RuleBuilder> others =
        List.of(
            with("gold", "/a", "b"),
            with("gold", "/a", "a").window(RuleWindow.ofSeconds(61)),
            with("gold", "/a", "a").algorithm(io.weir.annotation.Algorithm.FIXED_WINDOW),
            with("gold", "/a", "a").countBy(List.of("IP")),
            with("gold", "/a", "a").perEndpoint(true));
    for (RuleBuilder each : others) {
      assertEquals(false, free.sharesBucket(compiled(each)));
    }
  }

  @Test
  void anOwnLimitTakesThePlaceOfTheTiers() {
    Rulebook book = Compiling.of(rule("free", "/a", "a"), rule("free", "/a/b", "b")).rulebook();
    assertEquals(5_000, limit(book, "/a", own("a", 5_000, 0)));
    assertEquals(5_000, limit(book, "/a", own("/a/", 5_000, 0)));
    assertEquals(10, limit(book, "/a/b", own("a", 5_000, 0)));
  }

  @Test
  void anOwnLimitNeverLiftsARuleOfEverybody() {
    Rulebook book = Compiling.of(rule("*", "/a", "a"), rule("free", "/a", "b")).rulebook();
    List<AppliedRule> all =
        book.match(EndpointForm.TEMPLATE, "/a", "GET").after("free", own("/a", 5_000, 0), NOW);
    assertEquals(5_000, all.get(0).limit());
    assertEquals(10, all.get(1).limit());
  }

  @Test
  void aWindowPicksOneOfTheRulesOfAPattern() {
    Rule hour = with("free", "/a", "hour").window(RuleWindow.ofSeconds(3_600)).build();
    Rulebook book = Compiling.of(rule("free", "/a", "minute"), hour).rulebook();
    List<AppliedRule> all =
        book.match(EndpointForm.TEMPLATE, "/a", "GET").after("free", own("/a", 7, 3_600), NOW);
    assertEquals(List.of("minute", "hour"), names(all));
    assertEquals(10, all.get(0).limit());
    assertEquals(7, all.get(1).limit());
  }

  @Test
  void aWindowThatNoRuleHasMakesOneOfTheCallersOwn() {
    Rulebook book = Compiling.of(rule("free", "/a", "minute")).rulebook();
    List<AppliedRule> all =
        book.match(EndpointForm.TEMPLATE, "/a", "GET").after("free", own("/a", 7, 3_600), NOW);
    assertEquals(List.of("minute", "minute-3600s"), names(all));
    assertEquals(7, all.get(1).limit());
    assertEquals(Duration.ofHours(1), all.get(1).policy(false).window());
    Rulebook unnamed = Compiling.of(Rule.builder("free", "/a").limit(10).build()).rulebook();
    assertEquals(
        List.of("a-60s", "a-3600s"),
        names(
            unnamed
                .match(EndpointForm.TEMPLATE, "/a", "GET")
                .after("free", own("/a", 7, 3_600), NOW)));
  }

  @Test
  void aRuleThatIsTriedTakesNoOwnLimitOutOfForce() {
    RuleBuilder tried = Rule.builder("free", "/a").limit(10).state(RuleState.SHADOW);
    Rule hour = tried.window(RuleWindow.ofSeconds(3_600)).build();
    Rule day = tried.window(RuleWindow.ofSeconds(86_400)).build();
    for (Rule each : List.of(hour, day)) {
      Rulebook book = Compiling.of(each, rule("free", "/a", "minute")).rulebook();
      List<AppliedRule> enforced =
          book
              .match(EndpointForm.TEMPLATE, "/a", "GET")
              .after("free", own("/a", 7, 3_600), NOW)
              .stream()
              .filter(rule -> !rule.policy(false).shadow())
              .toList();
      assertEquals(List.of("minute", "minute-3600s"), names(enforced));
      assertEquals(7, enforced.get(1).limit());
    }
  }

  @Test
  void aWindowOfARuleForAnotherMethodMakesNone() {
    Rule post =
        with("free", "/a", "post")
            .methods(Set.of("POST"))
            .window(RuleWindow.ofSeconds(3_600))
            .build();
    Rulebook book = Compiling.of(rule("free", "/a", "minute"), post).rulebook();
    assertEquals(
        List.of("minute"),
        names(
            book.match(EndpointForm.TEMPLATE, "/a", "GET")
                .after("free", own("/a", 7, 3_600), NOW)));
  }

  @Test
  void aCallerWithoutOwnLimitsGetsTheSameListEachTime() {
    EndpointRules matched =
        Compiling.of(rule("free", "/a", "a"), rule("*", "*", "all"))
            .rulebook()
            .match(EndpointForm.TEMPLATE, "/a", "GET");
    assertSame(
        matched.after("free", OwnLimits.NONE, NOW), matched.after("free", OwnLimits.NONE, NOW + 1));
    assertSame(matched.before(NOW), matched.before(NOW + 1));
  }

  private static CompiledRule compiled(RuleBuilder rule) {
    return Compiling.of(rule.build()).rulebook().rules().get(0);
  }

  private static long limit(Rulebook book, String endpoint, OwnLimits own) {
    return book.match(EndpointForm.TEMPLATE, endpoint, "GET")
        .after("free", own, NOW)
        .get(0)
        .limit();
  }

  private static OwnLimits own(String rule, long limit, long seconds) {
    Optional<Duration> window =
        seconds == 0 ? Optional.empty() : Optional.of(Duration.ofSeconds(seconds));
    return OwnLimits.of(List.of(new OwnLimit(rule, limit, window)));
  }

  private static List<String> late(Rulebook book, String tier, String endpoint) {
    return late(book, tier, endpoint, NOW);
  }

  private static List<String> late(Rulebook book, String tier, String endpoint, long now) {
    return names(
        book.match(EndpointForm.TEMPLATE, endpoint, "GET").after(tier, OwnLimits.NONE, now));
  }

  private static List<String> names(List<AppliedRule> rules) {
    return rules.stream().map(each -> each.rule().name()).toList();
  }

  private static Rule rule(String tier, String pattern, String name) {
    return with(tier, pattern, name).build();
  }

  private static RuleBuilder with(String tier, String pattern, String name) {
    return Rule.builder(tier, pattern).limit(10).name(name);
  }

  /** A decision must not look at each of thousands of limits. */
  @Test
  void ownLimitsAreFoundByWhatTheyName() {
    Rulebook book = Compiling.of(rule("free", "/a/{id}", "mine")).rulebook();
    List<OwnLimit> limits = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      limits.add(new OwnLimit(i % 2 == 0 ? "other" + i : "/other/" + i, 1, Optional.empty()));
    }
    limits.add(new OwnLimit("mine", 7, Optional.empty()));
    limits.add(new OwnLimit("/a/{x}", 9, Optional.empty()));
    OwnLimits own = OwnLimits.of(limits);
    assertEquals(2, own.about(book.rules().get(0)).size());
    List<AppliedRule> applied =
        book.match(EndpointForm.TEMPLATE, "/a/{id}", "GET").after("free", own, NOW);
    assertEquals(List.of(9L), applied.stream().map(AppliedRule::limit).toList());
    assertEquals(Optional.of(7L), own.forPolicy("any", book.rules().get(0)).map(OwnLimit::limit));
  }
}

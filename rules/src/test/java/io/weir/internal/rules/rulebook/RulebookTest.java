package io.weir.internal.rules.rulebook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.PolicyMistake;
import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.Mode;
import io.weir.annotation.OnStoreFailure;
import io.weir.annotation.Priority;
import io.weir.internal.rules.rulebook.column.RowProblems;
import io.weir.internal.rules.rulebook.compile.CompiledRulebook;
import io.weir.internal.rules.rulebook.pattern.EndpointForm;
import io.weir.rules.PolicySwitch;
import io.weir.rules.Rule;
import io.weir.rules.RuleBuilder;
import io.weir.rules.RuleState;
import io.weir.rules.RuleWindow;
import io.weir.rules.SwitchState;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.tier.OwnLimit;
import io.weir.rules.tier.UserState;
import io.weir.rules.tier.UserTier;
import io.weir.store.CalendarWindow;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RulebookTest {
  private static final Instant THEN = Instant.parse("2026-06-01T00:00:00Z");
  private static final long NOW = EpochMicros.of(THEN);

  @Test
  void aRuleBecomesThePolicyThatItSays() {
    Policy policy =
        only(
            with("free", "/a", "a")
                .limit(100)
                .window(RuleWindow.ofSeconds(3_600))
                .algorithm(Algorithm.TOKEN_BUCKET)
                .refill(5)
                .strict(true)
                .cost(2)
                .costFrom("query:amount")
                .condition("domain")
                .counts(Count.FAILURES)
                .overshoot(20)
                .priority(Priority.LOW)
                .onStoreFailure(OnStoreFailure.CLOSED)
                .countBy(List.of("USER", "header:X-Tenant")));
    Policy wanted =
        Policy.builder("a")
            .limit(100)
            .window(Duration.ofHours(1))
            .algorithm(Algorithm.TOKEN_BUCKET)
            .refill(5)
            .strict(true)
            .cost(2)
            .costFrom("query:amount")
            .when("domain")
            .count(Count.FAILURES)
            .overshoot(20)
            .priority(Priority.LOW)
            .onStoreFailure(OnStoreFailure.CLOSED)
            .by(By.USER, By.KEY)
            .keys("header:X-Tenant")
            .build();
    assertEquals(wanted, policy);
  }

  @Test
  void softAndBurstAreThePolicysToo() {
    Policy policy =
        only(
            with("free", "/a", "a")
                .mode(Mode.SOFT)
                .exceedBy(50)
                .algorithm(Algorithm.LEAKY_BUCKET)
                .burst(20));
    assertEquals(Mode.SOFT, policy.mode());
    assertEquals(50, policy.exceedBy());
    assertEquals(20, policy.spec().burst());
    assertFalse(policy.shadow());
    assertTrue(only(with("free", "/a", "a").state(RuleState.SHADOW)).shadow());
  }

  @Test
  void aPeriodIsOfTheCalendarInItsZoneOrTheSettings() {
    RuleWindow day = RuleWindow.ofCalendar(1, ChronoUnit.DAYS);
    CalendarWindow ofSettings =
        only(with("free", "/a", "a").window(day)).spec().calendar().orElseThrow();
    assertEquals(ZoneId.of("Europe/Berlin"), ofSettings.zone());
    Policy tokyo = only(with("free", "/a", "a").window(day).zone("Asia/Tokyo"));
    assertEquals(ZoneId.of("Asia/Tokyo"), tokyo.spec().calendar().orElseThrow().zone());
    assertEquals(Algorithm.FIXED_WINDOW, tokyo.algorithm());
  }

  @Test
  void aBadRowIsLeftOutAloneAndToldByName() {
    Compiling rows =
        Compiling.of(with("free", "/a", "bad").zone("Berlin").build(), rule("free", "/b", "good"));
    assertEquals(List.of("good"), names(rows.rulebook()));
    List<String> problems = rows.problems();
    assertTrue(
        problems.get(0).startsWith("rate_limit_rules bad of free (id 1), zone: "),
        problems.toString());
  }

  @Test
  void theLastGoodVersionOfABadRowStaysInForce() {
    Rule before = with("free", "/a", "a").limit(7).row(1, 1).build();
    Rule now = with("free", "no pattern", "a").limit(9).row(1, 2).build();
    Compiling rows = Compiling.of(now, rule("free", "/b", "b")).lastGood(before);
    assertEquals(7, rows.rulebook().rules().get(0).rule().limit());
    assertEquals(List.of("a", "b"), names(rows.rulebook()));
    assertEquals(1, rows.problems().size());
    assertEquals(
        Map.of(1L, before, 2L, rows.rulebook().inForce().get(2L)), rows.rulebook().inForce());
  }

  @Test
  void aRowThatBecomesADraftIsOutOfForceEvenIfItIsBad() {
    Rule before = with("free", "/a", "a").row(1, 1).build();
    Rule now = before.toBuilder().limit(0).state(RuleState.DRAFT).build();
    assertEquals(List.of(), names(Compiling.of(now).lastGood(before).rulebook()));
  }

  @Test
  void ofTwoRowsOfOneTierAndNameTheOneChangedLastHolds() {
    Rule older = with("free", "/a", "a").limit(1).row(2, 1).updated(Optional.of(THEN), "").build();
    Rule newer =
        with("free", "/a", "a")
            .limit(2)
            .row(1, 1)
            .updated(Optional.of(THEN.plusSeconds(1)), "")
            .build();
    Compiling rows = Compiling.of(older, newer, rule("gold", "/a", "a"));
    assertEquals(
        List.of(2L, 10L),
        rows.rulebook().rules().stream().map(each -> each.rule().limit()).toList());
    assertEquals(
        List.of(
            "rate_limit_rules a of free (id 2), name: another rule, changed later, replaces it:"
                + " a of free (id 1)"),
        rows.problems());
  }

  @Test
  void twoRowsOfOneNameWhoseTimesDoNotMeetBothHold() {
    Rule until = with("free", "/a", "a").validUntil(THEN).build();
    Rule from = with("free", "/a", "a").validFrom(THEN).limit(11).build();
    assertEquals(List.of(), Compiling.of(until, from).problems());
  }

  @Test
  void aPatternsRuleWithTheNameOfAnAnnotatedPolicyIsABadRow() {
    Compiling rows = Compiling.of(rule("free", "/a", "Search.search")).bound(bound());
    assertEquals(List.of(), names(rows.rulebook()));
    assertTrue(rows.problems().get(0).contains("is the name of an annotated policy"));
  }

  @Test
  void whatTheApplicationDoesNotHaveIsTold() {
    Compiling rows =
        Compiling.of(with("free", "/a", "a").countBy(List.of("tenant")).build())
            .mistake(new PolicyMistake("key", "tenant", "is no KeyResolver"));
    assertEquals(
        List.of("rate_limit_rules a of free (id 1), count_by: tenant is no KeyResolver"),
        rows.problems());
  }

  @Test
  void aDraftIsCheckedToo() {
    Compiling rows = Compiling.of(with("free", "/a", "a").limit(0).state(RuleState.DRAFT).build());
    assertEquals(1, rows.problems().size());
    assertEquals(List.of(), names(rows.rulebook()));
  }

  @Test
  void eachFieldOfARuleIsChecked() {
    Map<String, RuleBuilder> wrong =
        Map.ofEntries(
            Map.entry("tier", with(" ", "/a", "a")),
            Map.entry("endpoint_pattern", with("free", "a", "a")),
            Map.entry("name", with("free", "/a", "a b")),
            Map.entry("limit_count", with("free", "/a", "a").limit(0)),
            Map.entry("methods", with("free", "/a", "a").methods(Set.of("*"))),
            Map.entry("zone", with("free", "/a", "a").zone("UTC")),
            Map.entry(
                "algorithm",
                with("free", "/a", "a")
                    .window(RuleWindow.ofCalendar(1, ChronoUnit.DAYS))
                    .algorithm(Algorithm.TOKEN_BUCKET)),
            Map.entry("exceed_by", with("free", "/a", "a").mode(Mode.SOFT).exceedBy(1)),
            Map.entry("burst", with("free", "/a", "a").burst(5)),
            Map.entry("refill", with("free", "/a", "a").refill(5)),
            Map.entry("strict", with("free", "/a", "a").strict(true)),
            Map.entry("count_by", with("free", "/a", "a").countBy(List.of("IP", "IP"))),
            Map.entry("cost", with("free", "/a", "a").cost(11)),
            Map.entry("overshoot", with("free", "/a", "a").overshoot(101)),
            Map.entry("max_rollover", with("free", "/a", "a").maxRollover(1)),
            Map.entry("valid_until", with("free", "/a", "a").validFrom(THEN).validUntil(THEN)));
    wrong.forEach(
        (field, rule) -> {
          List<String> problems = Compiling.of(rule.build()).problems();
          assertEquals(1, problems.size(), field + problems);
          assertTrue(problems.get(0).contains(", " + field + ": "), field + problems);
        });
  }

  @Test
  void whomItCountsMustBeNamed() {
    for (List<String> countBy : List.of(List.<String>of(), List.of("USER", ""), List.of(""))) {
      Rule rule = with("free", "/a", "a").countBy(countBy).build();
      assertEquals(1, Compiling.of(rule).problems().size(), countBy + "");
    }
  }

  @Test
  void whoMayInventKeysIsToldWhereNoRuleCountsAddresses() {
    Rule byAddress = with("*", "*", "all").countBy(List.of("IP")).build();
    assertEquals(1, Compiling.of(rule("free", "/a", "a")).keys().problems().size());
    assertEquals(List.of(), Compiling.of(rule("free", "/a", "a")).problems());
    assertEquals(List.of(), Compiling.of(rule("free", "/a", "a"), byAddress).keys().problems());
    Rule tried = byAddress.toBuilder().state(RuleState.SHADOW).build();
    assertEquals(1, Compiling.of(tried).keys().problems().size());
  }

  @Test
  void theMostSpecificRowSaysTheCost() {
    Rulebook book =
        Compiling.of()
            .cost("*", "POST", 2)
            .cost("/api/*", "*", 3)
            .cost("/api/*", "POST", 4)
            .cost("/api/posts", "*", 5)
            .rulebook();
    assertEquals(OptionalLong.of(5), book.cost(EndpointForm.TEMPLATE, "/api/posts", "POST"));
    assertEquals(OptionalLong.of(4), book.cost(EndpointForm.TEMPLATE, "/api/users", "POST"));
    assertEquals(OptionalLong.of(3), book.cost(EndpointForm.TEMPLATE, "/api/users", "GET"));
    assertEquals(OptionalLong.of(2), book.cost(EndpointForm.TEMPLATE, "/else", "POST"));
    assertEquals(OptionalLong.empty(), book.cost(EndpointForm.TEMPLATE, "/else", "GET"));
  }

  @Test
  void headCostsWhatGetDoes() {
    Rulebook book = Compiling.of().cost("/a", "GET", 3).rulebook();
    assertEquals(OptionalLong.of(3), book.cost(EndpointForm.TEMPLATE, "/a", "HEAD"));
  }

  @Test
  void ofTwoRowsForOneEndpointAndMethodTheNewerHolds() {
    Compiling rows = Compiling.of().cost("/a", "GET", 3).cost("/a/", "GET", 4);
    assertEquals(OptionalLong.of(4), rows.rulebook().cost(EndpointForm.TEMPLATE, "/a", "GET"));
    assertEquals(
        List.of(
            "operation_costs GET /a (id 1), endpoint: another row has the same endpoint and"
                + " method: id 2"),
        rows.problems());
  }

  @Test
  void aRulesOwnCostGoesBeforeTheEndpointsAndNoneIsAboveThePermitsAtOnce() {
    Rulebook book =
        Compiling.of(rule("free", "/a", "a"), with("free", "/b", "b").cost(2).build()).rulebook();
    AppliedRule usual =
        book.match(EndpointForm.TEMPLATE, "/a", "GET").after("free", OwnLimits.NONE, NOW).get(0);
    assertEquals(1, usual.permits(1));
    assertEquals(7, usual.permits(7));
    assertEquals(10, usual.permits(70));
    AppliedRule own =
        book.match(EndpointForm.TEMPLATE, "/b", "GET").after("free", OwnLimits.NONE, NOW).get(0);
    assertEquals(2, own.permits(7));
  }

  @Test
  void aCostOfAMethodAboveThePermitsAtOnceIsTold() {
    Compiling rows =
        Compiling.of(
                with("free", "/a", "a").methods(Set.of("GET")).build(),
                with("free", "/b", "b").limit(20).methods(Set.of("POST", "PURGE")).build(),
                with("free", "/c", "c").cost(2).build())
            .cost("POST", 21)
            .cost("PURGE", 20)
            .cost("GET", 11);
    String told = " permits at once of ";
    assertEquals(
        List.of(
            "weir.cost.GET setting, cost: 11 is more than the 10"
                + told
                + "a of free (id 1), so requests cost that many",
            "weir.cost.POST setting, cost: 21 is more than the 20"
                + told
                + "b of free (id 2), so requests cost that many"),
        rows.problems());
  }

  @Test
  void aPlusWithinAKeyExpressionIsAProblem() {
    Compiling rows =
        Compiling.of(with("free", "/a", "a").countBy(List.of("query:a+b", "IP")).build());
    assertEquals(
        List.of(
            "rate_limit_rules a of free (id 1), count_by: must have no + within a key expression,"
                + " as it joins several"),
        rows.problems());
  }

  @Test
  void aCostAboveThePermitsAtOnceIsToldOnce() {
    Compiling rows =
        Compiling.of(
                rule("free", "/a/b", "a"),
                with("gold", "/a/*", "b").limit(20).build(),
                with("gold", "/c", "c").cost(2).build())
            .cost("/a/*", "POST", 11)
            .cost("/a/b", "*", 10)
            .cost("/c", "*", 11);
    assertEquals(
        List.of(
            "operation_costs POST /a/* (id 1), cost: 11 is more than the 10 permits at once of a"
                + " of free (id 1), so requests cost that many"),
        rows.problems());
  }

  @Test
  void aSwitchHoldsUntilItsEndAndItsOwnGoesBeforeThatOfAll() {
    Rulebook book =
        Compiling.of()
            .with(new PolicySwitch("*", SwitchState.OFF, THEN.plusSeconds(60), "", ""))
            .with(new PolicySwitch("a", SwitchState.SHADOW, THEN.plusSeconds(30), "", ""))
            .rulebook();
    assertTrue(book.hasSwitches());
    assertEquals(Optional.of(SwitchState.SHADOW), book.switchOf("a", NOW));
    assertEquals(Optional.of(SwitchState.OFF), book.switchOf("b", NOW));
    assertEquals(Optional.of(SwitchState.OFF), book.switchOf("a", NOW + 30_000_000));
    assertEquals(Optional.empty(), book.switchOf("a", NOW + 60_000_000));
    assertFalse(Rulebook.empty().hasSwitches());
  }

  private static LimitOverride limit(
      PolicyOverrideRules rules, Policy bound, String tier, OwnLimits own) {
    return LimitSource.inForce(bound, rules, null, LimitedCaller.of(tier, own), NOW);
  }

  @Test
  void forAPolicyTheOwnLimitHoldsThenTheTiersRuleThenItsOwnTierThenThatOfEverybody() {
    Rulebook book =
        Compiling.of(
                policyRule("premium", 40).build(),
                policyRule("silver", 50).build(),
                policyRule("*", 60).build())
            .rulebook();
    PolicyOverrideRules rules = book.forPolicy("Search.search");
    Policy bound = bound();
    OwnLimits own =
        OwnLimits.of(List.of(new OwnLimit("policy:Search.search", 70, Optional.empty())));
    assertEquals(70, limit(rules, bound, "premium", own).limit());
    assertEquals(40, limit(rules, bound, "premium", OwnLimits.NONE).limit());
    assertEquals(50, limit(rules, bound, "silver", OwnLimits.NONE).limit());
    assertEquals(30, limit(rules, bound, "gold", OwnLimits.NONE).limit());
    assertFalse(limit(rules, bound, "gold", OwnLimits.NONE).isOfRules());
    assertEquals(60, limit(rules, bound, "free", OwnLimits.NONE).limit());
    assertSame(LimitOverride.UNCHANGED, limit(book.forPolicy("Other"), bound, "x", OwnLimits.NONE));
  }

  @Test
  void anOwnLimitHoldsForAPolicyThatNoRuleIsFor() {
    OwnLimits own =
        OwnLimits.of(List.of(new OwnLimit("policy:Search.search", 70, Optional.empty())));
    LimitOverride limit = limit(PolicyOverrideRules.NONE, bound(), "free", own);
    assertEquals(70, limit.limit());
    assertEquals(bound(), limit.policy());
  }

  @Test
  void windowAndAlgorithmStayThePolicysAndModeAndFailureComeWithTheRule() {
    Rule rule =
        policyRule("free", 40)
            .window(RuleWindow.ofSeconds(1))
            .algorithm(Algorithm.TOKEN_BUCKET)
            .mode(Mode.SOFT)
            .exceedBy(50)
            .priority(Priority.CRITICAL)
            .onStoreFailure(OnStoreFailure.OPEN)
            .build();
    Policy bound = bound();
    PolicyOverrideRules rules =
        Compiling.of(rule).bound(bound).rulebook().forPolicy("Search.search");
    LimitOverride limit = limit(rules, bound, "free", OwnLimits.NONE);
    assertEquals(bound.spec(), limit.policy().spec());
    assertEquals(Mode.SOFT, limit.policy().mode());
    assertEquals(OnStoreFailure.OPEN, limit.policy().onStoreFailure());
    assertEquals(bound.by(), limit.policy().by());
    assertEquals(bound.keys(), limit.policy().keys());
    assertSame(limit.policy(), limit(rules, bound, "free", OwnLimits.NONE).policy());
  }

  @Test
  void aRuleThatDoesNotFitItsPolicyIsABadRow() {
    Policy refilled =
        Policy.builder("Search.search")
            .limit(100)
            .window(Duration.ofHours(1))
            .algorithm(Algorithm.TOKEN_BUCKET)
            .refill(50)
            .build();
    Compiling rows = Compiling.of(policyRule("free", 40).refill(41).build()).bound(refilled);
    assertEquals(1, rows.problems().size());
    Rulebook unaware = Compiling.of(policyRule("free", 40).refill(41).build()).rulebook();
    assertSame(
        LimitOverride.UNCHANGED,
        limit(unaware.forPolicy("Search.search"), refilled, "free", OwnLimits.NONE));
  }

  @Test
  void aRuleInShadowModeForAPolicyIsTriedBesideItUnderItsOwnName() {
    Rulebook book =
        Compiling.of(
                policyRule("free", 40).build(),
                policyRule("free", 5).name("tighter").state(RuleState.SHADOW).build())
            .rulebook();
    PolicyOverrideRules rules = book.forPolicy("Search.search");
    assertEquals(40, limit(rules, bound(), "free", OwnLimits.NONE).limit());
    Policy tried = Objects.requireNonNull(rules.tried(bound(), "free", NOW)).policy(false);
    assertEquals("tighter", tried.name());
    assertTrue(tried.shadow());
    assertEquals(bound().window(), tried.window());
    assertNull(rules.tried(bound(), "gold", NOW));
  }

  @Test
  void ofTwoRulesOfATierForOnePolicyTheOneChangedLastHolds() {
    Rule older = policyRule("free", 1).updated(Optional.of(THEN), "").build();
    Rule newer =
        policyRule("free", 2)
            .window(RuleWindow.ofSeconds(9))
            .updated(Optional.of(THEN.plusSeconds(1)), "")
            .build();
    Compiling rows = Compiling.of(newer, older);
    assertEquals(1, rows.problems().size());
    PolicyOverrideRules rules = rows.rulebook().forPolicy("Search.search");
    assertEquals(2, limit(rules, bound(), "free", OwnLimits.NONE).limit());
  }

  @Test
  void anOwnLimitThatFitsNothingIsToldByDigest() {
    Rulebook book = Compiling.of(rule("free", "/a", "a"), rule("gold", "/b", "b")).rulebook();
    UserTier user =
        new UserTier(
            "alice",
            "free",
            List.of(
                new OwnLimit("a", 1, Optional.empty()),
                new OwnLimit("/a/", 1, Optional.of(Duration.ofDays(1))),
                new OwnLimit("b", 1, Optional.empty()),
                new OwnLimit("policy:Search.search", 1, Optional.empty())),
            UserState.ENFORCED,
            Optional.empty(),
            1);
    List<String> problems = book.check(user).stream().map(Object::toString).toList();
    assertEquals(
        List.of(
            "user_tiers user sha256:2bd806c97f0e, custom_limits: 'b' isn't the name or pattern"
                + " of a rule of free"),
        problems);
  }

  @Test
  void aTierThatNothingLimitsIsAWarningByDigest() {
    Rulebook book = Compiling.of(rule("premium", "/a", "a")).bound(bound()).rulebook();
    assertEquals(List.of(), book.check(UserTier.of("alice", "premium")));
    assertEquals(List.of(), book.check(UserTier.of("alice", "gold")), "a tier of @Tier");
    for (String unknown : List.of("premuim", "Premium")) {
      RuleProblem problem = book.check(UserTier.of("alice", unknown)).get(0);
      assertTrue(problem.isWarning());
      assertEquals(
          "user_tiers user sha256:2bd806c97f0e, tier: no rule or @Tier has '"
              + unknown
              + "': only rules of * and own limits apply; case matters; did you mean premium?",
          problem.toString());
    }
    List<RuleProblem> everybody = book.check(UserTier.of("alice", "*"));
    assertEquals(1, everybody.size());
    assertFalse(everybody.get(0).isWarning(), "refused");
  }

  @Test
  void inventedPathsLeaveABoundedNumberOfEntries() {
    Rulebook book = Compiling.of(rule("free", "/a/*", "a")).rulebook();
    for (int each = 0; each < 100_000; each++) {
      book.match(EndpointForm.TEMPLATE, "/a/" + each, "GET");
      book.match(EndpointForm.TEMPLATE, "/b/" + each, "BREW");
      book.match(EndpointForm.TEMPLATE, "/c/" + "x".repeat(300) + each, "GET");
    }
    assertTrue(book.endpointsKept() <= 10_000, "kept: " + book.endpointsKept());
    assertSame(
        book.match(EndpointForm.TEMPLATE, "/a/1", "GET"),
        book.match(EndpointForm.TEMPLATE, "/a/2", "GET"));
  }

  @Test
  void anEnforcedRuleKeepsItsPlaceWhateverIsTriedLater() {
    Rule enforced = with("free", "/a", "a").row(1, 1).updated(Optional.of(THEN), "").build();
    Rule tried =
        with("free", "/a", "a")
            .row(2, 1)
            .limit(3)
            .updated(Optional.of(THEN.plusSeconds(9)), "")
            .state(RuleState.SHADOW)
            .build();
    assertEquals(List.of("a of free (id 1)"), rows(Compiling.of(enforced, tried).rulebook()));
    assertEquals(
        List.of(
            "rate_limit_rules a of free (id 2), name: is used by an enforced rule: a of free (id"
                + " 1); a rule in SHADOW needs one of its own, or none"),
        Compiling.of(enforced, tried).problems());
  }

  @Test
  void whatIsTriedUnderATakenNameHoldsOnInItsLastGoodVersion() {
    Rule enforced = with("free", "/a", "a").row(1, 1).build();
    Rule before = with("free", "/b", "b").row(2, 1).build();
    Rule tried = with("free", "/b", "a").row(2, 2).state(RuleState.SHADOW).build();
    Rulebook book = Compiling.of(enforced, tried).lastGood(before).rulebook();
    assertEquals(List.of("a of free (id 1)", "b of free (id 2)"), rows(book));
  }

  @Test
  void aRuleTriedForAPolicyHasNoNameThatCountsElsewhere() {
    Rule tried = policyRule("free", 5).name("Search.search").state(RuleState.SHADOW).build();
    assertEquals(1, Compiling.of(tried).bound(bound()).problems().size());
    Rule other = policyRule("*", 5).name("a").state(RuleState.SHADOW).build();
    Rule pattern = with("free", "/a", "a").build();
    assertEquals(1, Compiling.of(other, pattern).bound(bound()).problems().size());
    Rule same = policyRule("free", 5).name("a").state(RuleState.SHADOW).build();
    assertEquals(1, Compiling.of(same, pattern).bound(bound()).problems().size());
  }

  @Test
  void ownLimitsCallATriedRuleByTheNameThatItIsToHave() {
    Rule tried = Rule.builder("free", "/a").limit(5).state(RuleState.SHADOW).build();
    EndpointRules matched = Compiling.of(tried).rulebook().match(EndpointForm.PATH, "/a", "GET");
    for (String name : List.of("a-60s", "a-60s-shadow")) {
      OwnLimits own = OwnLimits.of(List.of(new OwnLimit(name, 7, Optional.empty())));
      assertEquals(7, matched.after("free", own, NOW).get(0).limit());
    }
  }

  private static List<String> rows(Rulebook book) {
    return book.rules().stream().map(each -> RowProblems.name(each.rule())).toList();
  }

  @Test
  void aPathAndATemplateOfOneTextAreKeptApart() {
    Rulebook book = Compiling.of(rule("free", "/a/{b: x/y}/c", "c")).rulebook();
    String text = "/a/{b: x/y}/c";
    assertFalse(book.match(EndpointForm.TEMPLATE, text, "GET").isEmpty());
    assertTrue(book.match(EndpointForm.PATH, text, "GET").isEmpty());
    assertFalse(book.match(EndpointForm.TEMPLATE, text, "GET").isEmpty());
    assertEquals(1, book.endpointsKept());
  }

  @Test
  void anEndpointThatNoRuleMatchesIsTheSharedEmptyAnswer() {
    Rulebook book = Compiling.of(rule("free", "/a", "a")).rulebook();
    assertSame(EndpointRules.NONE, book.match(EndpointForm.TEMPLATE, "/b", "GET"));
    assertSame(EndpointRules.NONE, book.match(EndpointForm.TEMPLATE, "Search#search", "GET"));
    assertTrue(EndpointRules.NONE.isEmpty());
  }

  private static Policy bound() {
    return Policy.builder("Search.search")
        .limit(20)
        .window(Duration.ofMinutes(1))
        .tier("gold", 30)
        .by(By.USER, By.KEY)
        .keys("header:X-A")
        .build();
  }

  private static RuleBuilder policyRule(String tier, long limit) {
    return Rule.builder(tier, "policy:Search.search").limit(limit);
  }

  private static Policy only(RuleBuilder rule) {
    CompiledRulebook compiled = Compiling.of(rule.build()).compile();
    assertEquals(List.of(), compiled.problems());
    return compiled.rulebook().rules().get(0).policy(false);
  }

  private static List<String> names(Rulebook book) {
    return book.rules().stream().map(CompiledRule::name).toList();
  }

  private static Rule rule(String tier, String pattern, String name) {
    return with(tier, pattern, name).build();
  }

  private static RuleBuilder with(String tier, String pattern, String name) {
    return Rule.builder(tier, pattern).limit(10).name(name);
  }
}

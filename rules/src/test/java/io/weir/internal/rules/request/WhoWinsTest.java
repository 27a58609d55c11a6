package io.weir.internal.rules.request;

import static io.weir.internal.rules.request.RuleRequests.get;
import static io.weir.internal.rules.request.RuleRequests.keyed;
import static io.weir.spi.DecisionPhase.AFTER_AUTHENTICATION;
import static io.weir.spi.DecisionPhase.BEFORE_AUTHENTICATION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import io.weir.internal.guard.GuardedRequest;
import io.weir.internal.rules.database.Sha256Digest;
import io.weir.rules.OperationCost;
import io.weir.rules.PolicySwitch;
import io.weir.rules.Rule;
import io.weir.rules.RuleBuilder;
import io.weir.rules.RuleState;
import io.weir.rules.RuleWindow;
import io.weir.rules.SwitchState;
import io.weir.rules.tier.OwnLimit;
import io.weir.rules.tier.UserState;
import io.weir.rules.tier.UserTier;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.CallerTier;
import io.weir.test.log.LogLines;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests which rules apply, and their precedence. */
class WhoWinsTest {
  private static final String POSTS = "/api/posts";
  private static final Instant START = FakeTicker.START;

  private final RuleRequests app = new RuleRequests();

  static class Shop {
    @RateLimit(
        limit = 10,
        window = 60,
        name = "buy",
        by = By.USER,
        tiers = {@Tier(name = "gold", limit = 20), @Tier(name = "silver", limit = 15)})
    public void buy() {}

    @RateLimit(limit = 10, window = 60, name = "login", by = By.IP)
    public void login() {}

    @RateLimit(limit = 10, window = 60, name = "dear", cost = 2)
    public void dear() {}
  }

  @AfterEach
  void close() {
    app.close();
  }

  private static RuleBuilder rule(String tier, String pattern, long limit) {
    return Rule.builder(tier, pattern).limit(limit);
  }

  private static Rule byIp(String tier, String pattern, long limit) {
    return rule(tier, pattern, limit).countBy(List.of("IP")).build();
  }

  private Map<String, Long> limits(FakeRequest request) {
    return app.send(request).limits();
  }

  private Map<String, Long> buys(String user) {
    return app.send(get("/buy", user), Shop.class, "buy").limits();
  }

  // The rules that apply

  @Test
  void ofTheCallersTierTheMostSpecificPatternHolds() {
    app.rule("free", "/api/*", 100).rule("free", POSTS, 10).rule("premium", POSTS, 50).start();
    assertEquals(Map.of("api.posts-60s", 10L), limits(get(POSTS, "bob")));
    assertEquals(100L, limits(get("/api/users", "bob")).values().iterator().next());
  }

  @Test
  void allRulesOfThatPatternHoldPerMinuteAndPerHour() {
    app.rule("free", POSTS, 2)
        .rule(rule("free", POSTS, 3).window(RuleWindow.ofSeconds(3600)).build())
        .start();
    assertEquals(2, app.admitted(5, () -> get(POSTS, "bob")));
    app.ticker.advance(Duration.ofMinutes(2));
    assertEquals(1, app.admitted(5, () -> get(POSTS, "bob")));
  }

  @Test
  void aBraceInAPathLeadsPastNoRuleAndNoCost() {
    app.costs.add(new OperationCost(1, "/likes/{id}/all", "GET", 2, 1));
    app.rule("free", "/posts/{id}/comments", 3).rule("free", "/likes/{id}/all", 4).start();
    assertEquals(3, app.admitted(8, () -> get("/posts/{7/comments", "bob")));
    assertEquals(2, app.admitted(8, () -> get("/likes/7}{/all", "bob")));
  }

  @Test
  void aTemplateMatchesAsATemplate() {
    app.rule("free", "/posts/{id: [^/]+}/comments", 3).start();
    Supplier<FakeRequest> request = () -> get("", "bob").template("/posts/{post: [^/]+}/comments");
    assertEquals(3, app.admitted(8, request));
  }

  @Test
  void rulesOfEverybodyAreACeilingBesideTheTiers() {
    app.rule("free", POSTS, 2).rule("premium", POSTS, 9).rule(byIp("*", "/api/*", 4));
    app.user("alice", "premium").start();
    assertEquals(4, app.admitted(9, () -> get(POSTS, "alice")));
  }

  @Test
  void allOrNothingARefusalTakesNothingOfTheOthers() {
    app.rule("free", POSTS, 1)
        .rule(rule("*", "/api/*", 10).countBy(List.of("ENDPOINT")).build())
        .start();
    assertEquals(1, app.admitted(5, () -> get(POSTS, "bob")));
    assertEquals(8, app.send(get(POSTS, "eve")).decision().parts().get(0).remaining());
  }

  @Test
  void everyAnnotatedPolicyMustAdmitToo() {
    app.rule("free", "/buy", 50).start();
    assertEquals(Map.of("buy-60s", 50L, "buy", 10L), buys("bob"));
  }

  @Test
  void aDefaultForCallersWithoutATierIsARuleOfTheDefaultTier() {
    app.rule("free", POSTS, 2).user("alice", "premium").start();
    assertEquals(Map.of("api.posts-60s", 2L), limits(get(POSTS)));
    assertEquals(Map.of(), limits(get(POSTS, "alice")));
  }

  @Test
  void headMatchesWhereGetDoes() {
    app.rule(rule("free", POSTS, 2).name("posts").methods(java.util.Set.of("GET")).build());
    app.start();
    assertEquals(Map.of("posts", 2L), limits(get(POSTS).method("HEAD")));
    assertEquals(Map.of(), limits(get(POSTS).method("POST")));
  }

  @Test
  void aWovenCallMeetsNoPattern() {
    app.rule("free", "*", 2).rule("free", "policy:buy", 7).start();
    assertEquals(Map.of("buy", 7L), app.send(get("Shop#buy", "bob"), Shop.class, "buy").limits());
  }

  @Test
  void nothingIsReadOfARequestThatNoRuleMatches() {
    app.rule("free", POSTS, 2).start();
    AppliedPolicies answer =
        app.source
            .policies(
                RuleRequests.nameOnly("/other"), CallerTier.none(), AFTER_AUTHENTICATION, List.of())
            .toCompletableFuture()
            .join();
    assertSame(AppliedPolicies.noneInAnyPhase(), answer);
    assertEquals(List.of(), app.lookedUp);
  }

  @Test
  void aCachedUserIsAnsweredByTheSameObject() {
    app.rule("free", POSTS, 2).start();
    app.send(get(POSTS, "bob"));
    assertSame(ask(get(POSTS, "bob")), ask(get(POSTS, "bob")));
  }

  private AppliedPolicies ask(FakeRequest request) {
    return app.source
        .policies(request, CallerTier.none(), AFTER_AUTHENTICATION, List.of())
        .toCompletableFuture()
        .join();
  }

  // Rules for an annotated policy

  private void own(String rule, long limit) {
    app.users.put(
        "alice",
        new UserTier(
            "alice",
            "gold",
            List.of(new OwnLimit(rule, limit, Optional.empty())),
            UserState.ENFORCED,
            Optional.empty(),
            1));
  }

  @Test
  void theAnnotationsLimitHoldsWhereNobodySaysAnotherOne() {
    app.start();
    assertEquals(Map.of("buy", 10L), buys("bob"));
  }

  @Test
  void theSettingsLimitGoesBeforeTheAnnotations() {
    app.set("weir.policy.buy.limit", "11").start();
    assertEquals(Map.of("buy", 11L), buys("bob"));
  }

  @Test
  void theRuleOfEverybodyGoesBeforeTheSettings() {
    app.set("weir.policy.buy.limit", "11").rule("*", "policy:buy", 12).start();
    assertEquals(Map.of("buy", 12L), buys("bob"));
  }

  @Test
  void thePolicysOwnTierGoesBeforeTheRuleOfEverybody() {
    app.rule("*", "policy:buy", 12).user("alice", "gold").start();
    assertEquals(Map.of("buy", 20L), buys("alice"));
  }

  @Test
  void theRuleOfTheTierGoesBeforeThePolicysOwnTier() {
    app.rule("*", "policy:buy", 12).rule("gold", "policy:buy", 30).user("alice", "gold").start();
    assertEquals(Map.of("buy", 30L), buys("alice"));
    assertEquals(Map.of("buy", 12L), buys("bob"));
  }

  @Test
  void theCallersOwnLimitGoesBeforeAll() {
    app.rule("gold", "policy:buy", 30);
    own("policy:buy", 40);
    app.start();
    assertEquals(Map.of("buy", 40L), buys("alice"));
  }

  @Test
  void aTierOfTheDatabaseFindsThePolicysOwn() {
    app.user("alice", "silver").start();
    assertEquals(Map.of("buy", 15L), buys("alice"));
    app.tier = CallerTier.named("gold");
    assertEquals(Map.of("buy", 20L), buys("alice"), "what the application says goes first");
    app.tier = CallerTier.ofLimit(99);
    assertEquals(Map.of("buy", 99L), buys("alice"));
  }

  @Test
  void aPolicyBeforeAuthenticationKnowsCallersByKeyOnly() {
    app.callers = new CallerSettings("header:X-Api-Key", false, "free");
    app.rule("gold", "policy:login", 30).user("alice", "gold");
    app.user(Sha256Digest.of("k1"), "gold").start();
    assertEquals(
        Map.of("login", 10L), app.send(get("/login", "alice"), Shop.class, "login").limits());
    assertEquals(
        Map.of("login", 30L), app.send(keyed("/login", "k1"), Shop.class, "login").limits());
  }

  @Test
  void ownLimitsTakeTheTiersPlaceAndStayBelowTheRulesOfEverybody() {
    app.rule("gold", POSTS, 2).rule(rule("*", "/api/*", 6).build());
    own(POSTS, 50);
    app.start();
    assertEquals(6, app.admitted(60, () -> get(POSTS, "alice")));
  }

  // Switches

  private void switchTo(String policy, SwitchState state) {
    app.switches.add(new PolicySwitch(policy, state, START.plusSeconds(600), "a test", "the test"));
  }

  @Test
  void aSwitchBeatsEverythingAndEndsByItself() {
    app.rule("gold", POSTS, 2).rule("gold", "policy:buy", 1);
    own(POSTS, 3);
    switchTo("*", SwitchState.OFF);
    app.start();
    assertEquals(9, app.admitted(9, () -> get(POSTS, "alice")));
    assertEquals(Map.of(), buys("alice"));
    app.ticker.advance(Duration.ofMinutes(10));
    assertEquals(3, app.admitted(9, () -> get(POSTS, "alice")));
    assertEquals(Map.of("buy", 1L), buys("alice"));
  }

  @Test
  void aSwitchThatTurnsAPolicyOrItsTrialOffEndsTheTrial() {
    app.rule(rule("free", "policy:buy", 1).name("try").state(RuleState.SHADOW).build());
    switchTo("try", SwitchState.OFF);
    app.start();
    assertEquals(Map.of("buy", 10L), buys("bob"));
    app.switches.clear();
    switchTo("buy", SwitchState.OFF);
    app.apply();
    assertEquals(Map.of(), buys("bob"));
    app.ticker.advance(Duration.ofMinutes(10));
    assertEquals(Map.of("buy", 10L, "try", 1L), buys("bob"));
  }

  @Test
  void aSwitchToShadowMeasuresAndRefusesNobody() {
    app.rule("free", POSTS, 2).rule("free", "policy:buy", 1);
    switchTo("api.posts-60s", SwitchState.SHADOW);
    switchTo("buy", SwitchState.SHADOW);
    app.start();
    assertEquals(9, app.admitted(9, () -> get(POSTS, "bob")));
    for (int i = 0; i < 5; i++) {
      RuleRequests.Outcome bought = app.send(get("/buy", "bob"), Shop.class, "buy");
      assertTrue(bought.isAdmitted());
      assertEquals(Map.of("buy", 1L), bought.limits());
    }
  }

  @Test
  void aSwitchToShadowLeavesAPolicyItsLimit() {
    switchTo("buy", SwitchState.SHADOW);
    app.set("weir.policy.buy.limit", "11").start();
    assertEquals(Map.of("buy", 11L), buys("bob"));
  }

  // When

  @Test
  void rulesOfEverybodyThatNeedNoUserAreDecidedBeforeAuthentication() {
    app.rule(byIp("*", "/api/*", 1)).rule("free", POSTS, 5).start();
    assertTrue(app.send(get(POSTS, "bob")).isAdmitted());
    GuardedRequest request = app.runtime().withoutClass().enter(get(POSTS, "bob"));
    assertEquals(429, request.decide(BEFORE_AUTHENTICATION).orElseThrow().status());
    assertEquals(1, request.decision().parts().size(), "the tier's isn't decided before");
  }

  @Test
  void allOthersAreDecidedAfterIt() {
    app.rule(byIp("free", POSTS, 1)).rule(rule("*", "/api/*", 1).build()).start();
    GuardedRequest request = app.runtime().withoutClass().enter(get(POSTS, "bob"));
    assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
    assertFalse(request.isDecided());
    request.decide(AFTER_AUTHENTICATION);
    assertEquals(2, request.decision().parts().size());
  }

  // Cost

  private void cost(String endpoint, String method, long cost) {
    app.costs.add(new OperationCost(app.costs.size() + 1, endpoint, method, cost, 1));
  }

  @Test
  void theRulesOwnCostGoesBeforeTheRow() {
    app.rule(rule("free", POSTS, 10).cost(3).build());
    cost(POSTS, "*", 5);
    app.start();
    assertEquals(Map.of("api.posts-60s", 3L), app.send(get(POSTS, "bob")).permits());
  }

  @Test
  void theMostSpecificRowOfCostsGoesBeforeTheMethodsSetting() {
    app.set("weir.cost.GET", "2").rule("free", "/api/*", 10);
    cost("/api/*", "*", 4);
    cost(POSTS, "GET", 5);
    app.start();
    assertEquals(List.of(5L), permits(get(POSTS, "bob")));
    assertEquals(List.of(4L), permits(get("/api/users", "bob")));
  }

  @Test
  void theMethodsSettingHoldsWhereNoRowMatches() {
    app.set("weir.cost.GET", "2").rule("free", "/api/*", 10).start();
    assertEquals(List.of(2L), permits(get(POSTS, "bob")));
    assertEquals(List.of(1L), permits(get(POSTS, "bob").method("POST")));
  }

  @Test
  void aRowOfCostsHoldsForAnnotatedPoliciesToo() {
    cost("/buy", "*", 4);
    app.start();
    RuleRequests.Outcome bought = app.send(get("/buy", "bob"), Shop.class, "buy");
    assertEquals(Map.of("buy", 4L), bought.permits());
    assertEquals(Map.of("buy", 10L), bought.limits());
    assertEquals(Map.of("dear", 2L), app.send(get("/buy", "bob"), Shop.class, "dear").permits());
  }

  @Test
  void aCostAboveWhatThereIsAtOnceCostsThat() {
    app.rule("free", POSTS, 3);
    cost("*", "*", 50);
    app.start();
    try (LogLines log = new LogLines()) {
      assertEquals(List.of(3L), permits(get(POSTS, "bob")));
      app.send(get(POSTS, "eve"));
      app.apply();
      app.send(get(POSTS, "eve"));
      assertEquals(1, log.containing("a request costs 50 permits").size(), "logged once");
    }
    assertEquals(Map.of("buy", 10L), app.send(get("/buy", "bob"), Shop.class, "buy").permits());
  }

  private List<Long> permits(FakeRequest request) {
    return List.copyOf(app.send(request).permits().values());
  }

  // Buckets

  @Test
  void oneBucketIsForEverythingThatThePatternMatches() {
    app.rule("free", "/api/*", 2).start();
    assertTrue(app.send(get("/api/one", "bob")).isAdmitted());
    assertTrue(app.send(get("/api/two", "bob")).isAdmitted());
    assertFalse(app.send(get("/api/three", "bob")).isAdmitted());
  }

  @Test
  void whoIsUpgradedKeepsTheCount() {
    app.rule("free", POSTS, 2).rule("premium", POSTS, 5).start();
    assertEquals(2, app.admitted(9, () -> get(POSTS, "alice")));
    app.user("alice", "premium").apply();
    assertEquals(3, app.admitted(9, () -> get(POSTS, "alice")));
  }

  @Test
  void aBucketUnderTwoRulesIsChargedOnceForTheLargerCostUnderTheLowerLimit() {
    app.rule(rule("free", POSTS, 10).cost(1).build())
        .rule(rule("*", POSTS, 7).cost(2).build())
        .start();
    RuleRequests.Outcome first = app.send(get(POSTS, "bob"));
    assertEquals(1, first.decision().parts().size());
    assertEquals(2, first.decision().parts().get(0).permits());
    assertEquals(Map.of("api.posts-60s", 7L), first.limits());
  }

  @Test
  void userWithoutAUserAndIpAreOneBucket() {
    app.rule(rule("free", POSTS, 4).name("posts").build())
        .rule(rule("*", POSTS, 3).name("posts").countBy(List.of("IP")).build())
        .start();
    RuleRequests.Outcome nobody = app.send(get(POSTS));
    assertEquals(1, nobody.decision().parts().size());
    assertEquals(Map.of("posts", 3L), nobody.limits());
    RuleRequests.Outcome bob = app.send(FakeRequest.from("192.0.2.7").endpoint(POSTS).user("bob"));
    assertEquals(2, bob.decision().parts().size(), "a user and an address are two buckets");
    assertEquals(List.of(3L, 2L), remaining(bob));
  }

  private static List<Long> remaining(RuleRequests.Outcome outcome) {
    return outcome.decision().parts().stream().map(each -> each.remaining()).toList();
  }

  @Test
  void rulesOfOneNameThatCountDifferentlyShareNoBucket() {
    app.rule(rule("free", POSTS, 2).name("posts").countBy(List.of("header:X-One")).build())
        .rule(rule("premium", POSTS, 2).name("posts").countBy(List.of("header:X-Two")).build())
        .user("alice", "premium")
        .start();
    FakeRequest both = get(POSTS).header("X-One", "a").header("X-Two", "a");
    assertEquals(2, app.admitted(5, () -> both));
    assertEquals(2, app.admitted(5, () -> both.user("alice")));
  }

  @Test
  void severalPartsMakeOneKey() {
    app.rule(rule("free", POSTS, 1).countBy(List.of("USER", "header:X-Tenant")).build()).start();
    assertTrue(app.send(get(POSTS, "bob").header("X-Tenant", "a")).isAdmitted());
    assertTrue(app.send(get(POSTS, "bob").header("X-Tenant", "b")).isAdmitted());
    assertTrue(app.send(get(POSTS, "eve").header("X-Tenant", "a")).isAdmitted());
    assertFalse(app.send(get(POSTS, "bob").header("X-Tenant", "a")).isAdmitted());
  }

  @Test
  void perEndpointEachHasItsOwnAndAPathNeverDoes() {
    app.rule(rule("free", "/api/*", 1).perEndpoint(true).build())
        .rule(rule("none", "/api/posts/{id}", 1).build())
        .start();
    assertTrue(app.send(get("/api/posts/1", "bob")).isAdmitted());
    assertFalse(app.send(get("/api/posts/2", "bob")).isAdmitted(), "one pattern of the rulebook");
    assertTrue(app.send(get("/api/users", "bob")).isAdmitted());
    assertFalse(app.send(get("/api/invented", "bob")).isAdmitted());
    assertTrue(app.send(get("/api/a", "bob").mapping("/api/a/*")).isAdmitted());
    assertFalse(app.send(get("/api/a/1", "bob").mapping("/api/a/*")).isAdmitted());
    assertTrue(app.send(get("/api/b", "bob").mapping("/api/b/*")).isAdmitted());
  }

  // Changes

  @ParameterizedTest
  @EnumSource(value = Algorithm.class, mode = EnumSource.Mode.EXCLUDE, names = "LEAKY_BUCKET")
  void aRaisedOrLoweredLimitHoldsAtOnceInExistingBuckets(Algorithm algorithm) {
    Rule posts = rule("free", POSTS, 5).row(7, 1).algorithm(algorithm).name("posts").build();
    app.rule(posts).start();
    assertEquals(5, app.admitted(20, () -> get(POSTS, "bob")));
    app.rule(posts.toBuilder().limit(8).build()).apply();
    assertEquals(3, app.admitted(20, () -> get(POSTS, "bob")), "raised");
    app.rule(posts.toBuilder().limit(2).build()).apply();
    assertEquals(0, app.admitted(20, () -> get(POSTS, "bob")), "lowered");
    assertEquals(Map.of("posts", 2L), limits(get(POSTS, "bob")));
    app.ticker.advance(Duration.ofMinutes(4));
    assertEquals(2, app.admitted(20, () -> get(POSTS, "bob")));
  }

  @Test
  void aRaisedOrLoweredLimitChangesThePaceOfALeakyBucketAtOnce() {
    Rule posts =
        rule("free", POSTS, 5).row(7, 1).algorithm(Algorithm.LEAKY_BUCKET).name("posts").build();
    app.rule(posts).start();
    assertEquals(1, app.admitted(1, () -> get(POSTS, "bob")));
    app.rule(posts.toBuilder().limit(10).build()).apply();
    assertEquals(0, app.admitted(2, () -> get(POSTS, "bob")), "told six seconds");
    app.ticker.advance(Duration.ofSeconds(6));
    assertEquals(1, app.admitted(20, () -> get(POSTS, "bob")), "raised");
    app.rule(posts.toBuilder().limit(2).build()).apply();
    assertEquals(0, app.admitted(2, () -> get(POSTS, "bob")), "told thirty");
    app.ticker.advance(Duration.ofSeconds(12));
    assertEquals(0, app.admitted(20, () -> get(POSTS, "bob")), "lowered");
    app.ticker.advance(Duration.ofSeconds(18));
    assertEquals(1, app.admitted(20, () -> get(POSTS, "bob")));
  }

  @Test
  void aDraftHasNoEffectAndAShadowRefusesNobody() {
    app.rule(rule("free", POSTS, 1).row(1, 1).state(RuleState.DRAFT).build()).start();
    assertEquals(Map.of(), limits(get(POSTS, "bob")));
    app.rule(rule("free", POSTS, 1).row(1, 1).state(RuleState.SHADOW).build()).apply();
    assertEquals(5, app.admitted(5, () -> get(POSTS, "bob")));
    assertEquals(Map.of("api.posts-60s-shadow", 1L), limits(get(POSTS, "bob")));
    app.rule(rule("free", POSTS, 1).row(1, 1).build()).apply();
    assertEquals(1, app.admitted(5, () -> get(POSTS, "bob")), "in buckets of its own until then");
  }

  @Test
  void aRuleTriedBesideTheEnforcedOneLeavesItInForceAndCountsApart() {
    app.rule("free", POSTS, 3)
        .rule(
            rule("free", POSTS, 1)
                .updated(Optional.of(START), "bob")
                .state(RuleState.SHADOW)
                .build())
        .start();
    assertEquals(List.of(), app.problems);
    assertEquals(
        Map.of("api.posts-60s", 3L, "api.posts-60s-shadow", 1L), limits(get(POSTS, "bob")));
    assertEquals(2, app.admitted(9, () -> get(POSTS, "bob")));
  }

  @Test
  void aRuleTriedUnderATakenNameIsLeftOutAndChargesNobody() {
    app.rule(rule("free", POSTS, 3).name("posts").build())
        .rule(rule("*", "/api/*", 1).name("posts").state(RuleState.SHADOW).build())
        .start();
    assertEquals(1, app.problems.size());
    assertEquals(9, app.admitted(9, () -> get("/api/users", "bob")));
    assertEquals(3, app.admitted(9, () -> get(POSTS, "bob")));
  }

  @Test
  void aRuleHoldsFromItsBeginToItsEnd() {
    app.rule(
            rule("free", POSTS, 1)
                .validFrom(START.plusSeconds(100))
                .validUntil(START.plusSeconds(200))
                .build())
        .rule("free", "/api/*", 30)
        .start();
    assertEquals(List.of(30L), List.copyOf(limits(get(POSTS, "bob")).values()));
    app.ticker.advance(Duration.ofSeconds(100));
    assertEquals(Map.of("api.posts-60s", 1L), limits(get(POSTS, "bob")));
    app.ticker.advance(Duration.ofSeconds(100));
    assertEquals(List.of(30L), List.copyOf(limits(get(POSTS, "bob")).values()));
  }

  @Test
  void aRuleForAPolicyIsTriedInShadowBesideWhatHolds() {
    app.rule(rule("free", "policy:buy", 1).name("try").state(RuleState.SHADOW).build()).start();
    for (int i = 0; i < 3; i++) {
      RuleRequests.Outcome bought = app.send(get("/buy", "bob"), Shop.class, "buy");
      assertTrue(bought.isAdmitted());
      assertEquals(Map.of("buy", 10L, "try", 1L), bought.limits());
    }
  }
}

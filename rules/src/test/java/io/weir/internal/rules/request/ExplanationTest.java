package io.weir.internal.rules.request;

import static io.weir.internal.rules.request.RuleRequests.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.ClearOn;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import io.weir.internal.rules.database.Sha256Digest;
import io.weir.internal.rules.rulebook.UnusableRule;
import io.weir.rules.PolicySwitch;
import io.weir.rules.Rule;
import io.weir.rules.RuleState;
import io.weir.rules.SwitchState;
import io.weir.rules.explanation.ExplainedRequest;
import io.weir.rules.explanation.Explanation;
import io.weir.rules.tier.OwnLimit;
import io.weir.rules.tier.UserState;
import io.weir.rules.tier.UserTier;
import io.weir.testkit.FakeTicker;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Annotation, settings, rules and switches together, and who wins. */
class ExplanationTest {
  private static final String POSTS = "/api/posts";

  private final RuleRequests app = new RuleRequests();

  static class Shop {
    @RateLimit(
        limit = 10,
        window = 60,
        name = "buy",
        by = By.USER,
        tiers = @Tier(name = "gold", limit = 20))
    public void buy() {}
  }

  @AfterEach
  void close() {
    app.close();
  }

  private Explanation explain(String endpoint, String user) {
    return app.source.explain(ExplainedRequest.of("GET", endpoint, user));
  }

  /** On one line for each: what holds, and whose limit. */
  private static List<String> told(Explanation explanation) {
    return explanation.parts().stream()
        .map(
            each ->
                (each.holds() ? "+ " : "- ")
                    + each.policy()
                    + " "
                    + each.limit()
                    + " by "
                    + each.source()
                    + ": "
                    + each.reason())
        .toList();
  }

  @Test
  void tellsWhichRulesHoldAndWhyTheOthersDont() {
    app.rule("gold", POSTS, 50)
        .rule(Rule.builder("gold", "/api/*").name("wide").limit(100).build())
        .rule("free", POSTS, 5)
        .rule(Rule.builder("*", "/api/*").name("all").limit(600).countBy(List.of("IP")).build())
        .rule(
            Rule.builder("gold", POSTS)
                .name("later")
                .limit(1)
                .validFrom(FakeTicker.START.plusSeconds(60))
                .build())
        .user("alice", "gold")
        .start();
    Explanation alice = explain(POSTS, "alice");
    assertEquals("user alice", alice.caller());
    assertEquals("gold (user_tiers)", alice.tier());
    assertEquals(
        List.of(
            "+ all 600 by rule 4: the most specific matching pattern of the rules for all tiers",
            "+ api.posts-60s 50 by rule 1: the most specific matching pattern of tier gold",
            "- wide 0 by rule 2: rule 1 has a more specific pattern: /api/posts",
            "- later 0 by rule 5: it isn't valid now"),
        told(alice));
  }

  @Test
  void neverCharges() {
    app.rule("free", POSTS, 2).start();
    for (int i = 0; i < 10; i++) {
      assertEquals(2, explain(POSTS, "bob").parts().get(0).limit());
    }
    assertEquals(2, app.admitted(5, () -> get(POSTS, "bob")));
  }

  @Test
  void tellsWhoWinsOfAnnotationSettingsTierRulesAndOwnLimit() {
    app.rule("gold", "policy:buy", 30).rule("*", "policy:buy", 12);
    app.users.put(
        "alice",
        new UserTier(
            "alice",
            "gold",
            List.of(new OwnLimit("policy:buy", 40, Optional.empty())),
            UserState.ENFORCED,
            Optional.empty(),
            1));
    app.set("weir.policy.buy.limit", "11").start();
    app.send(get("/buy", "alice"), Shop.class, "buy");
    List<String> expected =
        List.of(
            "+ buy 40 by own limit: the caller's own limit overrides all others",
            "- buy 0 by rule 1: overridden by own limit",
            "- buy 0 by annotation: overridden by own limit",
            "- buy 0 by rule 2: overridden by own limit",
            "- buy 0 by settings: overridden by own limit");
    assertEquals(expected, told(explain("policy:buy", "alice")));
    assertEquals(expected, told(explain("/buy", "alice")), "as met at this endpoint");
    assertEquals(
        List.of(
            "+ buy 12 by rule 2: the rule of tier * for this policy",
            "- buy 0 by settings: overridden by rule 2"),
        told(explain("policy:buy", "bob")));
  }

  @Test
  void tellsThatASuccessClearsFailures() {
    Rule inARow =
        Rule.builder("gold", POSTS)
            .name("in-a-row")
            .limit(5)
            .methods(Set.of("GET"))
            .countBy(List.of("header:X-Account"))
            .counts(Count.FAILURES)
            .clearOn(ClearOn.SUCCESS)
            .build();
    app.rule(inARow).user("alice", "gold").start();
    assertEquals(
        List.of(
            "+ in-a-row 5 by rule 1: the most specific matching pattern of tier gold; only"
                + " failures count, and a success clears those before it"),
        told(explain(POSTS, "alice")));
    String table = app.runtime().table();
    assertTrue(table.contains("in-a-row, 5 per minute, cleared by SUCCESS"), table);
  }

  @Test
  void tellsTheRefillUnderTheLimitInForce() {
    Rule steps =
        Rule.builder("gold", POSTS).limit(50).algorithm(Algorithm.TOKEN_BUCKET).refill(10).build();
    app.rule(steps).rule("gold", "policy:buy", 30).user("alice", "gold");
    app.set("weir.policy.buy.algorithm", "token-bucket")
        .set("weir.policy.buy.refill", "3")
        .set("weir.policy.buy.tier.silver", "12")
        .set("weir.policy.buy.tier-refill.silver", "1")
        .user("bob", "silver")
        .set("weir.policy.buy.limit", "10")
        .start();
    app.send(get("/buy", "alice"), Shop.class, "buy");
    assertEquals(
        List.of(
            "+ api.posts-60s 50 by rule 1: the most specific matching pattern of tier gold; of"
                + " these, 10 come back at once each window"),
        told(explain(POSTS, "alice")));
    assertEquals(
        "+ buy 30 by rule 2: the rule of tier gold for this policy; of these, 9 come back at once"
            + " each window",
        told(explain("policy:buy", "alice")).get(0));
    assertEquals(
        "+ buy 12 by annotation: the policy lists the tier silver itself; of these, 1 come back at"
            + " once each window",
        told(explain("policy:buy", "bob")).get(0));
  }

  @Test
  void tellsOfSwitches() {
    app.switches.add(
        new PolicySwitch(
            "*", SwitchState.OFF, FakeTicker.START.plusSeconds(60), "a test", "the test"));
    app.rule("free", POSTS, 2).start();
    app.send(get("/buy", "bob"), Shop.class, "buy");
    assertEquals(
        List.of("- api.posts-60s 0 by switch: it is switched off"), told(explain(POSTS, "bob")));
    assertFalse(explain("policy:buy", "bob").parts().stream().anyMatch(Explanation.Part::holds));
  }

  @Test
  void tellsOfRulesThatAreTried() {
    app.rule(Rule.builder("free", POSTS).limit(2).state(RuleState.SHADOW).build()).start();
    assertTrue(told(explain(POSTS, "bob")).get(0).endsWith("in the state SHADOW it only measures"));
  }

  @Test
  void explainsTrialsBesideAPolicyOfWhichOneIsMade() {
    app.rule(
            Rule.builder("free", "policy:buy").name("one").limit(2).state(RuleState.SHADOW).build())
        .rule(Rule.builder("*", "policy:buy").name("all").limit(3).state(RuleState.SHADOW).build())
        .start();
    app.send(get("/buy", "bob"), Shop.class, "buy");
    assertEquals(
        List.of(
            "+ one 2 by rule 1: in the state SHADOW it only measures, beside the enforced limit",
            "+ buy 10 by annotation: nothing overrides it",
            "- all 0 by rule 2: another rule in SHADOW is measured instead"),
        told(explain("policy:buy", "bob")));
  }

  @Test
  void explainsRowsThatCannotBeUsed() {
    app.rule(Rule.builder("gold", "policy:buy").limit(30).burst(-1).build())
        .rule(Rule.builder("*", "policy:buy").limit(12).build())
        .rule(Rule.builder("gold", "/api/*").name("wide").limit(0).build())
        .user("alice", "gold");
    app.unreadable.add(
        new UnusableRule(2, "*", "policy:buy", "buy-60s", "limit_count: must be a number"));
    app.start();
    app.send(get("/buy", "alice"), Shop.class, "buy");
    assertEquals(
        List.of(
            "+ buy 20 by annotation: the policy lists the tier gold itself",
            "- buy 0 by rule 1: its row can't be used: burst: -1 must be 0 to 1,000,000,000",
            "- buy 0 by rule 2: overridden by annotation",
            "- buy 0 by annotation: overridden by annotation"),
        told(explain("policy:buy", "alice")));
    assertEquals(
        "+ buy 12 by rule 2: the rule of tier * for this policy; this is its last valid version,"
            + " since its row is invalid: limit_count: must be a number",
        told(explain("policy:buy", "bob")).get(0));
    assertEquals(
        List.of(
            "- wide 0 by rule 3: its row can't be used: limit_count: 0 must be 1 to 1,000,000,000"),
        told(explain(POSTS, "alice")));
  }

  @Test
  void saysThatACallerUnderEvaluationIsOnlyMeasured() {
    app.rule("free", "policy:buy", 5);
    app.users.put(
        "bob", new UserTier("bob", "free", List.of(), UserState.EVALUATION, Optional.empty(), 1));
    app.start();
    app.send(get("/buy", "bob"), Shop.class, "buy");
    assertEquals(
        "+ buy 5 by rule 1: the rule of tier free for this policy; it only measures, since the"
            + " caller is under evaluation",
        told(explain("policy:buy", "bob")).get(0));
  }

  @Test
  void tellsWhoTheCallerIsAndAKeyByItsDigestOnly() {
    app.callers = new CallerSettings("header:X-Api-Key", false, "free");
    app.user(Sha256Digest.of("k1"), "gold").start();
    Explanation key =
        app.source.explain(
            new ExplainedRequest(
                "GET", POSTS, Optional.empty(), Optional.of("k1"), Optional.empty()));
    assertEquals("key " + Sha256Digest.of("k1"), key.caller());
    assertEquals("gold (user_tiers)", key.tier());
    Explanation nobody =
        app.source.explain(
            new ExplainedRequest(
                "GET", POSTS, Optional.empty(), Optional.empty(), Optional.of("staff")));
    assertEquals("anonymous, by address", nobody.caller());
    assertEquals("staff (TierResolver)", nobody.tier());
    assertEquals("free (default)", explain(POSTS, "bob").tier());
  }

  @Test
  void saysSoWhereNoApplicationHasStarted() {
    RulePolicySource alone =
        new RulePolicySource(
            app::book,
            app.start().directory,
            CallerSettings::of,
            request -> {},
            new QuotaPolicyFactory(app.directory, (user, period) -> 0, (user, counter, done) -> {}),
            app.anomalies);
    assertThrows(
        IllegalStateException.class, () -> alone.explain(ExplainedRequest.of("GET", POSTS, "bob")));
  }

  @Test
  void theStartUpTableTellsTheRules() {
    app.rule("free", POSTS, 2).rule("gold", "policy:buy", 30).start();
    String table = app.runtime().table();
    assertTrue(
        table.contains("Rules of the database, 2 in all:\n  rule 2, tier gold, policy:buy: "),
        table);
    assertTrue(
        table.contains("  rule 1, tier free, /api/posts: api.posts-60s, 2 per minute"), table);
  }
}

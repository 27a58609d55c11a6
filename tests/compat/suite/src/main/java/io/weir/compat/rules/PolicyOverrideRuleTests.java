package io.weir.compat.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.annotation.Mode;
import io.weir.rules.Rule;
import io.weir.rules.RuleBuilder;
import io.weir.rules.RuleWindow;
import io.weir.rules.SwitchState;
import io.weir.rules.explanation.ExplainedRequest;
import io.weir.rules.explanation.Explanation;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.tier.OwnLimit;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests rules for an annotated policy: the first limit found applies. */
interface PolicyOverrideRuleTests extends RuleServing {
  private Reply search(String user) {
    return app().get("/api/search", "User", user);
  }

  private void assertLimit(long expected, String user) {
    assertEquals(Map.of("search", expected), search(user).limits());
  }

  @Test
  default void theAnnotationsLimitHoldsWhereNobodySaysAnotherOne() {
    assertLimit(5, "bob");
  }

  @Test
  default void theSettingsGoBeforeTheAnnotation() {
    app().withSetting("weir.policy.search.limit", "6", () -> assertLimit(6, "bob"));
  }

  @Test
  default void theRuleOfEverybodyGoesBeforeTheSettings() {
    app().rule("*", "policy:search", 7);
    app().withSetting("weir.policy.search.limit", "6", () -> assertLimit(7, "bob"));
  }

  @Test
  default void thePolicysOwnTierGoesBeforeTheRuleOfEverybody() {
    app().rule("*", "policy:search", 7);
    app().user("alice", "silver");
    assertLimit(15, "alice");
    assertLimit(7, "bob");
  }

  @Test
  default void theRuleOfTheTierGoesBeforeThePolicysOwnTier() {
    app().rule("*", "policy:search", 7);
    app().rule("silver", "policy:search", 30);
    app().user("alice", "silver");
    assertLimit(30, "alice");
  }

  @Test
  default void theCallersOwnLimitGoesBeforeAll() {
    app().rule("silver", "policy:search", 30);
    app().user("alice", "silver", new OwnLimit("policy:search", 40, Optional.empty()));
    assertLimit(40, "alice");
  }

  @Test
  default void theModeComesWithARulesLimit() {
    RuleBuilder soft = Rule.builder("free", "policy:search").limit(2);
    app().save(soft.mode(Mode.SOFT).exceedBy(100));
    assertEquals(4, app().admitted(9, "/api/search", "User", "bob"));
  }

  @Test
  default void windowAndAlgorithmStayThePolicysAndWhoSavesOthersIsWarned() {
    Rule other =
        Rule.builder("free", "policy:search")
            .limit(2)
            .window(RuleWindow.ofSeconds(3600))
            .algorithm(Algorithm.TOKEN_BUCKET)
            .build();
    search("bob"); // met, so it is known
    List<RuleProblem> told = app().rules().rules().check(other);
    assertTrue(told.stream().allMatch(RuleProblem::isWarning), told::toString);
    assertTrue(told.toString().contains("window_seconds"), told::toString);
    assertTrue(told.toString().contains("algorithm"), told::toString);
    app().save(other.toBuilder());
    assertEquals("\"search\";q=2;w=60", search("bob").header("RateLimit-Policy").orElseThrow());
  }

  @Test
  default void aPolicyThatIsDecidedBeforeAuthenticationKnowsCallersByKeyOnly() {
    app().rule("gold", "policy:login", 30);
    app().user("alice", "gold");
    app().user(digest("k1"), "gold");
    assertEquals(Map.of("login", 5L), app().get("/api/login", "User", "alice").limits());
    assertEquals(Map.of("login", 30L), app().get("/api/login", "X-Api-Key", "k1").limits());
  }

  private static String digest(String key) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      byte[] digest = sha.digest(key.getBytes(StandardCharsets.UTF_8));
      return "sha256:" + HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible);
    }
  }

  @Test
  default void aSwitchBeatsEvenTheCallersOwnLimit() {
    app().rule("silver", "policy:search", 1);
    app().user("alice", "silver", new OwnLimit("policy:search", 2, Optional.empty()));
    app().switchTo(SwitchState.SHADOW, "search");
    assertEquals(9, app().admitted(9, "/api/search", "User", "alice"));
    app().switchTo(SwitchState.OFF, "search");
    assertEquals(Map.of(), search("alice").limits());
  }

  @Test
  default void theExplanationTellsWhoWins() {
    Rule rule = app().rule("silver", "policy:search", 30);
    app().user("alice", "silver");
    search("alice");
    Explanation told = app().rules().explain(ExplainedRequest.of("GET", "/api/search", "alice"));
    Explanation.Part first = told.parts().get(0);
    assertEquals("silver (user_tiers)", told.tier());
    assertEquals(
        "search 30 rule " + rule.id(), first.policy() + " " + first.limit() + " " + first.source());
    assertTrue(
        told.parts().stream().anyMatch(each -> each.source().equals("annotation") && !each.holds()),
        told::toString);
  }

  @Test
  default void theStartUpTableTellsAnnotationsAndRulesTogether() {
    app().rule("silver", "policy:search", 30);
    app().rule("free", "/api/posts", "posts", 10);
    search("bob");
    String table = app().weir().table();
    assertTrue(table.contains("search"), table);
    assertTrue(table.contains("tier silver, policy:search"), table);
    assertTrue(table.contains("tier free, /api/posts: posts, 10 per minute"), table);
  }
}

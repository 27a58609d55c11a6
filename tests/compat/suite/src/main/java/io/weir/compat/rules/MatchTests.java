package io.weir.compat.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rules.Rule;
import io.weir.rules.RuleState;
import io.weir.rules.RuleWindow;
import io.weir.rules.SwitchState;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.tier.OwnLimit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests which rules apply to a request. */
interface MatchTests extends RuleServing {
  /** An endpoint without annotation. */
  String POSTS = "/api/posts";

  private Map<String, Long> limits(String path, String... fields) {
    return app().get(path, fields).limits();
  }

  @Test
  default void ofTheCallersTierTheMostSpecificPatternHolds() {
    app().rule("free", "/api/*", "wide", 100);
    app().rule("free", POSTS, "posts", 10);
    app().rule("gold", POSTS, "gold", 50);
    assertEquals(Map.of("posts", 10L), limits(POSTS, "User", "bob"));
    assertEquals(Map.of("wide", 100L), limits("/api/posts/7", "User", "bob"));
    app().user("alice", "gold");
    assertEquals(Map.of("gold", 50L), limits(POSTS, "User", "alice"));
    assertEquals(Map.of(), limits("/api/posts/7", "User", "alice"));
  }

  @Test
  default void allRulesOfTheMostSpecificPatternHoldPerMinuteAndPerHour() {
    app().rule("free", POSTS, "minute", 2);
    app()
        .save(Rule.builder("free", POSTS).name("hour").limit(3).window(RuleWindow.ofSeconds(3600)));
    assertEquals(2, app().admitted(4, POSTS, "User", "bob"));
    app().pass(Duration.ofMinutes(2));
    assertEquals(1, app().admitted(4, POSTS, "User", "bob"));
  }

  @Test
  default void aRuleForOtherMethodsTakesNoPlace() {
    app().rule("free", "/api/*", "wide", 100);
    app().save(Rule.builder("free", POSTS).name("writes").methods(Set.of("POST")).limit(1));
    assertEquals(Map.of("wide", 100L), limits(POSTS, "User", "bob"));
    assertEquals(Map.of("writes", 1L), app().send("POST", POSTS, "User", "bob").limits());
  }

  @Test
  default void theSameIsDoneForEverybody() {
    app().rule("*", "/api/*", "wide", 100);
    app().rule("*", POSTS, "posts", 60);
    app().rule("free", POSTS, "free", 10);
    assertEquals(Map.of("posts", 60L, "free", 10L), limits(POSTS, "User", "bob"));
    assertEquals(Map.of("wide", 100L), limits("/api/posts/7", "User", "bob"));
  }

  @Test
  default void everyRuleKeptMustAdmit() {
    app().rule("free", POSTS, "tier", 4);
    app().rule("*", "/api/*", "all", 2);
    assertEquals(2, app().admitted(5, POSTS, "User", "bob"));
  }

  @Test
  default void everyAnnotatedPolicyMustAdmitToo() {
    app().rule("free", "/api/search", "more", 50);
    assertEquals(Map.of("more", 50L, "search", 5L), limits("/api/search", "User", "bob"));
    assertEquals(4, app().admitted(9, "/api/search", "User", "bob"));
    app().rule("gold", "/api/search", "less", 3);
    app().user("alice", "gold");
    assertEquals(3, app().admitted(9, "/api/search", "User", "alice"));
  }

  @Test
  default void whatATierRefusesAfterTheSignInIsChargedToTheCeilingBeforeIt() {
    app().save(Rule.builder("*", "/api/*").name("all").countBy(List.of("ENDPOINT")).limit(10));
    app().rule("free", POSTS, "tier", 1);
    assertEquals(1, app().admitted(5, POSTS, "User", "bob"));
    app().user("alice", "gold");
    assertEquals(4, app().get(POSTS, "User", "alice").left(), "six have signed in");
  }

  @Test
  default void aRuleOfEverybodyIsACeilingForEverybody() {
    app().rule("gold", POSTS, "gold", 50);
    app().save(Rule.builder("*", "/api/*").name("all").countBy(List.of("IP")).limit(3));
    app().user("alice", "gold");
    assertEquals(3, app().admitted(9, POSTS, "User", "alice"));
    assertEquals(0, app().admitted(9, POSTS, "User", "bob"), "from the same address");
  }

  @Test
  default void aDefaultForCallersWithoutATierIsARuleOfTheDefaultTier() {
    app().rule("free", POSTS, "default", 2);
    app().user("alice", "gold");
    assertEquals(2, app().admitted(5, POSTS, "User", "bob"));
    assertEquals(2, app().admitted(5, POSTS, "X-Api-Key", "nobody knows it"));
    assertEquals(2, app().admitted(5, POSTS), "an anonymous caller counts by address");
    assertEquals(5, app().admitted(5, POSTS, "User", "alice"));
  }

  @Test
  default void whoSavesARuleOfEverybodyBelowATiersIsWarned() {
    app().rule("gold", POSTS, "gold", 50);
    Rule below = Rule.builder("*", "/api/*").name("all").limit(10).build();
    List<RuleProblem> told = app().rules().rules().check(below);
    assertTrue(told.stream().allMatch(RuleProblem::isWarning), told::toString);
    assertTrue(told.toString().contains("gold"), told::toString);
  }

  @Test
  default void ownLimitsReplaceWhatTheTierSaysAndStayBelowTheRulesOfEverybody() {
    app().rule("gold", POSTS, "gold", 2);
    app().user("alice", "gold", new OwnLimit(POSTS, 50, Optional.empty()));
    assertEquals(Map.of("gold", 50L), limits(POSTS, "User", "alice"));
    app().rule("*", "/api/*", "all", 6);
    assertEquals(6, app().admitted(60, POSTS, "User", "alice"));
  }

  @Test
  default void aSwitchTurnsOffWhateverHolds() {
    app().rule("free", POSTS, "posts", 1);
    app().switchTo(SwitchState.OFF, "posts");
    assertEquals(5, app().admitted(5, POSTS, "User", "bob"));
    assertEquals(Map.of(), limits(POSTS, "User", "bob"));
    assertEquals(Map.of("search", 5L), limits("/api/search", "User", "bob"));
    app().switchTo(SwitchState.OFF, "*");
    assertEquals(9, app().admitted(9, "/api/search", "User", "bob"));
  }

  @Test
  default void aSwitchToShadowMeasuresAndRefusesNobody() {
    app().rule("free", POSTS, "posts", 1);
    app().switchTo(SwitchState.SHADOW, "posts");
    assertEquals(5, app().admitted(5, POSTS, "User", "bob"));
  }

  @Test
  default void aDraftHasNoEffectAndAShadowRefusesNobody() {
    Rule draft =
        app().save(Rule.builder("free", POSTS).name("posts").limit(1).state(RuleState.DRAFT));
    assertEquals(Map.of(), limits(POSTS, "User", "bob"));
    Rule shadow = app().save(draft.toBuilder().state(RuleState.SHADOW));
    assertEquals(5, app().admitted(5, POSTS, "User", "bob"));
    app().save(shadow.toBuilder().state(RuleState.ENFORCED));
    assertEquals(0, app().admitted(5, POSTS, "User", "bob"), "what it has counted stays");
  }
}

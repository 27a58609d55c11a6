package io.weir.compat.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rules.Rule;
import io.weir.rules.problem.RuleProblem;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Tests what patterns match, and which one is the most specific. */
interface PatternTests extends RuleServing {
  private Set<String> holds(String path) {
    return app().get(path, "User", "bob").limits().keySet();
  }

  @Test
  default void anExactPatternMatchesNothingElse() {
    app().rule("free", "/api/posts", "posts", 10);
    assertEquals(Set.of("posts"), holds("/api/posts"));
    assertEquals(Set.of(), holds("/api/posts/7"));
    assertEquals(Set.of(), holds("/api"));
  }

  @Test
  default void aVariableMatchesOneSegment() {
    app().rule("free", "/api/posts/{id}", "post", 10);
    assertEquals(Set.of("post"), holds("/api/posts/7"));
    assertEquals(Set.of(), holds("/api/posts"));
    assertEquals(Set.of(), holds("/api/posts/7/likes"));
  }

  @Test
  default void aStarMatchesAllBelowAndThePathItself() {
    app().rule("free", "/api/*", "api", 10);
    for (String path : List.of("/api", "/api/posts", "/api/posts/7", "/api/posts/7/likes")) {
      assertEquals(Set.of("api"), holds(path), path);
    }
    assertEquals(Set.of(), holds("/other"));
  }

  @Test
  default void aStarAloneMatchesEverything() {
    app().rule("free", "*", "all", 10);
    assertEquals(Set.of("all"), holds("/other"));
    assertEquals(Set.of("all"), holds("/api/posts/7/likes"));
  }

  @Test
  default void exactIsMoreSpecificThanMoreLiteralsThanTheEarlierLiteralThanVariablesThanTheStar() {
    List<String> patterns =
        List.of(
            "*",
            "/api/*",
            "/api/{a}/{b}",
            "/api/{a}/latest",
            "/api/posts/*",
            "/api/posts/{b}",
            "/api/posts/latest");
    for (int i = 0; i < patterns.size(); i++) {
      app().rule("free", patterns.get(i), "rule" + i, 100);
      assertEquals(Set.of("rule" + i), holds("/api/posts/latest"), patterns.get(i));
    }
  }

  @Test
  default void aSlashAtTheEndMakesNoDifferenceInThePatternOrThePath() {
    app().rule("free", "/api/posts/", "posts", 2);
    assertEquals(1, app().admitted(1, "/api/posts", "User", "bob"));
    assertEquals(1, app().admitted(5, "/api/posts/", "User", "bob"));
  }

  @Test
  default void headMatchesWhereGetDoesAndTakesOfTheSameBucket() {
    app().save(Rule.builder("free", "/api/posts").name("reads").methods(Set.of("GET")).limit(2));
    assertEquals(200, app().send("HEAD", "/api/posts", "User", "bob").status());
    assertEquals(200, app().send("GET", "/api/posts", "User", "bob").status());
    assertEquals(429, app().send("HEAD", "/api/posts", "User", "bob").status());
    assertNotEquals(429, app().send("POST", "/api/posts", "User", "bob").status());
  }

  /** Each is the same endpoint or none, but never another one that the rule doesn't limit. */
  @Test
  default void aRawSpellingIsNeverAnotherEndpoint() {
    app().rule("free", "/api/posts", "posts", 1);
    app().rule("free", "*", "others", 1);
    assertEquals(1, app().admitted(2, "/api/posts", "User", "bob"));
    assertEquals(1, app().admitted(2, "/other", "User", "bob"));
    for (String spelling :
        List.of(
            "/api/p%6Fsts",
            "/api/%70%6f%73%74%73",
            "/%61pi/posts",
            "/api//posts",
            "/api/./posts",
            "/api/x/../posts",
            "/api/posts;a=b",
            "/api;a=b/posts",
            "/api/posts?a=b",
            "/api/posts/?a=b",
            "/api/posts%2F",
            "/api/posts%00",
            "/api/POSTS",
            "/api/posts/.",
            "/api/posts/%2e")) {
      assertNotEquals(200, app().get(spelling, "User", "bob").status(), spelling);
    }
  }

  @Test
  default void namesOfVariablesAndTheirRegularExpressionsDoNotMatter() {
    app().rule("free", "/api/posts/{any: .*}", "post", 10);
    assertEquals(Set.of("post"), holds("/api/posts/7"));
    app().rule("free", "/api/posts/{x}/likes", "likes", 10);
    assertEquals(Set.of("likes"), holds("/api/posts/7/likes"));
  }

  @Test
  default void aLiteralInAPatternDoesNotMatchATemplatesVariable() {
    app().rule("free", "/api/posts/42", "answer", 10);
    assertEquals(hasTemplates() ? Set.of() : Set.of("answer"), holds("/api/posts/42"));
  }

  @Test
  default void whoSavesALiteralThatNoTemplateMatchesIsTold() {
    Assumptions.assumeTrue(hasTemplates());
    app().rule("free", "/api/posts/{id}", "post", 10);
    app().get("/api/posts/7", "User", "bob");
    List<RuleProblem> told =
        app().rules().rules().check(Rule.builder("free", "/api/posts/42").limit(1).build());
    assertTrue(
        told.stream().anyMatch(each -> each.toString().contains("variable")), told::toString);
  }

  @Test
  default void whoSavesARuleIsToldTheBroaderOnesThatItReplaces() {
    Rule wide = app().rule("free", "/api/*", "wide", 10);
    List<RuleProblem> told =
        app().rules().rules().check(Rule.builder("free", "/api/posts").limit(5).build());
    assertTrue(told.stream().allMatch(RuleProblem::isWarning), told::toString);
    assertTrue(told.toString().contains("" + wide.id()), told::toString);
  }
}

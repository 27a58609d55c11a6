package io.weir.compat.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.rules.Rule;
import org.junit.jupiter.api.Test;

/** Tests the cost of requests under rules. */
interface RuleCostTests extends RuleServing {
  /** Returns the permits that a request takes of a thousand. */
  private long cost(String method, String path) {
    return 1000 - app().send(method, path, "User", "cost" + method + path).left();
  }

  private void limited() {
    app().rule("free", "/api/*", "all", 1000);
  }

  @Test
  default void aRequestCostsOneWhereNobodySaysMore() {
    limited();
    assertEquals(1, cost("GET", "/api/posts"));
    assertEquals(1, cost("POST", "/api/posts"));
  }

  @Test
  default void theRulesOwnCostGoesBeforeTheRows() {
    app().save(Rule.builder("free", "/api/*").name("all").limit(1000).cost(3));
    app().cost("/api/posts", "*", 5);
    assertEquals(3, cost("GET", "/api/posts"));
  }

  @Test
  default void theAnnotationsOwnCostGoesBeforeTheRows() {
    app().cost("/api/*", "*", 4);
    assertEquals(8, app().get("/api/dear", "User", "bob").left());
    assertEquals(1, app().get("/api/search", "User", "bob").left(), "which has none of its own");
  }

  @Test
  default void theMostSpecificRowSaysTheCost() {
    limited();
    app().cost("/api/*", "*", 4);
    app().cost("/api/posts", "GET", 5);
    app().cost("/api/posts/{id}", "*", 6);
    app().cost("/api/posts/{id}", "GET", 7);
    assertEquals(5, cost("GET", "/api/posts"));
    assertEquals(5, cost("HEAD", "/api/posts"));
    assertEquals(4, cost("POST", "/api/posts"));
    assertEquals(7, cost("GET", "/api/posts/1"));
  }

  @Test
  default void theMethodsSettingHoldsWhereNoRowMatches() {
    limited();
    app().cost("/api/posts/{id}", "*", 6);
    app()
        .withSetting(
            "weir.cost.GET",
            "2",
            () -> {
              assertEquals(2, cost("GET", "/api/posts"));
              assertEquals(1, cost("POST", "/api/posts"));
              assertEquals(6, cost("GET", "/api/posts/1"));
            });
  }

  @Test
  default void whatIsUsualHoldsWhereTheSettingWantsIt() {
    limited();
    app()
        .withSetting(
            "weir.cost.defaults",
            "true",
            () -> {
              assertEquals(1, cost("GET", "/api/posts"));
              assertEquals(5, cost("POST", "/api/posts"));
              assertEquals(10, cost("DELETE", "/api/posts"));
            });
  }

  @Test
  default void aCostAboveTheCapacityCostsTheCapacity() {
    app().rule("free", "/api/posts", "posts", 3);
    app().cost("*", "*", 50);
    Reply first = app().get("/api/posts", "User", "bob");
    assertEquals(200, first.status());
    assertEquals(0, first.left());
    assertEquals(429, app().get("/api/posts", "User", "bob").status());
  }
}

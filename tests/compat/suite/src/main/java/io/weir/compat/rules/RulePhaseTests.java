package io.weir.compat.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.compat.UserlessCondition;
import io.weir.rules.Rule;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests which rules are decided before authentication, and which after it. */
interface RulePhaseTests extends RuleServing {
  private Rule rule(String tier, String name, String countBy, long limit) {
    return app()
        .save(Rule.builder(tier, "/api/*").name(name).countBy(List.of(countBy)).limit(limit));
  }

  private List<Integer> statuses(int requests, String... fields) {
    return IntStream.range(0, requests)
        .mapToObj(each -> app().get("/api/posts", fields).status())
        .toList();
  }

  @Test
  default void rulesOfEverybodyThatNeedNoUserAreDecidedBeforeAuthentication() {
    rule("*", "addresses", "IP", 2);
    rule("free", "users", "USER", 1);
    Reply unknown = app().get("/api/posts", "User", "nobody");
    assertEquals(401, unknown.status());
    assertEquals(Map.of("addresses", 2L), unknown.limits());
    assertEquals(List.of(401, 429), statuses(2, "User", "nobody"));
    assertEquals(List.of(429), statuses(1, "User", "bob"));
  }

  @Test
  default void rulesOfEverybodyByUserAreDecidedAfterIt() {
    rule("*", "users", "USER", 1);
    assertEquals(List.of(401, 401, 401), statuses(3, "User", "nobody"));
    assertEquals(List.of(200, 429), statuses(2, "User", "bob"));
  }

  private void conditional(String name, String condition) {
    app()
        .save(
            Rule.builder("*", "/api/*")
                .name(name)
                .countBy(List.of("IP"))
                .condition(condition)
                .limit(2));
  }

  @Test
  default void rulesWhoseConditionNeedsNoUserAreDecidedBeforeIt() {
    conditional("passwords", UserlessCondition.OF_PASSWORDS);
    assertEquals(List.of(401, 401, 401), statuses(3, "User", "nobody"));
    List<Integer> guesses =
        IntStream.range(0, 4)
            .mapToObj(each -> app().get("/api/posts?password=guess", "User", "nobody").status())
            .toList();
    assertEquals(List.of(401, 401, 429, 429), guesses);
  }

  @Test
  default void rulesWhoseConditionReadsTheUserAllTheSameAreDecidedAfterIt() {
    conditional("users", UserlessCondition.OF_USERS);
    assertEquals(List.of(401, 401, 401), statuses(3, "User", "nobody"));
    assertEquals(List.of(200, 200, 429), statuses(3, "User", "bob"));
  }

  @Test
  default void rulesOfATierAreDecidedAfterItWhateverTheyCountBy() {
    rule("free", "addresses", "IP", 1);
    assertEquals(List.of(401, 401, 401), statuses(3, "User", "nobody"));
    assertEquals(List.of(200, 429), statuses(2, "User", "bob"));
  }

  @Test
  default void beforeAuthenticationItIsAllOrNothing() {
    Rule addresses = rule("*", "addresses", "IP", 1);
    rule("*", "all", "ENDPOINT", 10);
    rule("free", "users", "USER", 5);
    assertEquals(List.of(200, 429, 429), statuses(3, "User", "bob"));
    app().rules().rules().delete(addresses.id(), addresses.version(), "the test");
    assertEquals(3, app().get("/api/posts", "User", "bob").left(), "two were admitted");
    app().user("alice", "gold");
    assertEquals(7, app().get("/api/posts", "User", "alice").left(), "three were admitted");
  }

  @Test
  default void afterAuthenticationItIsAllOrNothing() {
    rule("free", "few", "USER", 1);
    rule("*", "many", "USER", 10);
    assertEquals(List.of(200, 429, 429), statuses(3, "User", "bob"));
    app().user("bob", "gold");
    assertEquals(8, app().get("/api/posts", "User", "bob").left(), "two were admitted");
  }

  @Test
  default void aRefusalAfterAuthenticationLeavesWhatWasTakenBefore() {
    rule("*", "all", "ENDPOINT", 10);
    rule("free", "users", "USER", 1);
    assertEquals(List.of(200, 429, 429), statuses(3, "User", "bob"));
    app().user("alice", "gold");
    assertEquals(6, app().get("/api/posts", "User", "alice").left(), "four have signed in");
  }

  @Test
  default void everyEndpointIsBoundAnnotatedOrNot() {
    app().rule("free", "*", "all", 100);
    assertEquals(Map.of("all", 100L), app().get("/other", "User", "bob").limits());
    assertEquals(
        Map.of("all", 100L, "search", 5L), app().get("/api/search", "User", "bob").limits());
  }
}

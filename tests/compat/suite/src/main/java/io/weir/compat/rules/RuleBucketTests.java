package io.weir.compat.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rules.Rule;
import io.weir.rules.RuleWindow;
import io.weir.rules.problem.RuleProblem;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests which requests a rule counts in one bucket. */
interface RuleBucketTests extends RuleServing {
  private boolean admits(String path, String... fields) {
    return app().get(path, fields).status() == 200;
  }

  private void countedBy(String... parts) {
    app().save(Rule.builder("free", "/api/*").name("all").limit(1).countBy(List.of(parts)));
  }

  private void assertOneEach(String[] one, String[] other) {
    assertEquals(List.of(true, false), List.of(admits("/api/posts", one), admits("/api", one)));
    assertEquals(List.of(true, false), List.of(admits("/api/posts", other), admits("/api", other)));
  }

  @Test
  default void oneBucketIsForEverythingThatThePatternMatches() {
    app().rule("free", "/api/*", "all", 2);
    assertTrue(admits("/api/posts", "User", "bob"));
    assertTrue(admits("/api/posts/7", "User", "bob"));
    assertEquals(0, app().admitted(2, "/api", "User", "bob"));
  }

  @Test
  default void perEndpointEachTemplateOrMappingHasItsOwnAndAPathNeverDoes() {
    app().save(Rule.builder("free", "/api/*").name("all").limit(1).perEndpoint(true));
    assertTrue(admits("/api/posts/1", "User", "bob"));
    assertEquals(0, app().admitted(1, "/api/posts/2", "User", "bob"));
    assertTrue(admits("/api", "User", "bob"));
    assertEquals(hasTemplates() ? 1 : 0, app().admitted(1, "/api/posts/1/likes", "User", "bob"));
  }

  @Test
  default void usersAreCountedApart() {
    countedBy("USER");
    assertOneEach(new String[] {"User", "bob"}, new String[] {"User", "eve"});
  }

  @Test
  default void aUserAndAKeyOfOneNameAreCountedApart() {
    countedBy("USER");
    assertOneEach(new String[] {"User", "k1"}, new String[] {"X-Api-Key", "k1"});
  }

  @Test
  default void addressesAreCountedApart() {
    countedBy("IP");
    assertOneEach(
        new String[] {"User", "bob", "X-Forwarded-For", "192.0.2.1"},
        new String[] {"User", "bob", "X-Forwarded-For", "192.0.2.2"});
  }

  @Test
  default void everybodyIsCountedTogetherByEndpoint() {
    countedBy("ENDPOINT");
    assertTrue(admits("/api/posts", "User", "bob"));
    assertEquals(0, app().admitted(1, "/api/posts", "User", "eve"));
  }

  @Test
  default void keyExpressionsAreCountedApart() {
    countedBy("header:X-Tenant");
    assertOneEach(
        new String[] {"User", "bob", "X-Tenant", "a"},
        new String[] {"User", "bob", "X-Tenant", "b"});
  }

  @Test
  default void severalPartsMakeOneKey() {
    countedBy("USER", "header:X-Tenant");
    assertOneEach(
        new String[] {"User", "bob", "X-Tenant", "a"},
        new String[] {"User", "bob", "X-Tenant", "b"});
    assertTrue(admits("/api", "User", "eve", "X-Tenant", "a"));
  }

  @Test
  default void whoIsUpgradedKeepsTheCount() {
    app().rule("free", "/api/posts", "posts", 2);
    app().rule("gold", "/api/posts", "posts", 5);
    assertEquals(2, app().admitted(9, "/api/posts", "User", "alice"));
    app().user("alice", "gold");
    assertEquals(3, app().admitted(9, "/api/posts", "User", "alice"));
  }

  @Test
  default void ofTwoRulesWithOneBucketTheLargerCostAndTheLowerLimitDecideOnce() {
    app().save(Rule.builder("free", "/api/posts").name("posts").limit(10).cost(1));
    app().save(Rule.builder("*", "/api/posts").name("posts").limit(7).cost(2));
    Reply first = app().get("/api/posts", "User", "bob");
    assertEquals(Map.of("posts", 7L), first.limits());
    assertEquals(5, first.left());
  }

  @Test
  default void userWithoutAUserAndIpAreOneBucket() {
    app().rule("free", "/api/posts", "posts", 4);
    app().save(Rule.builder("*", "/api/posts").name("posts").limit(3).countBy(List.of("IP")));
    assertEquals(3, app().admitted(9, "/api/posts"));
    assertEquals(0, app().admitted(1, "/api/posts", "User", "bob"), "from that address");
    assertEquals(3, app().admitted(9, "/api/posts", "User", "bob", "X-Forwarded-For", "192.0.2.1"));
  }

  @Test
  default void aPatternsRuleWithTheNameOfAnAnnotatedPolicyIsABadRow() {
    app().get("/api/search", "User", "bob"); // met, so it is known
    app()
        .sql(
            "INSERT INTO weir.rate_limit_rules (tier, endpoint_pattern, limit_count, window_seconds,"
                + " name) VALUES ('free', '/api/search', 1, 60, 'search')");
    assertEquals(Map.of("search", 5L), app().get("/api/search", "User", "eve").limits());
    List<RuleProblem> told = app().rules().problems();
    assertTrue(told.stream().anyMatch(each -> each.field().equals("name")), told::toString);
  }

  @Test
  default void aChangedLimitKeepsTheBucketAndHoldsAtOnce() {
    Rule posts = app().rule("free", "/api/posts", "posts", 5);
    assertEquals(5, app().admitted(9, "/api/posts", "User", "bob"));
    Rule raised = app().save(posts.toBuilder().limit(8));
    assertEquals(3, app().admitted(9, "/api/posts", "User", "bob"));
    app().save(raised.toBuilder().limit(2));
    assertEquals(0, app().admitted(9, "/api/posts", "User", "bob"));
  }

  @Test
  default void anotherWindowBeginsANewBucketAndWhoSavesItIsTold() {
    Rule posts = app().rule("free", "/api/posts", "posts", 5);
    assertEquals(5, app().admitted(9, "/api/posts", "User", "bob"));
    Rule other = posts.toBuilder().window(RuleWindow.ofSeconds(30)).build();
    List<RuleProblem> told = app().rules().rules().check(other);
    assertTrue(told.toString().contains("begins new buckets"), told::toString);
    app().save(other.toBuilder());
    assertEquals(5, app().admitted(9, "/api/posts", "User", "bob"));
  }
}

package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.control.ControlApp.Reply;
import io.weir.rules.Rule;
import io.weir.rules.RuleState;
import io.weir.rules.RuleWindow;
import io.weir.rules.tier.OwnLimit;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests are decided and explained, and users see what they have left. */
interface DecideTests extends ControlAppTests {
  String ALICE = "{\"userId\": \"alice\", \"endpoint\": \"/api/posts\", \"method\": \"GET\"}";

  @Test
  default void anAnswerTellsLimitRestAndWhenToComeBack() {
    app().rule("free", "/api/posts", 1);
    JsonNode first = app().check(ALICE).body();
    assertEquals(
        "{\"allowed\":true,\"matched\":true,\"limit\":1,\"remaining\":0,\"resetTime\":1767225660,"
            + "\"retryAfter\":null,\"neverAdmitted\":false,\"denied\":false,\"banned\":false,\"degraded\":false,\"policies\":[{\"name\":\"api.posts-60s\","
            + "\"allowed\":true,\"limit\":1,\"remaining\":0,\"resetTime\":1767225660,"
            + "\"wouldRefuse\":false}]}",
        first.toString());
    Reply second = app().check(ALICE);
    assertEquals(200, second.status());
    assertFalse(second.body().get("allowed").asBoolean());
    assertEquals(60, second.body().get("retryAfter").asLong());
  }

  @Test
  default void aRuleThatOnlyMeasuresTellsWhatItWouldHaveRefused() {
    app().save(Rule.builder("free", "/api/posts").limit(1).state(RuleState.SHADOW));
    JsonNode first = app().check(ALICE).body();
    assertTrue(first.get("allowed").asBoolean());
    assertFalse(first.at("/policies/0/wouldRefuse").asBoolean(), first::toString);
    JsonNode second = app().check(ALICE).body();
    assertTrue(second.get("allowed").asBoolean());
    assertTrue(second.at("/policies/0/allowed").asBoolean());
    assertTrue(second.at("/policies/0/wouldRefuse").asBoolean(), second::toString);
    assertEquals(200, app().post("/v1/ratelimit/check?status=true", ALICE).status());
  }

  @Test
  default void aRequestThatNothingLimitsIsAllowed() {
    assertEquals(
        "{\"allowed\":true,\"matched\":false,\"limit\":null,\"remaining\":null,\"resetTime\":0,"
            + "\"retryAfter\":null,\"neverAdmitted\":false,\"denied\":false,\"banned\":false,\"degraded\":false,\"policies\":[]}",
        app().check(ALICE).body().toString());
  }

  @Test
  default void whoWantsTheStatusGets429() {
    app().rule("free", "*", 1);
    assertEquals(200, app().post("/v1/ratelimit/check?status=true", ALICE).status());
    Reply refused = app().post("/v1/ratelimit/check?status=true", ALICE);
    assertEquals(429, refused.status());
    assertEquals("60", refused.header("Retry-After"));
    assertFalse(refused.body().get("allowed").asBoolean());
  }

  @Test
  @Timeout(300)
  default void whoseUsageIsAbnormalIsRefusedUntilThatEnds() throws SQLException {
    try (ControlApp app = app(Map.of("weir.control.forward.user", "X-User"))) {
      app.rule("free", "/api/posts", 100_000);
      assertEquals(99_999, app.check(ALICE).body().get("remaining").asLong());
      try (Connection connection = app.database.getConnection();
          Statement statement = connection.createStatement()) {
        statement.executeUpdate(
            "INSERT INTO weir.anomalies (user_id, endpoint, score, action, reason, since, until,"
                + " updated_at) VALUES ('alice', '/api/posts', 9.5, 'BLOCK', 'of the test',"
                + " TIMESTAMP WITH TIME ZONE '2025-01-01 00:00:00+00',"
                + " TIMESTAMP WITH TIME ZONE '2099-01-01 00:00:00+00', CURRENT_TIMESTAMP)");
      }
      app.rules.refresh();
      long left = 99_999;
      Reply refused = app.post("/v1/ratelimit/check?status=true", ALICE);
      while (refused.status() == 200) { // until this node has read it
        left--;
        refused = app.post("/v1/ratelimit/check?status=true", ALICE);
      }
      assertEquals(429, refused.status());
      assertFalse(refused.body().get("allowed").asBoolean());
      assertTrue(Long.parseLong(refused.header("Retry-After")) > 0);
      Reply gateway =
          app.send(
              app.request("/v1/ratelimit/forward", "gateway/weir-check")
                  .header("X-Forwarded-Method", "GET")
                  .header("X-Forwarded-Uri", "/api/posts")
                  .header("X-User", "alice"));
      assertEquals(429, gateway.status());
      assertTrue(
          gateway.body().get("type").asText().endsWith("#abnormal-usage-detected"),
          () -> gateway.body().toString());
      assertTrue(app.check(ALICE.replace("alice", "bob")).body().get("allowed").asBoolean());
      assertTrue(app.rules.anomalies().end("alice", "/api/posts", "test"));
      app.rules.refresh();
      Reply again = app.check(ALICE);
      while (!again.body().get("allowed").asBoolean()) {
        again = app.check(ALICE);
      }
      assertEquals(
          left - 1, again.body().get("remaining").asLong(), "what was blocked wasn't charged");
    }
  }

  @Test
  default void aDeniedCallerIsToldSoAndNothingElse() {
    try (ControlApp app = app(Map.of("weir.access.deny", "user:mallory, 192.0.2.0/24"))) {
      app.rule("free", "*", 5);
      String mallory = ALICE.replace("alice", "mallory");
      String denied =
          "{\"allowed\":false,\"matched\":true,\"limit\":0,\"remaining\":0,\"resetTime\":0,"
              + "\"retryAfter\":null,\"neverAdmitted\":false,\"denied\":true,\"banned\":false,\"degraded\":false,"
              + "\"policies\":[{\"name\":\"access-list\",\"allowed\":false,\"limit\":0,"
              + "\"remaining\":0,\"resetTime\":0,\"wouldRefuse\":false}]}";
      String there = ALICE.replace("}", ", \"ip\": \"192.0.2.7\"}");
      for (String each : List.of(mallory, there)) {
        assertEquals(denied, app.check(each).body().toString());
        Reply refused = app.post("/v1/ratelimit/check?status=true", each);
        assertEquals(403, refused.status());
        assertEquals(List.of(), refused.response().headers().allValues("Retry-After"));
      }
      String both = "[" + ALICE + "," + mallory + "]";
      JsonNode each = app.check(both).body();
      assertEquals(4, each.at("/0/remaining").asLong(), each::toString);
      assertEquals(denied, each.get(1).toString());
      Reply together = app.post("/v1/ratelimit/check?atomic=true&status=true", both);
      assertEquals(403, together.status());
      assertTrue(together.body().at("/1/denied").asBoolean(), together.body()::toString);
      assertEquals(3, app.check(ALICE).body().get("remaining").asLong(), "the list took nothing");
    }
  }

  @Test
  default void timesAreRoundedUp() {
    app().rule("free", "*", 1);
    app().ticker.advance(Duration.ofMillis(1));
    app().check(ALICE);
    app().ticker.advance(Duration.ofMillis(1));
    JsonNode refused = app().check(ALICE).body();
    assertEquals(60, refused.get("retryAfter").asLong());
    assertEquals(1_767_225_660, refused.get("resetTime").asLong());
  }

  @Test
  default void theCostReplacesEveryOther() {
    app().rule("free", "*", 10);
    JsonNode answer =
        app().check("{\"userId\": \"alice\", \"endpoint\": \"/a\", \"cost\": 7}").body();
    assertEquals(3, answer.get("remaining").asLong());
  }

  @Test
  default void theSpellingOfAnEndpointMakesNoDifference() {
    app().rule("free", "/api/posts", 100);
    String[] spellings = {
      "/api/posts",
      "/api//posts/",
      "/api/posts?page=2",
      "/api/p%6Fsts",
      "/api;v=1/posts;jsessionid=7",
      "/api%2Fposts",
      "/api\\\\posts",
      "/%61pi/posts"
    };
    for (int i = 0; i < spellings.length; i++) {
      JsonNode answer =
          app().check("{\"userId\": \"alice\", \"endpoint\": \"" + spellings[i] + "\"}").body();
      assertEquals(99 - i, answer.get("remaining").asLong(), spellings[i]);
    }
  }

  @Test
  default void allReadingsOfAnEndpointMustAdmitAndABucketIsAskedOnce() {
    app().rule("free", "/items/{id}", 3);
    app().rule("free", "/items", 2);
    app().save(Rule.builder("*", "*").name("all").limit(100).countBy(List.of("USER")));
    String odd = "{\"userId\": \"alice\", \"endpoint\": \"/items/;8\"}";
    JsonNode explained = app().post("/v1/ratelimit/explain", odd).body();
    assertEquals(3, holding(explained), explained::toString);
    JsonNode first = app().check(odd).body();
    assertEquals(3, first.get("policies").size(), first::toString);
    assertEquals(99, policy(first, "all").get("remaining").asLong());
    assertTrue(app().check(odd).body().get("allowed").asBoolean());
    assertFalse(app().check(odd).body().get("allowed").asBoolean(), "/items is used up");
    String plain = odd.replace(";8", "8");
    assertTrue(app().check(plain).body().get("allowed").asBoolean());
    assertFalse(app().check(plain).body().get("allowed").asBoolean());
  }

  private static long holding(JsonNode explanation) {
    long holding = 0;
    for (JsonNode each : explanation.get("policies")) {
      holding += each.get("holds").asBoolean() ? 1 : 0;
    }
    return holding;
  }

  @Test
  default void anEndpointThatServersMustNotGetIsRefused() {
    app().rule("free", "/item/{id}", 3);
    String[] refused = {
      "/item/8%2F..%2F..%2Fx", "/x/../item/8", "/item/%2e", "/item/8%5C..", "/item/%FF", "/item#8"
    };
    for (String each : refused) {
      Reply answer = app().check("{\"userId\": \"alice\", \"endpoint\": \"" + each + "\"}");
      assertEquals(400, answer.status(), each);
      assertEquals("endpoint", answer.body().get("field").asText(), each);
    }
  }

  @Test
  default void aPathIsDecodedOnce() {
    app().rule("free", "/api/posts", 100);
    JsonNode answer =
        app().check("{\"userId\": \"alice\", \"endpoint\": \"/api/p%256Fsts\"}").body();
    assertEquals(0, answer.get("policies").size());
  }

  @Test
  default void aKeyIsReadWhereTheCallersAre() {
    app().save(Rule.builder("*", "*").limit(5).countBy(List.of("header:X-Api-Key")));
    String keyed = "{\"apiKey\": \"k1\", \"endpoint\": \"/a\"}";
    assertEquals(4, app().check(keyed).body().get("remaining").asLong());
    assertEquals(3, app().check(keyed).body().get("remaining").asLong());
    String other = "{\"apiKey\": \"k2\", \"endpoint\": \"/a\"}";
    assertEquals(4, app().check(other).body().get("remaining").asLong());
  }

  @Test
  default void attributesAreWhatExpressionsRead() {
    app().save(Rule.builder("*", "*").limit(5).countBy(List.of("header:X-Tenant")));
    String acme =
        "{\"ip\": \"192.0.2.1\", \"endpoint\": \"/a\", \"attributes\": {\"header:x-tenant\":"
            + " \"acme\"}}";
    assertEquals(4, app().check(acme).body().get("remaining").asLong());
    assertEquals(
        3, app().check(acme.replace("192.0.2.1", "2001:db8::1")).body().get("remaining").asLong());
    assertEquals(4, app().check(acme.replace("acme", "other")).body().get("remaining").asLong());
  }

  @Test
  default void aTierCountsWhereNobodyKnowsAnother() {
    app().rule("gold", "*", 9);
    app().rule("silver", "*", 5);
    app().user("alice", "silver");
    String gold = "{\"userId\": \"%s\", \"tier\": \"gold\", \"endpoint\": \"/a\"}";
    assertEquals(9, app().check(gold.replace("%s", "bob")).body().get("limit").asLong());
    assertEquals(5, app().check(gold.replace("%s", "alice")).body().get("limit").asLong());
  }

  @Test
  default void whatCostsMoreThanTheLimitIsNeverAdmitted() {
    app().rule("free", "*", 10);
    String much = ALICE.replace("}", ", \"cost\": 11}");
    for (int i = 0; i < 2; i++) {
      JsonNode answer = app().check(much).body();
      assertFalse(answer.get("allowed").asBoolean());
      assertTrue(answer.get("neverAdmitted").asBoolean());
      assertTrue(answer.get("retryAfter").isNull(), answer::toString);
      assertEquals(10, answer.get("remaining").asLong());
    }
    assertEquals(
        app().check(much).body(),
        app().post("/v1/ratelimit/explain", much).body().get("decision"),
        "the explanation says the same");
    String lists = "/v1/ratelimit/check?atomic=true&status=true";
    for (Reply refused :
        List.of(
            app().post("/v1/ratelimit/check?status=true", much),
            app().post(lists, "[" + ALICE + "," + much + "]"))) {
      assertEquals(429, refused.status());
      assertEquals(List.of(), refused.response().headers().allValues("Retry-After"));
    }
  }

  @Test
  default void aListIsDecidedOneByOne() {
    app().rule("free", "*", 2);
    Reply reply = app().check("[" + ALICE + "," + ALICE + "," + ALICE + "]");
    assertEquals(200, reply.status());
    assertEquals(List.of(true, true, false), allowed(reply.body()));
  }

  @Test
  default void anAtomicListIsDecidedAsAWhole() {
    app().rule("free", "*", 2);
    String three = "[" + ALICE + "," + ALICE + "," + ALICE + "]";
    Reply refused = app().post("/v1/ratelimit/check?atomic=true&status=true", three);
    assertEquals(429, refused.status());
    String two = "[" + ALICE + "," + ALICE + "]";
    Reply admitted = app().post("/v1/ratelimit/check?atomic=true&status=true", two);
    assertEquals(200, admitted.status());
    assertEquals(List.of(true, true), allowed(admitted.body()));
  }

  private static List<Boolean> allowed(JsonNode answers) {
    List<Boolean> allowed = new ArrayList<>();
    answers.forEach(each -> allowed.add(each.get("allowed").asBoolean()));
    return allowed;
  }

  @Test
  default void anExplanationCountsNothingAndSaysWhatACheckThenDoes() {
    app().rule("free", "/api/posts", 3);
    app().rule("free", "/api/*", 50);
    app().rule("*", "*", 100);
    for (int left = 3; left >= 0; left--) {
      JsonNode before = app().post("/v1/ratelimit/explain", ALICE).body();
      JsonNode again = app().post("/v1/ratelimit/explain", ALICE).body();
      assertEquals(before, again);
      assertEquals(left, policy(before, "api.posts-60s").get("remaining").asLong());
      JsonNode then = app().check(ALICE).body();
      assertEquals(then.get("allowed"), before.get("decision").get("allowed"), before::toString);
      assertEquals(then.get("retryAfter"), before.get("decision").get("retryAfter"));
    }
  }

  @Test
  default void anExplanationTellsWhatDoesNotHoldAndWhy() {
    app().rule("free", "/api/posts", 3);
    app().rule("free", "/api/*", 50);
    JsonNode told = app().post("/v1/ratelimit/explain", ALICE).body();
    assertEquals("user alice", told.get("caller").asText());
    assertEquals("free (default)", told.get("tier").asText());
    JsonNode other = policy(told, "api.all-60s-5b90d68b");
    assertFalse(other.get("holds").asBoolean());
    assertTrue(other.get("reason").asText().contains("more specific"), other::toString);
    assertTrue(other.get("remaining").isNull());
  }

  private static JsonNode policy(JsonNode explanation, String name) {
    for (JsonNode each : explanation.get("policies")) {
      if (each.get("name").asText().equals(name)) {
        return each;
      }
    }
    throw new AssertionError(name + " isn't in " + explanation);
  }

  @Test
  default void aUsersStatusListsItsRulesAndTakesNothing() {
    app().rule("gold", "/api/*", 50);
    app().rule("gold", "/api/posts/{id}", 20);
    app().rule("*", "*", 100);
    app().save(Rule.builder("gold", "/pay").limit(3).methods(Set.of("POST")));
    app().save(Rule.builder("*", "/by-address").limit(3).countBy(List.of("IP")));
    app().rule("silver", "/silver", 1);
    app().user("alice", "gold", new OwnLimit("/pay", 8, Optional.empty()));
    app().check("{\"userId\": \"alice\", \"endpoint\": \"/api/posts/7\", \"cost\": 5}");
    JsonNode status = app().get("/v1/ratelimit/status/alice", "gateway/weir-check").body();
    assertEquals("gold", status.get("tier").asText());
    List<String> told = new ArrayList<>();
    for (JsonNode each : status.get("rules")) {
      told.add(
          each.get("endpoint").asText() + " " + each.get("remaining") + "/" + each.get("limit"));
    }
    assertEquals(List.of("* 95/100", "/api/* 50/50", "/api/posts/{id} 15/20", "/pay 8/8"), told);
    assertEquals(status, app().get("/v1/ratelimit/status/alice", "alice").body());
  }

  @Test
  default void aQuotaIsOneOfTheLimits() {
    app().save(Rule.builder("free", "*").limit(1_000).window(RuleWindow.ofQuota()));
    JsonNode answer = app().check(ALICE).body();
    assertEquals(999, answer.get("remaining").asLong(), answer::toString);
  }

  @Test
  default void whatAPolicyCannotCountKeepsNoOtherFromItsAnswer() {
    Map<String, String> paid =
        Map.of(
            "weir.policy.paid.url", "/paid/*",
            "weir.policy.paid.limit", "100",
            "weir.policy.paid.window", "60s",
            "weir.policy.paid.by", "user",
            "weir.policy.paid.cost-from", "query:amount");
    try (ControlApp app = app(paid)) {
      String good =
          "{\"userId\":\"al\",\"endpoint\":\"/paid/x\",\"attributes\":{\"query:amount\":\"7\"}}";
      String bad = good.replace("\"7\"", "\"seven\"");
      JsonNode answers = app.check("[" + good + "," + bad + "," + good + "]").body();
      assertEquals(93, answers.at("/0/remaining").asLong(), answers::toString);
      assertEquals(400, answers.at("/1/status").asLong(), answers::toString);
      assertEquals(86, answers.at("/2/remaining").asLong(), answers::toString);
      String list = "[" + good + "," + bad + "]";
      assertEquals(400, app.post("/v1/ratelimit/check?atomic=true", list).status());
      assertEquals(79, app.check(good).body().get("remaining").asLong());
    }
  }
}

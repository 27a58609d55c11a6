package io.weir.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.compat.postgres.PostgresServer;
import io.weir.compat.redis.Await;
import io.weir.compat.redis.RedisServer;
import io.weir.rules.access.AccessTokens;
import io.weir.rules.access.NewAccessToken;
import io.weir.seeds.OneDayIn;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests two servers with one PostgreSQL for rules and one Redis for counts over HTTP. */
@OneDayIn(2)
class TwoServersTest {
  private static final String ADMIN = "/v1/admin/ratelimit";

  private static RedisServer redis;
  private static String database;
  private static RunningServer first;
  private static RunningServer second;
  private static String admin;

  @BeforeAll
  static void start() {
    redis = RedisServer.start();
    database = PostgresServer.shared().newDatabase();
    first = server("first");
    second = server("second");
    admin = first.admin();
  }

  private static RunningServer server(String name) {
    Map<String, String> settings = new HashMap<>();
    settings.put("weir.store", redis.url());
    settings.put("weir.store.timeout", "10s");
    settings.put("weir.secret", "of the tests");
    settings.put("weir.rules", database);
    settings.put("weir.rules.timeout", "10s");
    settings.put("weir.usage.interval", "100ms");
    settings.put("weir.anomaly.action", "block");
    settings.put("weir.server.node", name);
    return new RunningServer(settings).awaitRules();
  }

  @AfterAll
  static void stop() {
    second.close();
    first.close();
    redis.close();
  }

  private static HttpResponse<String> post(
      RunningServer server, String path, String token, String body) {
    return server.send(
        "POST", path, body, "Authorization", "Bearer " + token, "Content-Type", "application/json");
  }

  /** Makes a rule through the first server, and waits until it holds on both. */
  private static void rule(String name, String pattern, long limit) {
    HttpResponse<String> made =
        post(
            first,
            ADMIN + "/rules",
            admin,
            """
            {"name": "NAME", "tier": "free", "endpointPattern": "PATTERN", "limitCount": LIMIT,
             "windowSeconds": 3600}
            """
                .replace("NAME", name)
                .replace("PATTERN", pattern)
                .replace("LIMIT", String.valueOf(limit)));
    assertEquals(201, made.statusCode(), made.body());
    for (RunningServer each : List.of(first, second)) {
      Await.until(
          "the rule " + name + " holds", () -> limit == check(each, "nobody", pattern).limit());
    }
  }

  /** The response to a check. */
  private record Told(boolean allowed, long limit, long remaining, int status) {}

  private static Told check(RunningServer server, String user, String endpoint) {
    HttpResponse<String> response =
        post(
            server,
            "/v1/ratelimit/check?status=true",
            admin,
            "{\"userId\":\"" + user + "\",\"endpoint\":\"" + endpoint + "\"}");
    JsonNode told = RunningServer.json(response);
    return new Told(
        told.path("allowed").asBoolean(),
        told.path("limit").asLong(),
        told.path("remaining").asLong(),
        response.statusCode());
  }

  private static JsonNode list(RunningServer server, String path) {
    HttpResponse<String> response = server.get(ADMIN + path, admin);
    assertEquals(200, response.statusCode(), response.body());
    JsonNode body = RunningServer.json(response);
    return body.has("items") ? body.get("items") : body;
  }

  private static Set<String> texts(JsonNode list, String field) {
    Set<String> texts = new TreeSet<>();
    list.forEach(each -> texts.add(each.path(field).asText()));
    return texts;
  }

  @Test
  void aRuleOfOneHoldsOnTheOtherAndIsOneLimitThroughBoth() {
    rule("shared", "/api/shared", 10);
    int[] admitted = {0};
    Await.until(
        "what one had leased comes back to the other",
        () -> {
          for (RunningServer each : List.of(first, second)) {
            admitted[0] += check(each, "alice", "/api/shared").allowed() ? 1 : 0;
          }
          return admitted[0] >= 10;
        });
    for (int i = 0; i < 5; i++) {
      for (RunningServer each : List.of(first, second)) {
        Told told = check(each, "alice", "/api/shared");
        assertFalse(told.allowed());
        assertEquals(429, told.status());
      }
    }
    assertEquals(10, admitted[0]);
  }

  @Test
  void aTokenThatIsRevokedOnOneEndsOnTheOtherAndItsSessionsWithIt() {
    AccessTokens tokens = first.service().rules().tokens();
    NewAccessToken made =
        tokens.create("page", "weir-admin", Optional.empty(), Optional.empty(), "test");
    Await.until(
        "the token is known to the other",
        () -> second.get("/v1/session", made.secret()).statusCode() == 200);
    HttpResponse<String> session =
        second.send("POST", "/v1/session", "", "Authorization", "Bearer " + made.secret());
    String cookie = session.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
    Await.until("the session is known to the first", () -> status(first, cookie) == 200);

    assertTrue(tokens.revoke(made.token().id(), "test"));

    assertEquals(401, first.get("/v1/session", made.secret()).statusCode());
    Await.until(
        "the token ends on the other",
        () -> second.get("/v1/session", made.secret()).statusCode() == 401);
    for (RunningServer each : List.of(first, second)) {
      Await.until("its sessions end", () -> status(each, cookie) == 401);
    }
  }

  private static int status(RunningServer server, String cookie) {
    return server.send("GET", "/v1/session", "", "Cookie", cookie).statusCode();
  }

  @Test
  void eachTellsBothNodesAndWhatTheyHaveDone() {
    rule("busy", "/api/busy", 1_000);
    for (int i = 0; i < 20; i++) {
      check(first, "node" + i, "/api/busy");
      check(second, "node" + i, "/api/busy");
    }
    for (RunningServer each : List.of(first, second)) {
      Await.until(
          "both nodes tell that they have admitted something",
          () -> {
            JsonNode nodes = list(each, "/nodes");
            List<Long> admitted = new ArrayList<>();
            nodes.forEach(node -> admitted.add(node.get("admitted").asLong()));
            return texts(nodes, "node").equals(Set.of("first", "second"))
                && admitted.stream().allMatch(count -> count >= 20);
          });
      for (JsonNode node : list(each, "/nodes")) {
        assertEquals("closed", node.get("breaker").asText());
        assertEquals(0, node.get("degraded").asLong());
      }
    }
  }

  /** Each answer is made by one server, and has what the other one does. */
  @Test
  void bothSumUpWhatBothDecideAndNeverDifferForLong() throws Exception {
    rule("rated", "/api/rated", 1_000_000);
    AtomicBoolean isOver = new AtomicBoolean();
    Thread load =
        new Thread(
            () -> {
              while (!isOver.get()) {
                check(first, "rate", "/api/rated");
                check(second, "rate", "/api/rated");
              }
            });
    load.start();
    try {
      for (RunningServer each : List.of(first, second)) {
        Await.until(
            "it sums up both",
            () -> {
              JsonNode now = RunningServer.json(each.get(ADMIN + "/outcomes", admin));
              return now.path("nodes").asInt() == 2
                  && now.path("complete").asBoolean()
                  && rate(now, "rated") > 0
                  && now.path("totals").path("admitted").asDouble() >= rate(now, "rated");
            });
      }
    } finally {
      isOver.set(true);
      load.join();
    }
    for (RunningServer each : List.of(first, second)) {
      Await.until(
          "nothing is decided any more",
          () -> rate(RunningServer.json(each.get(ADMIN + "/outcomes", admin)), "rated") == 0);
    }
    Await.until(
        "the hours of both are one",
        () -> {
          long here = 0;
          for (JsonNode each : list(first, "/outcomes/hours?policy=rated")) {
            here += each.get("admitted").asLong();
          }
          long there = 0;
          for (JsonNode each : list(second, "/outcomes/hours?policy=rated")) {
            there += each.get("admitted").asLong();
          }
          return here > 0 && here == there;
        });
  }

  private static double rate(JsonNode now, String policy) {
    for (JsonNode each : now.path("policies")) {
      if (each.path("policy").asText().equals(policy)) {
        return each.path("admitted").asDouble();
      }
    }
    return 0;
  }

  @Test
  void whatOneRefusesIsAmongTheViolationsAndTheUsageOfTheOther() {
    rule("few", "/api/few", 2);
    int refused = 0;
    for (int i = 0; i < 5; i++) {
      refused += check(first, "greedy", "/api/few").allowed() ? 0 : 1;
    }
    assertEquals(3, refused);
    Await.until(
        "its violations are told by the other",
        () -> {
          long sum = 0;
          for (JsonNode each : list(second, "/violations?userId=greedy")) {
            assertEquals("/api/few", each.get("endpoint").asText());
            assertEquals("few", each.get("policy").asText());
            sum += each.get("count").asLong();
          }
          return sum == 3;
        });
    Await.until(
        "its usage is told by the other",
        () -> {
          for (JsonNode each : list(second, "/usage")) {
            if (each.get("userId").asText().equals("greedy")) {
              return each.get("requests").asLong() == 5 && each.get("refused").asLong() == 3;
            }
          }
          return false;
        });
    JsonNode hours = list(second, "/usage/greedy");
    assertEquals(Set.of("/api/few"), texts(hours, "endpoint"));
  }

  @Test
  void aChangeOfOneIsInTheHistoryOfTheOther() {
    rule("told", "/api/told", 7);
    Await.until(
        "the change is told",
        () -> {
          for (JsonNode each : list(second, "/changes?table=rate_limit_rules")) {
            if (each.at("/after/name").asText().equals("told")) {
              return each.get("before").isNull() && !each.get("by").asText().isEmpty();
            }
          }
          return false;
        });
  }

  @Test
  void anUpgradeThatOneIsAskedForIsApprovedByTheOther() {
    rule("upgraded", "/api/upgraded", 5);
    HttpResponse<String> better =
        post(
            first,
            ADMIN + "/rules",
            admin,
            """
            {"name": "upgraded", "tier": "premium", "endpointPattern": "/api/upgraded",
             "limitCount": 50, "windowSeconds": 3600}
            """);
    assertEquals(201, better.statusCode(), better.body());
    Await.until(
        "the tier is known to the other",
        () -> texts(list(second, "/rules"), "tier").contains("premium"));
    second.service().rules().refresh();
    String user =
        first
            .service()
            .rules()
            .tokens()
            .create("bob", "user", Optional.of("bob"), Optional.empty(), "test")
            .secret();
    HttpResponse<String> asked =
        post(
            first,
            "/v1/dashboard/tier/upgrade",
            user,
            "{\"requestedTier\": \"premium\", \"reason\": \"we grow\"}");
    assertEquals("PENDING", RunningServer.json(asked).path("status").asText(), asked.body());
    JsonNode pending = list(second, "/upgrades?status=PENDING");
    assertEquals(Set.of("bob"), texts(pending, "userId"));
    String id = pending.get(0).get("id").asText();
    HttpResponse<String> approved =
        post(second, ADMIN + "/upgrades/" + id + "/approve", admin, "{\"answer\": \"welcome\"}");
    assertEquals(200, approved.statusCode(), approved.body());
    for (RunningServer each : List.of(first, second)) {
      Await.until(
          "the better limit holds", () -> check(each, "bob", "/api/upgraded").limit() == 50);
    }
  }

  @Test
  void whoseUsageIsAbnormalIsBlockedByBothUntilAPersonSaysOtherwise() throws Exception {
    rule("normal", "/api/normal", 1_000);
    assertTrue(check(first, "eve", "/api/normal").allowed());
    try (Connection connection = DriverManager.getConnection(database);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          "INSERT INTO weir.anomalies (user_id, endpoint, score, action, reason, since, until,"
              + " updated_at) VALUES ('eve', '/api/normal', 9.5, 'BLOCK', 'of the test',"
              + " now() - interval '1 second', now() + interval '10 minutes', now())");
    }
    for (RunningServer each : List.of(first, second)) {
      Await.until("eve is blocked", () -> check(each, "eve", "/api/normal").status() == 429);
      assertTrue(check(each, "mallory", "/api/normal").allowed());
      JsonNode anomaly = list(each, "/anomalies?userId=eve").get(0);
      assertEquals("BLOCK", anomaly.get("action").asText());
      assertEquals(9.5, anomaly.get("score").asDouble());
      assertEquals(Set.of("eve"), texts(list(each, "/anomalies?current=true"), "userId"));
    }
    HttpResponse<String> ended =
        post(
            second,
            ADMIN + "/anomalies/end",
            admin,
            "{\"userId\": \"eve\", \"endpoint\": \"/api/normal\"}");
    assertEquals(204, ended.statusCode(), ended.body());
    for (RunningServer each : List.of(first, second)) {
      Await.until("eve may go on", () -> check(each, "eve", "/api/normal").allowed());
    }
  }
}

package io.weir.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.compat.redis.Await;
import io.weir.compat.redis.RedisServer;
import io.weir.seeds.OneDayIn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two regions with a Redis each, of which one is asked what both have counted of a caller. In every
 * build {@code RegionPeeksTest} asks stores without servers.
 */
@OneDayIn(3)
class RegionsAskedTest {
  private static final String ADMIN = "/v1/admin/ratelimit";
  private static final String EXPLAIN = "/v1/ratelimit/explain";
  private static final String SHARES = "eu@50,us@50";

  private final String rules = RunningServer.memory();
  private RedisServer euStore;
  private RedisServer usStore;
  private RunningServer eu;
  private String admin;

  @BeforeEach
  void startStores() {
    euStore = RedisServer.start();
    usStore = RedisServer.start();
  }

  @AfterEach
  void stop() {
    eu.close();
    usStore.close();
    euStore.close();
  }

  private RunningServer server(String region, Map<String, String> more) {
    boolean isEu = region.equals("eu");
    Map<String, String> settings = new HashMap<>();
    settings.put("weir.rules", rules);
    settings.put("weir.rules.timeout", "10s");
    settings.put("weir.store", (isEu ? euStore : usStore).url());
    settings.put("weir.store.timeout", "10s");
    settings.put("weir.secret", "of all regions");
    settings.put("weir.region", region);
    settings.put("weir.region." + (isEu ? "us" : "eu") + ".store", other(isEu));
    settings.put("weir.region." + (isEu ? "us" : "eu") + ".store.timeout", "10s");
    settings.put("weir.regions.interval", "100ms");
    settings.put("weir.write-back.leases-for-slow-callers", "false");
    settings.putAll(more);
    settings.values().removeIf(String::isEmpty);
    return new RunningServer(settings).awaitRules();
  }

  private String other(boolean isEu) {
    return (isEu ? usStore : euStore).url();
  }

  private void startEu(Map<String, String> more) {
    eu = server("eu", more);
    admin = eu.admin();
    rule("/api/posts", "GLOBAL");
    rule("/api/own", "REGION");
  }

  private JsonNode post(RunningServer server, String path, String body) {
    return RunningServer.json(
        server.send(
            "POST",
            path,
            body,
            "Authorization",
            "Bearer " + admin,
            "Content-Type",
            "application/json"));
  }

  /** Makes a rule of 8 permits an hour. */
  private void rule(String pattern, String scope) {
    JsonNode made =
        post(
            eu,
            ADMIN + "/rules",
            """
            {"name": "NAME", "tier": "free", "endpointPattern": "PATTERN", "limitCount": 8,
             "windowSeconds": 3600, "scope": "SCOPE"}
            """
                .replace("NAME", pattern.replaceAll("\\W", ""))
                .replace("PATTERN", pattern)
                .replace("SCOPE", scope));
    assertEquals(pattern, made.path("endpointPattern").asText(), made::toString);
    awaitRule(eu, pattern);
  }

  private void awaitRule(RunningServer server, String pattern) {
    Await.until(
        "the rule for " + pattern + " holds",
        () -> post(server, EXPLAIN, asks(pattern)).at("/decision/limit").asLong() > 0);
  }

  private static String asks(String pattern) {
    return "{\"userId\": \"alice\", \"endpoint\": \"" + pattern + "\"}";
  }

  private void use(RunningServer server, String pattern, int requests) {
    awaitRule(server, pattern);
    for (int i = 0; i < requests; i++) {
      JsonNode answer = post(server, "/v1/ratelimit/check", asks(pattern));
      assertTrue(answer.path("allowed").asBoolean(), answer::toString);
    }
  }

  private JsonNode explained(String pattern) {
    JsonNode answer = post(eu, EXPLAIN, asks(pattern));
    JsonNode regions = answer.at("/policies/0/regions");
    assertTrue(regions.isObject(), answer::toString);
    return regions;
  }

  /** Returns what a caller's page shows of a limit, which is the same. */
  private JsonNode listed(String pattern) {
    for (JsonNode each : RunningServer.json(get(ADMIN + "/callers?userId=alice")).get("buckets")) {
      if (each.path("endpoint").asText().equals(pattern)) {
        return each.get("regions");
      }
    }
    throw new AssertionError("no bucket of " + pattern);
  }

  private java.net.http.HttpResponse<String> get(String path) {
    return eu.get(path, admin);
  }

  private static List<String> said(JsonNode regions) {
    List<String> all = new ArrayList<>();
    for (JsonNode each : regions.get("regions")) {
      assertEquals(each.path("name").asText().equals("eu"), each.path("isOwn").asBoolean());
      assertEquals(each.get("used").isNull(), each.get("resetTime").isNull(), each::toString);
      all.add(
          each.get("unanswered").isNull()
              ? each.path("name").asText()
                  + " "
                  + each.get("used")
                  + " used, "
                  + each.get("remaining")
                  + " of "
                  + each.get("limit")
              : each.path("name").asText() + ": " + each.path("unanswered").asText());
    }
    return all;
  }

  @Test
  void underEventualEachCountsWhatTheOtherHasReported() {
    startEu(Map.of());
    try (RunningServer us = server("us", Map.of())) {
      use(eu, "/api/posts", 2);
      use(us, "/api/posts", 1);
      use(us, "/api/own", 3);
      List<String> both = List.of("eu 3 used, 5 of 8", "us 3 used, 5 of 8");
      Await.until("both have reported", () -> said(explained("/api/posts")).equals(both));
      assertEquals("EVENTUAL", explained("/api/posts").path("counting").asText());
      assertTrue(explained("/api/posts").get("sum").isNull());
      assertEquals(both, said(listed("/api/posts")));
      assertEquals(List.of("eu 0 used, 8 of 8", "us 3 used, 5 of 8"), said(explained("/api/own")));
      assertEquals("REGION", listed("/api/own").path("counting").asText());
    }
  }

  @Test
  void underSharesEachCountsItsPartAndALookLeavesNothingBehind() {
    Map<String, String> shares =
        Map.of("weir.regions.mode", "shares", "weir.regions.shares", SHARES);
    Map<String, String> looking = new HashMap<>(shares);
    looking.put("weir.region.us.store", loginThatMayOnlyRead());
    startEu(looking);
    use(eu, "/api/posts", 1);
    try (RunningServer us = server("us", shares)) {
      use(us, "/api/posts", 3);
      awaitMark("us");
    }
    String before = changes();
    JsonNode regions = explained("/api/posts");
    assertEquals(List.of("eu 1 used, 3 of 4", "us 3 used, 1 of 4"), said(regions));
    assertEquals("SHARES", regions.path("counting").asText());
    assertEquals("{\"limit\":8,\"used\":4,\"remaining\":4}", regions.get("sum").toString());
    assertEquals(regions, listed("/api/posts"));
    assertEquals(List.of("eu 0 used, 8 of 8", "us 0 used, 8 of 8"), said(explained("/api/own")));
    assertEquals(before, changes(), "what was written there");
  }

  /** Returns the address of the other Redis for a login with the rights of docs/regions.md. */
  private String loginThatMayOnlyRead() {
    String rights = "reset on >pw ~weir:* -@all +eval +evalsha +time +get +mget +ping";
    List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", "joe"));
    command.addAll(List.of(rights.split(" ")));
    assertEquals("OK", usStore.ask(command.toArray(String[]::new)));
    return "redis://joe:pw@127.0.0.1:" + usStore.port();
  }

  private void awaitMark(String region) {
    Await.until(
        "the store of us is marked",
        () -> usStore.ask("GET", "weir:mark").startsWith("region " + region));
  }

  @Test
  void underSharesAnotherSecretIsNamedAndARegionThatHasNotStartedToo() {
    Map<String, String> shares =
        Map.of("weir.regions.mode", "shares", "weir.regions.shares", SHARES);
    startEu(shares);
    use(eu, "/api/posts", 1);
    assertEquals(
        List.of(
            "eu 1 used, 3 of 4",
            "us: its store has no mark, so none of its nodes has started yet with this prefix and"
                + " schema"),
        said(explained("/api/posts")));
    Map<String, String> another = new HashMap<>(shares);
    another.put("weir.secret", "of us alone");
    try (RunningServer us = server("us", another)) {
      use(us, "/api/posts", 3);
      awaitMark("us");
    }
    String why = said(explained("/api/posts")).get(1);
    assertTrue(why.startsWith("us: its store is that of 'region us, secret "), why);
    assertTrue(explained("/api/posts").get("sum").isNull());
  }

  /** Returns how often data of the other region's Redis was changed, and what lasts there. */
  private String changes() {
    return usStore
            .ask("INFO", "persistence")
            .lines()
            .filter(each -> each.startsWith("rdb_changes_since_last_save"))
            .findFirst()
            .orElseThrow()
        + usStore
            .ask("KEYS", "*")
            .lines()
            .filter(each -> !each.endsWith(":weir.warm-up"))
            .sorted()
            .toList();
  }

  @Test
  void aRegionThatDoesNotAnswerIsListedWithTheReason() {
    startEu(
        Map.of(
            "weir.regions.mode",
            "shares",
            "weir.regions.shares",
            SHARES,
            "weir.region.us.store.timeout",
            "100ms"));
    use(eu, "/api/posts", 1);
    Await.until( // its connection may take longer than that
        "it is reached",
        () -> said(explained("/api/posts")).get(1).startsWith("us: its store has no mark"));
    usStore.pause();
    assertEquals(
        List.of("eu 1 used, 3 of 4", "us: no answer within 100 ms"), said(explained("/api/posts")));
    assertTrue(explained("/api/posts").get("sum").isNull());
    usStore.resume();
    usStore.kill9();
    String why = said(listed("/api/posts")).get(1);
    assertTrue(why.startsWith("us: ") && why.length() > 10, why);
  }

  @Test
  void withoutAnAddressARegionWithAShareIsListedAndWithoutRegionsNothingIs() {
    startEu(
        Map.of(
            "weir.regions.mode",
            "shares",
            "weir.regions.shares",
            SHARES,
            "weir.region.us.store",
            "",
            "weir.region.us.store.timeout",
            ""));
    assertEquals(
        List.of("eu 0 used, 4 of 4", "us: weir.region.us.store isn't set here"),
        said(explained("/api/posts")));
    eu.close();
    eu =
        new RunningServer(
                Map.of("weir.rules", rules, "weir.store", euStore.url(), "weir.secret", "one"))
            .awaitRules();
    awaitRule(eu, "/api/posts");
    JsonNode explained = post(eu, EXPLAIN, asks("/api/posts"));
    assertFalse(explained.at("/policies/0").has("regions"), explained::toString);
    JsonNode bucket = RunningServer.json(get(ADMIN + "/callers?userId=alice")).at("/buckets/0");
    assertTrue(bucket.has("resettable") && !bucket.has("regions"), bucket::toString);
  }
}

package io.weir.control;

import static io.weir.control.AdminRequests.assertField;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.annotation.Algorithm;
import io.weir.control.ControlApp.Reply;
import io.weir.rules.Rule;
import io.weir.rules.RuleState;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What all nodes decide, and the nodes themselves. */
interface OutcomeTests extends AdminRequests {
  ObjectMapper JSON = new ObjectMapper();
  String VIEWER = "eyes/weir-view";
  long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);

  /** Asks again and again until the answer is as it should be. */
  private JsonNode until(String path, Predicate<JsonNode> expected) {
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      Reply reply = app().get(ADMIN + path, VIEWER);
      assertEquals(200, reply.status(), () -> reply.body().toString());
      if (expected.test(reply.body())) {
        return reply.body();
      }
      assertTrue(System.nanoTime() < until, () -> path + ": " + reply.body());
      pause();
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(50);
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }

  private void rules() {
    app().rule("free", "/api/posts", 3);
    app()
        .save(
            Rule.builder("free", "/api/posts")
                .name("tried")
                .limit(1)
                .algorithm(Algorithm.FIXED_WINDOW)
                .state(RuleState.SHADOW));
  }

  private void check(int number) {
    for (int i = 0; i < number; i++) {
      assertEquals(200, app().check(DecideTests.ALICE).status());
    }
  }

  private static Set<String> members(JsonNode object) {
    Set<String> names = new TreeSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Test
  default void whatIsDecidedNowIsToldByPolicyAndOutcomePerSecond() {
    rules();
    until("/outcomes", now -> now.path("nodes").asInt() == 1);
    JsonNode now =
        until(
            "/outcomes",
            each -> {
              check(1);
              return each.path("policies").size() == 2;
            });
    assertEquals(
        Set.of(
            "at",
            "complete",
            "nodes",
            "note",
            "oldestSeconds",
            "policies",
            "silentNodes",
            "totals"),
        members(now));
    assertTrue(now.path("complete").asBoolean());
    assertTrue(now.path("note").isNull());
    assertEquals(0, now.path("silentNodes").asInt());
    assertTrue(now.path("oldestSeconds").asDouble() < 15);
    Set<String> rates = Set.of("admitted", "degraded", "refused", "shadowRefused", "soft");
    assertEquals(rates, members(now.path("totals")));
    JsonNode hard = null;
    JsonNode tried = null;
    for (JsonNode each : now.path("policies")) {
      if (each.path("policy").asText().equals("tried")) {
        tried = each;
      } else {
        hard = each;
      }
    }
    Set<String> ofPolicy = new TreeSet<>(rates);
    ofPolicy.add("policy");
    assertEquals(ofPolicy, members(hard));
    assertTrue(hard.path("admitted").asDouble() > 0 || hard.path("refused").asDouble() > 0);
    assertEquals(0, hard.path("shadowRefused").asDouble());
    assertEquals(0, tried.path("refused").asDouble(), "a shadow refuses nothing");
    assertEquals(
        now.path("totals").path("admitted").asDouble(),
        hard.path("admitted").asDouble() + tried.path("admitted").asDouble(),
        0.01);
    until("/outcomes", each -> each.path("policies").isEmpty());
    JsonNode recent = look("/outcomes/recent").body();
    assertEquals(Set.of("points", "policies"), members(recent));
    assertTrue(recent.path("points").size() > 1, recent::toString);
    Set<String> ofPoint = new TreeSet<>(rates);
    ofPoint.add("at");
    assertEquals(ofPoint, members(recent.path("points").get(0)));
    assertEquals(2, recent.path("policies").size(), "kept though nobody listened");
    for (JsonNode each : recent.path("policies")) {
      assertEquals(ofPolicy, members(each));
      assertEquals(recent.path("points").size(), each.path("refused").size());
    }
  }

  @Test
  default void whatWasDecidedIsKeptByPolicyAndHour() {
    rules();
    check(5);
    JsonNode page =
        until(
            "/outcomes/hours?policy=tried", hours -> sum(hours.path("items"), "shadowRefused") > 0);
    JsonNode first = page.path("items").get(0);
    assertEquals(
        Set.of("admitted", "degraded", "policy", "refused", "shadowRefused", "soft", "startsAt"),
        members(first));
    assertTrue(first.path("startsAt").asText().endsWith(":00:00Z"));
    until(
        "/outcomes/hours",
        hours ->
            sum(hours.path("items"), "admitted") == 4 // three, and the first one of the shadow
                && sum(hours.path("items"), "refused") == 2
                && sum(hours.path("items"), "shadowRefused") == 4);
    Set<String> policies = new TreeSet<>();
    String cursor = "";
    do {
      JsonNode part = look("/outcomes/hours?limit=1" + cursor).body();
      part.path("items").forEach(each -> policies.add(each.path("policy").asText()));
      cursor = part.path("next").isNull() ? "" : "&cursor=" + part.path("next").asText();
    } while (!cursor.isEmpty());
    assertEquals(2, policies.size(), policies::toString);
    assertEquals(0, look("/outcomes/hours?policy=other").body().path("items").size());
    assertEquals(0, look("/outcomes/hours?policy=no%20policy").body().path("items").size());
    assertEquals(0, look("/outcomes/hours?to=2020-01-01T00:00:00Z").body().path("items").size());
    long admitted = 0;
    int items = 0;
    cursor = "";
    do {
      JsonNode part = look("/outcomes/hours?sum=true&limit=1" + cursor).body();
      for (JsonNode each : part.path("items")) {
        assertEquals("*", each.path("policy").asText());
        admitted += each.path("admitted").asLong();
        items++;
      }
      cursor = part.path("next").isNull() ? "" : "&cursor=" + part.path("next").asText();
    } while (!cursor.isEmpty());
    assertEquals(4, admitted);
    assertTrue(items == 1 || items == 2, "one an hour, not one a policy; the hour may change");
    assertField("sum", look("/outcomes/hours?sum=true&policy=tried"));
    assertField("sum", look("/outcomes/hours?sum=1"));
    assertField("from", look("/outcomes/hours?from=yesterday"));
    assertField("limit", look("/outcomes/hours?limit=0"));
    assertField("cursor", look("/outcomes/hours?cursor=x"));
  }

  private static long sum(JsonNode items, String field) {
    long sum = 0;
    for (JsonNode each : items) {
      sum += each.path(field).asLong();
    }
    return sum;
  }

  @Test
  default void aMountedApplicationIsANode() {
    app().rule("free", "/api/posts", 3);
    check(2);
    JsonNode node =
        until("/nodes", nodes -> nodes.size() == 1 && nodes.get(0).path("admitted").asLong() == 2)
            .get(0);
    assertEquals(
        Set.of(
            "admitted",
            "breaker",
            "clockOffsetMillis",
            "degraded",
            "dropped",
            "exchangesPerSecond",
            "mayWrite",
            "node",
            "note",
            "refused",
            "rulesVersion",
            "seenAt",
            "startedAt",
            "storeLatency",
            "version"),
        members(node));
    assertTrue(node.path("mayWrite").asBoolean());
    assertTrue(node.path("note").isNull());
    assertTrue(node.path("rulesVersion").asLong() > 0);
    assertTrue(
        node.path("clockOffsetMillis").asLong() < -86_400_000, "the ticker of this test is old");
  }

  private BufferedReader stream() throws IOException, InterruptedException {
    HttpResponse<InputStream> response =
        HttpClient.newHttpClient()
            .send(
                app().request(ADMIN + "/events?seconds=60", VIEWER).GET().build(),
                BodyHandlers.ofInputStream());
    assertEquals(200, response.statusCode());
    return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
  }

  /** The lines of the next event of a type. */
  private static List<String> next(BufferedReader events, String type) throws IOException {
    List<String> lines = new ArrayList<>();
    while (!lines.contains("event: " + type)) {
      lines.clear();
      String line = events.readLine();
      while (line != null && !line.isEmpty()) {
        lines.add(line);
        line = events.readLine();
      }
      assertTrue(line != null, "the stream has ended");
    }
    return lines;
  }

  private static JsonNode data(List<String> event) throws IOException {
    String line =
        event.stream().filter(each -> each.startsWith("data: ")).findFirst().orElseThrow();
    return JSON.readTree(line.substring("data: ".length())).path("data");
  }

  @Test
  default void readersOfEventsHearWhatIsDecided() throws Exception {
    app().rule("free", "/api/posts", 3);
    try (BufferedReader first = stream();
        BufferedReader second = stream()) {
      check(2);
      List<String> event = next(first, "outcomes");
      while (data(event).path("policies").isEmpty()) {
        event = next(first, "outcomes");
      }
      assertEquals(
          members(look("/outcomes").body()), members(data(event)), "the document of GET /outcomes");
      assertTrue(event.stream().noneMatch(each -> each.startsWith("id:")), event::toString);
      JsonNode same = data(next(second, "outcomes"));
      while (same.path("policies").isEmpty()) {
        same = data(next(second, "outcomes"));
      }
      assertEquals(data(event), same, "built once for all readers");
    }
  }

  @Test
  default void whatIsDecidedIsNoEventThatIsKept() throws Exception {
    app().rule("free", "/api/posts", 3);
    String before;
    try (BufferedReader events = stream()) {
      app().rule("free", "/api/a", 3);
      before = id(next(events, "rate_limit_rules"));
      assertFalse(next(events, "outcomes").isEmpty());
      app().rule("free", "/api/b", 3);
      String after = id(next(events, "rate_limit_rules"));
      assertTrue(
          Long.parseLong(after.substring("id: ".length()))
              <= Long.parseLong(before.substring("id: ".length())) + 3,
          "outcomes take no numbers; a warning may");
    }
  }

  private static String id(List<String> event) {
    return event.stream().filter(each -> each.startsWith("id: ")).findFirst().orElseThrow();
  }
}

package io.weir.control;

import static io.weir.control.AdminRequests.assertField;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.control.ControlApp.Reply;
import io.weir.rules.Rule;
import io.weir.rules.RuleState;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Users see their own limits and usage; administrators see those of all. */
interface DashboardTests extends AdminRequests {
  String ANN = "ann/";

  private Reply ask(String json) {
    return app().send(app().request("/v1/dashboard/tier/upgrade", ANN), "POST", json);
  }

  @Test
  default void aUserSeesHowItStands() {
    app().rule("free", "/api/*", 10);
    app().check("{\"userId\": \"ann\", \"endpoint\": \"/api/posts\"}");
    Reply status = app().get("/v1/dashboard/status", ANN);
    assertEquals(200, status.status(), () -> status.body().toString());
    JsonNode body = status.body();
    assertEquals("ann", body.path("userId").asText());
    assertEquals("free", body.path("tier").asText());
    assertTrue(body.path("quota").isNull());
    JsonNode limit = body.path("rateLimits").get(0);
    assertEquals("60s", limit.path("window").asText());
    assertEquals(9, limit.path("remaining").asLong());
    assertEquals("/api/*", limit.path("endpoint").asText());
    JsonNode stats = body.path("usageStats");
    assertEquals(24, stats.path("hourlyUsage").size());
    for (String each : new String[] {"totalRequests", "requestsToday", "requestsThisMonth"}) {
      assertTrue(stats.path(each).isIntegralNumber(), each);
    }
    assertTrue(stats.path("requestsByEndpoint").isObject());
  }

  @Test
  default void aLimitInShadowModeIsNotAUsersLimit() {
    app().rule("free", "/api/*", 10);
    app().save(Rule.builder("free", "/api/*").name("tried").limit(1).state(RuleState.SHADOW));
    JsonNode own = app().get("/v1/dashboard/status", ANN).body().path("rateLimits");
    assertEquals(1, own.size(), own::toString);
    assertEquals(10, own.get(0).path("limit").asLong());
    assertFalse(own.get(0).path("shadow").asBoolean(true));
    JsonNode all = app().get("/v1/ratelimit/status?userId=ann", ROOT).body().path("rules");
    assertEquals(2, all.size(), all::toString);
    for (JsonNode each : all) {
      assertEquals(each.path("limit").asLong() == 1, each.path("shadow").asBoolean());
    }
  }

  @Test
  default void aUserSeesItsUsageByDays() {
    String path = "/v1/dashboard/usage/history";
    Reply days = app().get(path + "?startDate=2026-11-01&endDate=2026-11-30", ANN);
    assertEquals(30, days.body().path("days").size(), () -> days.body().toString());
    assertEquals("2026-11-01", days.body().path("days").get(0).path("date").asText());
    assertEquals(30, app().get(path, ANN).body().path("days").size());
    assertEquals(
        366,
        app()
            .get(path + "?startDate=2028-01-01&endDate=2028-12-31", ANN)
            .body()
            .path("days")
            .size());
    assertField("endDate", app().get(path + "?startDate=2026-01-01&endDate=2027-01-02", ANN));
    assertField("endDate", app().get(path + "?startDate=2026-01-02&endDate=2026-01-01", ANN));
    assertField("startDate", app().get(path + "?startDate=yesterday", ANN));
    assertField("endDate", app().get(path + "?endDate=-999999999-01-01", ANN));
    assertField("startDate", app().get(path + "?startDate=-999999999-01-01", ANN));
  }

  @Test
  default void whatLiesBeyondAllCalendarsIsRefused() {
    for (String path :
        new String[] {
          "/violations", "/usage", "/usage/ann", "/usage/ann?by=day", "/changes", "/anomalies"
        }) {
      String more = path + (path.contains("?") ? "&" : "?");
      assertField("to", look(more + "to=-1000000000-01-01T00:00:00Z"));
      assertField("from", look(more + "from=%2B1000000000-12-31T23:59:59Z"));
    }
    assertField(
        "validUntil",
        add(
            "/users/ann/grants",
            "{\"permits\": 5, \"validUntil\": \"+1000000000-12-31T23:59:59Z\"}"));
  }

  @Test
  default void aUserAsksForAnotherTierAndTakesItBack() {
    app().rule("free", "/api/*", 10);
    app().rule("gold", "/api/*", 100);
    Reply asked =
        ask("{\"requestedTier\": \"gold\", \"reason\": \"more\", \"currentTier\": \"x\"}");
    assertEquals(201, asked.status(), () -> asked.body().toString());
    assertEquals("PENDING", asked.body().path("status").asText());
    assertEquals("free", asked.body().path("currentTier").asText(), "read, not believed");
    assertEquals("ann", asked.body().path("userId").asText());
    assertEquals(409, ask("{\"requestedTier\": \"gold\"}").status());
    assertField("requestedTier", ask("{}"));
    assertField("requestedTier", ask("{\"requestedTier\": \"none\"}"));
    String path = "/v1/dashboard/tier/upgrades";
    long id = asked.body().path("id").asLong();
    String withdraw = path + "/" + id + "/withdraw";
    assertEquals(
        404, app().send(app().request(withdraw, "bob/").POST(BodyPublishers.noBody())).status());
    Reply withdrawn = app().send(app().request(withdraw, ANN).POST(BodyPublishers.noBody()));
    assertEquals("WITHDRAWN", withdrawn.body().path("status").asText());
    assertEquals(1, app().get(path, ANN).body().size());
    assertEquals(0, app().get(path, "bob/").body().size());
  }

  @Test
  default void aUserMayHaveANameOf500Characters() {
    app().rule("free", "/api/*", 10);
    app().rule("gold", "/api/*", 100);
    String name = "x".repeat(500);
    for (String path :
        List.of("/status", "/usage/history", "/usage/hours", "/refusals", "/tiers")) {
      Reply own = app().get("/v1/dashboard" + path, name + '/');
      assertTrue(own.status() < 500, () -> path + own.body());
      Reply longer = app().get("/v1/dashboard" + path, name + "x/");
      assertTrue(longer.status() == 403, () -> path + longer.body());
    }
    Reply asked =
        app()
            .send(
                app().request("/v1/dashboard/tier/upgrade", name + '/'),
                "POST",
                "{\"requestedTier\": \"gold\"}");
    assertEquals(201, asked.status(), () -> asked.body().toString());
    String path = "/v1/admin/ratelimit/upgrades/" + asked.body().path("id").asLong();
    String administrator = name + "/weir-admin";
    Reply approved = app().send(app().request(path + "/approve", administrator), "POST", "{}");
    assertEquals(200, approved.status(), () -> approved.body().toString());
    app().rule("best", "/api/*", 1000);
    Reply again =
        app()
            .send(
                app().request("/v1/dashboard/tier/upgrade", name + '/'),
                "POST",
                "{\"requestedTier\": \"best\"}");
    String withdraw =
        "/v1/dashboard/tier/upgrades/" + again.body().path("id").asLong() + "/withdraw";
    Reply withdrawn = app().send(app().request(withdraw, name + '/').POST(BodyPublishers.noBody()));
    assertEquals(200, withdrawn.status(), () -> withdrawn.body().toString());
  }

  @Test
  default void anomaliesAreListedPageByPage() throws SQLException {
    try (Connection connection = app().database.getConnection();
        Statement statement = connection.createStatement()) {
      for (int i = 0; i < 7; i++) {
        String since = i < 4 ? "2025-01-01 00:00:00+00" : "2025-01-01 00:00:0" + i + "+00";
        String until = i == 2 ? "2025-01-01 00:10:00+00" : "2099-01-01 00:00:00+00";
        statement.executeUpdate(
            "INSERT INTO weir.anomalies (user_id, endpoint, score, action, reason, since, until)"
                + " VALUES ('user"
                + i / 2
                + "', '/api/"
                + i
                + "', 9.5, 'MONITOR', 'of the test', TIMESTAMP WITH TIME ZONE '"
                + since
                + "', TIMESTAMP WITH TIME ZONE '"
                + until
                + "')");
      }
    }
    assertEquals(
        List.of("/api/6", "/api/5", "/api/4", "/api/3", "/api/2", "/api/1", "/api/0"),
        endpoints(""));
    assertEquals(
        List.of("/api/6", "/api/5", "/api/4", "/api/3", "/api/1", "/api/0"),
        endpoints("&current=true"));
    assertEquals(List.of("/api/3", "/api/2"), endpoints("&userId=user1"));
    assertEquals(List.of("/api/3"), endpoints("&userId=user1&current=true"));
    assertEquals(
        List.of("/api/5", "/api/4"),
        endpoints("&from=2025-01-01T00:00:04Z&to=2025-01-01T00:00:06Z"));
    assertField("cursor", look("/anomalies?cursor=bm9uc2Vuc2U"));
  }

  /** Collects the items of all pages; each page has at most two. */
  private List<String> endpoints(String what) {
    List<String> endpoints = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = look("/anomalies?limit=2" + what + cursor).body();
      assertTrue(page.get("items").size() <= 2, page::toString);
      page.get("items").forEach(each -> endpoints.add(each.get("endpoint").asText()));
      cursor = page.get("next").isNull() ? "" : "&cursor=" + page.get("next").asText();
    } while (!cursor.isEmpty());
    return endpoints;
  }

  @Test
  default void whatHasHappenedIsListed() {
    assertEquals(0, look("/violations").body().path("items").size());
    assertEquals(0, look("/usage").body().path("items").size());
    assertEquals(0, look("/usage/ann").body().size());
    assertEquals(0, look("/usage/ann?by=day").body().size());
    assertField("by", look("/usage/ann?by=week"));
    assertField("to", look("/usage?from=2026-01-01T00:00:00Z&to=2026-12-01T00:00:00Z"));
    assertField("from", look("/violations?from=yesterday"));
    assertEquals(0, look("/anomalies?current=true").body().get("items").size());
    assertEquals(404, add("/anomalies/end", "{\"userId\": \"a\", \"endpoint\": \"/b\"}").status());
    assertField("userId", add("/anomalies/end", "{}"));
    assertTrue(look("/problems").body().isArray());
  }

  @Test
  default void nobodyReadsTheFiguresOfOthersByANameThatTheyAreKeptBy() {
    for (String name : List.of("*", "ip:192.0.2.1", "sha256:00")) {
      assertEquals(403, app().get("/v1/dashboard/status", name + "/").status(), name);
      assertEquals(403, app().get("/v1/dashboard/usage/history", name + "/").status(), name);
      String own = "/v1/ratelimit/status?userId=" + name;
      assertEquals(403, app().get(own, name + "/").status(), name);
    }
  }
}

package io.weir.control;

import static io.weir.control.Administrators.assertField;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.control.ControlApp.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;

/** What users see of themselves, and what has happened as administrators see it. */
interface DashboardTests extends Administrators {
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
    assertEquals(9, limit.path("remaining").asLong());
    assertEquals("/api/*", limit.path("endpoint").asText());
    JsonNode stats = body.path("usageStats");
    assertEquals(24, stats.path("hourlyUsage").size());
    for (String each :
        new String[] {"totalRequests", "requestsToday", "requestsThisMonth"}) {
      assertTrue(stats.path(each).isIntegralNumber(), each);
    }
    assertTrue(stats.path("requestsByEndpoint").isObject());
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
  }

  @Test
  default void aUserAsksForAnotherTierAndTakesItBack() {
    app().rule("free", "/api/*", 10);
    app().rule("gold", "/api/*", 100);
    Reply asked = ask("{\"requestedTier\": \"gold\", \"reason\": \"more\", \"currentTier\": \"x\"}");
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
        404,
        app().send(app().request(withdraw, "bob/").POST(BodyPublishers.noBody())).status());
    Reply withdrawn = app().send(app().request(withdraw, ANN).POST(BodyPublishers.noBody()));
    assertEquals("WITHDRAWN", withdrawn.body().path("status").asText());
    assertEquals(1, app().get(path, ANN).body().size());
    assertEquals(0, app().get(path, "bob/").body().size());
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
    assertEquals(0, look("/anomalies?current=true").body().size());
    assertEquals(0, look("/nodes").body().size());
    assertEquals(404, add("/anomalies/end", "{\"userId\": \"a\", \"endpoint\": \"/b\"}").status());
    assertField("userId", add("/anomalies/end", "{}"));
    assertTrue(look("/problems").body().isArray());
  }
}

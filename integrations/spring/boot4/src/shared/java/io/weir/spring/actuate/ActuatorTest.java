package io.weir.spring.actuate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.Weir;
import io.weir.compat.redis.Await;
import io.weir.compat.redis.RedisServer;
import io.weir.spring.operations.BootedApplication;
import io.weir.spring.operations.OpenToAll;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Health and {@code /actuator/weir}, at the port of the application and at one of their own. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class ActuatorTest {
  private static final String[] LIMITS = {
    "management.endpoints.web.exposure.include=health,weir",
    "management.endpoint.health.show-details=always",
    "weir.policy.pages.url=/pages/*",
    "weir.policy.pages.limit=7",
    "weir.policy.pages.window=1m",
    "weir.policy.pages.tier.gold=70",
    "weir.policy.months.url=/months/*",
    "weir.policy.months.limit=9",
    "weir.policy.months.window=1mo",
    "weir.policy.months.zone=Europe/Berlin"
  };

  private static BootedApplication start(String... more) {
    return BootedApplication.start(
        OpenToAll.class, Stream.of(LIMITS, more).flatMap(Stream::of).toArray(String[]::new));
  }

  @Test
  void showsLimitsStoreAndNodes() {
    try (BootedApplication application = start()) {
      HttpResponse<String> response = application.get("/actuator/weir");
      assertEquals(200, response.statusCode(), response.body());
      JsonNode report = BootedApplication.json(response);
      assertEquals("inprocess:", report.at("/store/name").asText());
      assertFalse(report.at("/store/away").asBoolean(true));
      assertEquals(1, report.path("nodes").asInt());
      JsonNode months = report.at("/policies/0");
      assertEquals("P1M Europe/Berlin", text(months, "window") + " " + text(months, "zone"));
      JsonNode pages = report.at("/policies/1");
      assertEquals("/pages/* pages", text(pages, "endpoint") + " " + text(pages, "policy"));
      assertEquals(7, pages.path("limit").asInt());
      assertEquals("PT1M", text(pages, "window"));
      assertEquals(70, pages.at("/tiers/gold").asInt());
      assertEquals("IP", pages.at("/by/0").asText());
      assertTrue(report.path("table").toString().contains("/pages/*"), response.body());
    }
  }

  private static String text(JsonNode node, String name) {
    return node.path(name).asText();
  }

  @Test
  void canNotBeWritten() {
    try (BootedApplication application = start()) {
      String before = application.weir().policies().toString();
      for (String method : List.of("POST", "PUT", "DELETE", "PATCH")) {
        assertEquals(405, application.status(method, "/actuator/weir"), method);
        assertEquals(404, application.status(method, "/actuator/weir/pages"), method);
      }
      assertEquals(before, application.weir().policies().toString());
    }
  }

  @Test
  void isNotExposedUnlessAsked() {
    try (BootedApplication application = BootedApplication.start(OpenToAll.class)) {
      assertEquals(404, application.status("GET", "/actuator/weir"));
      assertEquals(200, application.status("GET", "/actuator/health"));
    }
  }

  @Test
  void aManagementPortHasThemToo() {
    try (BootedApplication application = start("management.server.port=0")) {
      assertEquals(404, application.status("GET", "/actuator/weir"));
      for (String path : List.of("/actuator/weir", "/actuator/health/weir")) {
        HttpResponse<String> response =
            application.send(
                HttpRequest.newBuilder(application.uri("local.management.port", path)));
        assertEquals(200, response.statusCode(), response.body());
      }
      assertEquals(1, application.context().getBeansOfType(Weir.class).size());
    }
  }

  @Test
  void aStoreThatIsAwayIsADetailAndNotDown() {
    String url = "redis://127.0.0.1:" + RedisServer.freePort();
    try (BootedApplication application =
        start(
            "weir.store=" + url,
            "weir.store.start-timeout=1ms",
            "weir.secret=of the tests",
            "weir.region=eu",
            "weir.region.us.store=redis://127.0.0.1:" + RedisServer.freePort())) {
      Await.until("the store is away", () -> application.weir().isStoreAway());
      HttpResponse<String> response = application.get("/actuator/health");
      assertEquals(200, response.statusCode(), response.body());
      JsonNode health = BootedApplication.json(response);
      assertEquals("UP", text(health, "status"), response.body());
      JsonNode ours = health.at("/components/weir");
      assertEquals("UP", text(ours, "status"), response.body());
      assertEquals("away", ours.at("/details/storeState").asText(), response.body());
      assertEquals(url, ours.at("/details/store").asText());
      assertEquals("the region of this node", ours.at("/details/regions/eu").asText());
      assertFalse(ours.at("/details/regions/us").asText().isEmpty(), response.body());
      assertTrue(
          BootedApplication.json(application.get("/actuator/weir")).at("/store/away").asBoolean());
    }
  }

  @Test
  void healthCanBeSwitchedOff() {
    try (BootedApplication application = start("management.health.weir.enabled=false")) {
      assertEquals(404, application.status("GET", "/actuator/health/weir"));
      assertEquals(200, application.status("GET", "/actuator/weir"));
    }
  }
}

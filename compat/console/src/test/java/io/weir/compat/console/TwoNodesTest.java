package io.weir.compat.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.compat.redis.RedisServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the pages of two nodes over one Redis and one database, one of which dies. */
@NeedsChromium
class TwoNodesTest {
  private static final String LIVE = "#side .live";
  private static final int OK = 200;
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final String DEAD = "#nodes tbody tr[data-key=\"dies\"]";

  private static JsonNode node(ConsoleServer server, String name) {
    for (JsonNode each : server.get("/nodes")) {
      if (each.path("node").asText().equals(name)) {
        return each;
      }
    }
    throw new AssertionError("there is no node " + name);
  }

  @Test
  void bothAreSummedUpUntilOneDies(@TempDir Path data) {
    Map<String, String> settings = new HashMap<>();
    try (RedisServer redis = RedisServer.start();
        RulesDatabase database = new RulesDatabase()) {
      settings.put("weir.store", redis.url());
      settings.put("weir.store.timeout", "10s");
      settings.put("weir.secret", "of the tests");
      settings.put("weir.rules", database.url());
      settings.put("weir.rules.timeout", "10s");
      settings.put("weir.server.node", "lives");
      try (ConsoleServer server = new ConsoleServer(settings)) {
        settings.put("weir.server.node", "dies");
        try (NodeProcess process = NodeProcess.start(data, settings);
            Browser browser = new Browser(server.url())) {
          server.rule("free", "/api/posts", 3, "ENFORCED");
          server.load("alice", "bob");
          String gateway = server.secret("gateway", "weir-check");
          browser.signIn(server.secret("on call", "weir-admin"), "/");
          browser.awaitText(LIVE, "Live: 2 nodes");
          String other = process.url();
          Await.until("the other decides as well", () -> check(other, gateway) == OK);
          bothAreInTheSums(server, browser, other, gateway);
          browser.show("/nodes", "nodes");
          browser.awaitText(DEAD, "Well");

          process.kill();
          theDeadOneIsSilent(server, browser, database);
          itsClockDiffers(browser, database);
          itLeaves(server, browser, database);
        }
      }
    }
  }

  private static int check(String url, String token) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + "/v1/ratelimit/check"))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"userId\": \"eve\", \"endpoint\": \"/api/posts\"}"));
    try {
      return CLIENT.send(request.build(), BodyHandlers.discarding()).statusCode();
    } catch (IOException | InterruptedException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /** Checks the sums while the other node decides requests, which only its own report shows. */
  private static void bothAreInTheSums(
      ConsoleServer server, Browser browser, String other, String token) {
    Await.until(
        "the other node's decisions are told",
        () -> {
          check(other, token);
          return node(server, "dies").path("admitted").asLong() > 0
              && node(server, "lives").path("admitted").asLong() > 0;
        });
    sumsAreTheApis(server, browser);
  }

  private static void sumsAreTheApis(ConsoleServer server, Browser browser) {
    Await.until(
        "the page shows the sums of the API",
        () -> {
          JsonNode totals = server.get("/outcomes").path("totals");
          return totals.path("refused").asDouble() > 0
              && Rates.isShown(browser, totals, "admitted")
              && Rates.isShown(browser, totals, "refused");
        });
  }

  private static void theDeadOneIsSilent(
      ConsoleServer server, Browser browser, RulesDatabase database) {
    assertEquals(
        1,
        database.update(
            "UPDATE weir_nodes SET seen_at = CURRENT_TIMESTAMP - INTERVAL '16' SECOND"
                + " WHERE node = 'dies'"));
    browser.awaitText(LIVE, "Live: 1 node (1 more silent)");
    browser.awaitText(DEAD, "Silent");
    JsonNode now = server.get("/outcomes");
    assertEquals(1, now.path("nodes").asInt());
    assertEquals(1, now.path("silentNodes").asInt());
    browser.assertFlawless("a silent node");
    browser.picture("nodes-silent-light-wide");
    browser.show("/", "now");
    sumsAreTheApis(server, browser);
    browser.awaitText("#health-nodes", "1 silent");
  }

  private static void itsClockDiffers(Browser browser, RulesDatabase database) {
    database.update("UPDATE weir_nodes SET clock_offset_millis = -95000 WHERE node = 'dies'");
    browser.show("/nodes", "nodes");
    browser.awaitText("#node-list", "Clocks differ.");
    browser.awaitText(DEAD, "-95 s");
  }

  private static void itLeaves(ConsoleServer server, Browser browser, RulesDatabase database) {
    assertTrue(node(server, "dies").path("breaker").isTextual());
    database.update(
        "UPDATE weir_nodes SET seen_at = CURRENT_TIMESTAMP - INTERVAL '61' SECOND"
            + " WHERE node = 'dies'");
    Await.until("the dead one leaves", () -> !browser.has(DEAD));
    Await.until(
        "it is counted no more",
        () -> {
          String live = browser.text(LIVE);
          return live.contains("Live: 1 node,") && !live.contains("silent");
        });
  }
}

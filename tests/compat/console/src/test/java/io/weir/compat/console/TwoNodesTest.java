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
import java.util.function.BooleanSupplier;
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
    awaitSilent(
        database,
        "the page says that it is silent",
        () ->
            browser.text(LIVE).contains("Live: 1 node (1 more silent)")
                && browser.text(DEAD).contains("Silent"));
    awaitSilent(
        database,
        "the API counts it as silent",
        () -> {
          JsonNode now = server.get("/outcomes");
          return now.path("nodes").asInt() == 1 && now.path("silentNodes").asInt() == 1;
        });
    browser.assertFlawless("a silent node");
    browser.picture("nodes-silent-light-wide");
    browser.show("/", "now");
    sumsAreTheApis(server, browser);
    awaitSilent(
        database,
        "the first page says that it is silent",
        () -> browser.text("#health-nodes").contains("1 silent"));
  }

  private static void itsClockDiffers(Browser browser, RulesDatabase database) {
    database.update("UPDATE weir.weir_nodes SET clock_offset_millis = -95000 WHERE node = 'dies'");
    browser.show("/nodes", "nodes");
    awaitSilent(
        database,
        "the page says that its clock differs",
        () ->
            browser.text("#node-list").contains("Clocks differ.")
                && browser.text(DEAD).contains("-95 s"));
  }

  /** Waits for what is shown of a silent node: it leaves by itself if nobody keeps it. */
  private static void awaitSilent(RulesDatabase database, String what, BooleanSupplier condition) {
    Await.until(
        what,
        () -> {
          silence(database);
          return condition.getAsBoolean();
        });
  }

  /**
   * Lets the dead node be silent for 16 s: it is shown so after 15 s, and leaves after a minute.
   */
  private static void silence(RulesDatabase database) {
    assertEquals(
        1,
        database.update(
            "UPDATE weir.weir_nodes SET seen_at = CURRENT_TIMESTAMP - INTERVAL '16' SECOND"
                + " WHERE node = 'dies'"));
  }

  private static void itLeaves(ConsoleServer server, Browser browser, RulesDatabase database) {
    silence(database);
    assertTrue(node(server, "dies").path("breaker").isTextual());
    database.update(
        "UPDATE weir.weir_nodes SET seen_at = CURRENT_TIMESTAMP - INTERVAL '61' SECOND"
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

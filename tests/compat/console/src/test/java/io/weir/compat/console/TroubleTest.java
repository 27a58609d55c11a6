package io.weir.compat.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.redis.RedisServer;
import io.weir.seeds.RunOneIn;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests the pages while the store, the database or the browser's clock is out of order. */
@NeedsChromium
@RunOneIn(value = 3, own = true)
class TroubleTest {
  private static final String LIVE = "#side .live";

  private static RedisServer redis;
  private static RulesDatabase database;
  private static ConsoleServer server;
  private static long rule;

  @BeforeAll
  static void start() {
    redis = RedisServer.start();
    database = new RulesDatabase();
    server =
        new ConsoleServer(
            Map.of(
                "weir.store",
                redis.url(),
                "weir.rules",
                database.url(),
                "weir.secret",
                "of the tests",
                "weir.region",
                "eu",
                "weir.region.us.store",
                "redis://127.0.0.1:" + RedisServer.freePort()));
    rule = server.rule("free", "/api/posts", 3, "ENFORCED");
    server.load("alice", "bob");
  }

  @AfterAll
  static void stop() {
    Closing.inOrder(server, database, redis);
  }

  @Test
  void whileTheStoreIsAwayThePagesSayWhatWorks() {
    try (Browser browser = new Browser(server.url())) {
      browser.signIn(server.secret("at the store", "weir-admin"), "/callers/user/alice");
      browser.awaitText("#caller-buckets-table", "eu (this one)");
      browser.awaitText("#caller-buckets-table", "Not answered");
      browser.assertFlawless("a caller, of whom a region doesn't answer");
      redis.kill9();
      try {
        browser.await("#store-away");
        String said = browser.text("#store-away");
        for (String each :
            List.of(
                "Limits go on",
                "onStoreFailure",
                "Rules and switches still work",
                "weir.on-store-failure=open")) {
          assertTrue(said.contains(each), said);
        }
        browser.show("/callers/user/alice", "callers");
        browser.awaitText("#caller", "The store can’t be read.");
        browser.assertFlawless("a caller without the store");
        browser.show("/", "now");
        browser.awaitText("#health-store", "away on 1 node");
        browser.awaitText(LIVE, "Live: 1 node");
        browser.show("/nodes", "nodes");
        browser.awaitText("#nodes tbody", "Store away");
        browser.assertFlawless("nodes without the store");
        browser.picture("store-away-light-wide");
        browser.show("/rules/" + rule, "rule");
        browser.type("#rule-limitCount", "4");
        browser.awaitText("#rule-said", "It can be saved");
        browser.click("#rule-save");
        Await.until(
            "rules still work",
            () -> server.get("/rules/" + rule).path("limitCount").asLong() == 4);
      } finally {
        redis.restart();
      }
      Await.until("it is back", () -> !browser.has("#store-away"));
      browser.show("/", "now");
      browser.awaitText("#health-store", "reached by all");
      browser.awaitText("#health-region-us", "cut off");
      browser.awaitText("#health-region-eu", "this one");
      browser.assertFlawless("a region that is cut off");
    }
  }

  @Test
  void whileTheDatabaseIsAwayThePagesSayWhatWorks() {
    try (Browser browser = new Browser(server.url())) {
      browser.signIn(server.secret("at the database", "weir-admin"), "/rules/" + rule);
      browser.awaitText(LIVE, "Live: 1 node");
      browser.type("#rule-limitCount", "42");
      browser.awaitText("#rule-said", "It can be saved");
      database.goAway();
      try {
        browser.awaitText(LIVE, "Figures are");
        browser.awaitText("#banners", "The figures are older than 15 seconds.");
        browser.await("#database-away");
        String said = browser.text("#database-away");
        for (String each :
            List.of(
                "Limits go on",
                "Nothing can be changed here",
                "weir.enabled=false",
                "weir.policy.NAME.shadow=true")) {
          assertTrue(said.contains(each), said);
        }
        assertEquals("42", browser.value("#rule-limitCount"), "what was typed is still there");
        browser.assertFlawless("a rule without the database");
        for (Map.Entry<String, String> each :
            Map.of("/", "now", "/usage", "usage", "/changes", "changes", "/callers", "callers")
                .entrySet()) {
          browser.show(each.getKey(), each.getValue());
          browser.awaitText("#view", "Not available.");
          browser.assertFlawless(each.getKey() + " without the database");
        }
        browser.show("/policies", "policies");
        browser.awaitText("#policies tbody", "/api/posts");
        browser.picture("database-away-light-wide");
        server.check("alice", "/api/posts"); // limits go on, or it would fail
      } finally {
        database.comeBack();
      }
      browser.awaitText(LIVE, "Live: 1 node");
      Await.until("it is said no more", () -> !browser.has("#database-away"));
    }
  }

  @Test
  void aBrowserWhoseClockIsWrongIsTold() {
    try (Browser browser = new Browser(server.url())) {
      browser.runBeforeEachPage(
          "{const real = Date.now.bind(Date); Date.now = () => real() + 3600e3 * 3;}");
      browser.signIn(server.secret("wrong", "weir-view"), "/nodes");
      browser.awaitText("#banners", "This browser’s clock differs. It is 3 h ahead of the");
      browser.await("#nodes tbody tr");
      assertFalse(
          browser.text("#nodes tbody").contains("Silent"), "ages are by the servers' clock");
      browser.assertFlawless("a wrong clock");
    }
  }
}

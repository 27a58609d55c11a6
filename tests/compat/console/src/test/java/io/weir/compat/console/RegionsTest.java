package io.weir.compat.console;

import io.weir.Weir;
import io.weir.compat.redis.RedisServer;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The page of a caller whose limit two regions have parts of. */
@NeedsChromium
class RegionsTest {
  @Test
  void aCallerShowsWhatEachRegionHasCountedAndAllTogether() {
    try (RedisServer here = RedisServer.start();
        RedisServer there = RedisServer.start();
        Weir us = node("us", there, "eu", here);
        ConsoleServer server = new ConsoleServer(settings("eu", here, "us", there));
        Browser browser = new Browser(server.url())) {
      server.ruleToUseUp("free", "/api/posts", 8, 3600);
      Await.until("it is counted", () -> server.check("alice", "/api/posts"));
      Await.until("the other has started", () -> !there.ask("GET", "weir:mark").isEmpty());
      browser.signIn(server.secret("support", "weir-view"), "/callers/user/alice");
      browser.awaitText("#caller-buckets-table", "Regions, each its part:");
      browser.awaitText("#caller-buckets-table", "eu (this one)");
      browser.awaitText("#caller-buckets-table", "0 used, 4 of 4 left");
      browser.awaitText("#caller-buckets-table", "Together");
      browser.assertFlawless("a caller of two regions");
      browser.type("#try-endpoint", "/api/posts");
      browser.click("#try");
      browser.awaitText("#explained", "Regions, each its part:");
      browser.awaitText("#explained", "Together");
      browser.assertFlawless("an explanation of two regions");
    }
  }

  private static Map<String, String> settings(
      String region, RedisServer store, String other, RedisServer itsStore) {
    return Map.of(
        "weir.store",
        store.url(),
        "weir.secret",
        "of the tests",
        "weir.region",
        region,
        "weir.regions.mode",
        "shares",
        "weir.regions.shares",
        "eu@50,us@50",
        "weir.region." + other + ".store",
        itsStore.url(),
        "weir.region." + other + ".store.timeout",
        "10s");
  }

  private static Weir node(String region, RedisServer store, String other, RedisServer itsStore) {
    return Weir.builder()
        .onlyGivenSettings()
        .settings(settings(region, store, other, itsStore))
        .build();
  }
}

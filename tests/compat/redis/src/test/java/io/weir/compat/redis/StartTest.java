package io.weir.compat.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.Weir;
import io.weir.annotation.Algorithm;
import io.weir.metrics.DecisionCounts;
import io.weir.test.log.LogLines;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The state of a node right after it was made, with a Redis and without. */
@Timeout(60)
class StartTest {
  private static final Key CALLER = Key.of("caller");
  private static final String AWAY = "The store can't be reached";
  private static final String NODES = "weir.store.nodes isn't set";

  private final LogLines log = new LogLines();
  private final DecisionCounts counts = new DecisionCounts();

  @AfterEach
  void close() {
    log.close();
  }

  private Weir start(String url, String... more) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("weir.store", url);
    settings.put("weir.secret", "s");
    // A busy machine is no outage here.
    settings.put("weir.store.timeout", "2s");
    settings.put("weir.store.start-timeout", "30s");
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    return Weir.builder().settings(settings).metrics(counts).build();
  }

  private static Policy policy(Algorithm algorithm) {
    return Policy.builder("p").algorithm(algorithm).limit(10).window(Duration.ofHours(1)).build();
  }

  private static long connections(RedisServer redis) {
    return redis.ask("CLIENT", "LIST").lines().filter(line -> line.contains("id=")).count();
  }

  private static List<String> errors(RedisServer redis) {
    return redis.ask("INFO", "errorstats").lines().filter(l -> l.contains("count")).toList();
  }

  @Test
  void hasConnectedAndLoadedItsScriptsAndIsKnownBeforeTheFirstRequest() {
    try (RedisServer redis = RedisServer.start();
        Weir weir = start(redis.url())) {
      long connections = connections(redis);
      List<String> errors = errors(redis);
      assertTrue(connections >= 3, "two and the one that asks, not " + connections);
      assertEquals("1", redis.ask("HLEN", "weir:nodes"));
      assertEquals("1", redis.ask("EXISTS", "weir:epoch"));
      for (Algorithm each : Algorithm.values()) {
        Decision first = weir.limiter().tryAcquire(policy(each), CALLER);
        assertTrue(first.admitted() && !first.degraded(), each + ": " + first);
      }
      assertEquals(errors, errors(redis), "no script was missing");
      assertEquals(connections, connections(redis));
    }
    assertEquals(List.of(), log.warnings());
  }

  @Test
  void hasConnectedToEveryMasterOfAClusterAndEachHasItsScripts() {
    try (ClusterSetup cluster = ClusterSetup.start()) {
      List<RedisServer> masters = cluster.masters();
      try (Weir weir = start(cluster.url())) {
        List<List<String>> errors = masters.stream().map(StartTest::errors).toList();
        for (RedisServer each : masters) {
          assertTrue(connections(each) >= 3, each.ask("CLIENT", "LIST"));
        }
        for (Algorithm each : Algorithm.values()) {
          for (int i = 0; i < 20; i++) {
            Decision first = weir.limiter().tryAcquire(policy(each), Key.of("caller" + i));
            assertTrue(first.admitted() && !first.degraded(), each + ": " + first);
          }
        }
        assertEquals(errors, masters.stream().map(StartTest::errors).toList());
      }
    }
    assertEquals(List.of(), log.warnings());
  }

  @Test
  void rehearsesByBucketsThatNobodySeesAndThatAreSoonGone() {
    try (RedisServer redis = RedisServer.start();
        Weir weir = start(redis.url())) {
      assertEquals(0, counts.storeCalls());
      assertEquals(0, counts.exchanges());
      assertEquals(0, counts.buckets());
      assertEquals(0, counts.storeFailures());
      Await.until(
          "all are gone", () -> redis.ask("KEYS", "*").lines().allMatch(StartTest::isNoBucket));
      Decision first = weir.limiter().tryAcquire(policy(Algorithm.SLIDING_WINDOW), CALLER);
      assertEquals(9, first.remaining());
      assertEquals(1, counts.exchanges());
    }
  }

  private static boolean isNoBucket(String key) {
    return List.of("weir:nodes", "weir:neighbours", "weir:epoch").contains(key);
  }

  @Test
  void startsWithoutARedisAndSaysSoAndIsExactOnceThereIsOne() {
    int port = RedisServer.freePort();
    String url = "redis://127.0.0.1:" + port;
    try (Weir weir = start(url, "weir.store.start-timeout", "300ms")) {
      assertTrue(said(AWAY) && said("127.0.0.1:" + port), log.warnings()::toString);
      assertTrue(said(NODES), log.warnings()::toString);
      assertTrue(take(weir, "before").degraded());
      try (RedisServer redis = RedisServer.onPort(port, List.of("save \"\""), List.of())) {
        Await.until("it is back", () -> !take(weir, "meanwhile").degraded());
        Await.until("it is counted", () -> redis.ask("HLEN", "weir:nodes").equals("1"));
        assertEquals(10, admitted(weir));
      }
    }
  }

  @Test
  void startsWithARedisThatAcceptsAndNeverAnswers() throws IOException {
    try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Weir weir =
            start(
                "redis://127.0.0.1:" + mute.getLocalPort(),
                "weir.store.timeout",
                "50ms",
                "weir.store.nodes",
                "2",
                "weir.store.start-timeout",
                "500ms")) {
      assertTrue(said(AWAY), log.warnings()::toString);
      assertFalse(said(NODES), log.warnings()::toString);
      assertTrue(take(weir, "mute").degraded());
      assertEquals(5, admitted(weir), "its half");
    }
  }

  @Test
  void twoInOneProcessShareALimitFromTheirFirstRequestOn() {
    try (RedisServer redis = RedisServer.start();
        Weir one = start(redis.url());
        Weir other = start(redis.url())) {
      assertEquals("2", redis.ask("HLEN", "weir:nodes"));
      assertEquals(10, admitted(one, other));
    }
    assertEquals(List.of(), log.warnings());
  }

  private boolean said(String text) {
    return log.warnings().stream().anyMatch(line -> line.contains(text));
  }

  private static Decision take(Weir weir, String key) {
    return weir.limiter().tryAcquire(policy(Algorithm.SLIDING_WINDOW), Key.of(key));
  }

  private static long admitted(Weir... nodes) {
    return Arrays.stream(new int[30])
        .filter(any -> Arrays.stream(nodes).anyMatch(each -> take(each, "all").admitted()))
        .count();
  }
}

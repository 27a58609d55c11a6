package io.weir.compat.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.seeds.RunOneIn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A Redis has older data again, with the epoch that nodes know and fewer beats. No node is granted
 * permits from it, even if none has asked for the epoch since.
 */
@RunOneIn(value = 3, own = true)
class OlderDataTest {
  private static final int NODES = 3;
  private static final int LIMIT = 300;
  private static final int KEPT = 60;
  private static final int LOST = 120;

  /** Buckets, in a cluster most likely of several masters. */
  private static final int KEYS = 3;

  private final List<GatedStore> stores = new ArrayList<>();
  private final List<RateLimiter> nodes = new ArrayList<>();
  private final List<Policy> policies =
      List.of(policy(Algorithm.FIXED_WINDOW), policy(Algorithm.TOKEN_BUCKET));
  private final long[][] admitted = new long[policies.size()][KEYS];

  private static Policy policy(Algorithm algorithm) {
    return Policy.builder(algorithm.name())
        .limit(LIMIT)
        .window(Duration.ofDays(366))
        .algorithm(algorithm)
        .onStoreFailure(OnStoreFailure.CLOSED)
        .build();
  }

  @AfterEach
  void close() {
    nodes.forEach(RateLimiter::close);
  }

  @Test
  void grantsNothingOverALiveConnection() {
    try (RedisServer server = RedisServer.start()) {
      start(server.url());
      spendWhatIsLost(List.of(server));
      reload(server);
      checkThatNothingIsGranted();
    }
  }

  @Test
  void grantsNothingAfterARestart() {
    try (RedisServer server = RedisServer.start()) {
      start(server.url());
      spendWhatIsLost(List.of(server));
      server.restart();
      checkThatNothingIsGranted();
    }
  }

  @Test
  void grantsNothingInACluster() {
    try (ClusterSetup cluster = ClusterSetup.start()) {
      start(cluster.url());
      spendWhatIsLost(cluster.masters());
      cluster.masters().forEach(OlderDataTest::reload);
      checkThatNothingIsGranted();
    }
  }

  private void start(String url) {
    for (int i = 0; i < NODES; i++) {
      GatedStore gated = new GatedStore(new Asker(url).store);
      stores.add(gated);
      nodes.add(
          RateLimiter.builder().store(gated.store()).storeTimeout(Duration.ofSeconds(1)).build());
    }
    Await.until("all are answered", () -> spend(NODES) == 0);
  }

  private void spendWhatIsLost(List<RedisServer> masters) {
    spend(KEPT);
    masters.forEach(each -> assertEquals("OK", each.ask("SAVE")));
    long beats = masters.stream().mapToLong(OlderDataTest::beats).max().orElseThrow();
    spend(LOST);
    Await.until(
        "all have heard later beats",
        () -> stores.stream().allMatch(each -> each.hasHeardMoreThan(beats)));
    stores.forEach(GatedStore::shut);
  }

  private static long beats(RedisServer server) {
    String epoch = server.ask("GET", server.ask("KEYS", "weir:epoch*"));
    return Long.parseLong(epoch.substring(16, 28));
  }

  /** Loads what was saved, as a restored backup would be, and keeps all connections. */
  private static void reload(RedisServer server) {
    assertEquals("OK", server.ask("DEBUG", "RELOAD", "NOSAVE"));
  }

  private void checkThatNothingIsGranted() {
    spend(LIMIT);
    checkAdmitted();
    Await.until("all were refused", () -> spend(NODES) > 0 && isRefusedByAll());
  }

  private boolean isRefusedByAll() {
    return stores.stream().allMatch(GatedStore::hasLostData);
  }

  private void checkAdmitted() {
    for (long[] ofPolicy : admitted) {
      for (long permits : ofPolicy) {
        assertTrue(permits > 0 && permits <= LIMIT, () -> "admitted " + permits);
      }
    }
  }

  /** Sends so many requests for each bucket, by all nodes in turn; how many had no answer. */
  private long spend(int requests) {
    return IntStream.range(0, requests).mapToLong(i -> spendOne(nodes.get(i % NODES))).sum();
  }

  private long spendOne(RateLimiter node) {
    long degraded = 0;
    for (int i = 0; i < admitted.length; i++) {
      for (int key = 0; key < KEYS; key++) {
        Decision decision = node.tryAcquire(policies.get(i), Key.of("who" + key));
        degraded += decision.degraded() ? 1 : 0;
        admitted[i][key] += decision.admitted() && !decision.degraded() ? 1 : 0;
      }
    }
    return degraded;
  }
}

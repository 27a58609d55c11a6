package io.weir.compat.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.seeds.RunOneIn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

  /** Those of a cluster most likely have buckets of several masters. */
  private static final int CALLERS = 3;

  private final List<GatedStore> stores = new ArrayList<>();
  private final SpendingNodes nodes =
      new SpendingNodes(
          LIMIT,
          Duration.ofDays(366),
          CALLERS,
          List.of(Algorithm.FIXED_WINDOW, Algorithm.TOKEN_BUCKET));

  @AfterEach
  void close() {
    nodes.close();
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
    Await.until("all are answered", () -> nodes.spend(NODES) == 0);
  }

  private void spendWhatIsLost(List<RedisServer> masters) {
    nodes.spend(KEPT);
    masters.forEach(each -> assertEquals("OK", each.ask("SAVE")));
    long beats = masters.stream().mapToLong(GatedStore::beats).max().orElseThrow();
    nodes.spend(LOST);
    Await.until(
        "all have heard later beats",
        () -> stores.stream().allMatch(each -> each.hasHeardMoreThan(beats)));
    stores.forEach(GatedStore::shut);
  }

  /** Loads what was saved, as a restored backup would be, and keeps all connections. */
  private static void reload(RedisServer server) {
    assertEquals("OK", server.ask("DEBUG", "RELOAD", "NOSAVE"));
  }

  private void checkThatNothingIsGranted() {
    nodes.spend(LIMIT);
    nodes.checkAdmitted();
    Await.until("all were refused", () -> nodes.spend(NODES) > 0 && isRefusedByAll());
  }

  private boolean isRefusedByAll() {
    return stores.stream().allMatch(GatedStore::hasLostData);
  }
}

package io.weir.compat.redis;

import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.seeds.OneDayIn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nodes report to a Redis that has lost what it counted: the limit holds. */
@OneDayIn(2)
class WipedTest {
  private static final int NODES = 3;

  private final List<GatedStore> stores = new ArrayList<>();
  private final SpendingNodes nodes =
      new SpendingNodes(
          1_000,
          Duration.ofDays(366),
          1,
          List.of(Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW));

  @AfterEach
  void close() {
    nodes.close();
  }

  @Test
  void costsNoSecondLimitWhenFlushed() {
    try (RedisServer server = RedisServer.start()) {
      start(server.url());
      nodes.spend(500);
      server.ask("FLUSHALL");
      exhaust();
      server.ask("FLUSHALL"); // of what nodes have reported, and of what they were granted since
      exhaust();
    }
  }

  @Test
  void costsNoSecondLimitWhenRestartedEmpty() {
    try (RedisServer server = RedisServer.start()) {
      start(server.url());
      nodes.spend(500);
      server.restart();
      exhaust();
    }
  }

  @Test
  void costsNoSecondLimitWhenAClusterIsFlushed() {
    try (ClusterSetup cluster = ClusterSetup.start()) {
      start(cluster.url());
      nodes.spend(500);
      cluster.masters().forEach(each -> each.ask("FLUSHALL"));
      exhaust();
    }
  }

  @Test
  void costsNoSecondLimitWhenAReplicaTakesOverThatLagged() {
    try (SentinelSetup setup = SentinelSetup.start()) {
      start(setup.url());
      nodes.spend(200);
      RedisServer old = setup.master();
      // They stand still: sentinels choose none that has been without its master for long.
      List<RedisServer> replicas =
          setup.servers().stream().filter(each -> !each.equals(old)).toList();
      replicas.forEach(RedisServer::pause);
      old.ask("CLIENT", "KILL", "TYPE", "replica");
      spendUntilAllHaveHeardMoreThan(GatedStore.beats(old));
      nodes.spend(300);
      old.kill9();
      replicas.forEach(RedisServer::resume);
      setup.awaitMasterOtherThan(old);
      exhaust();
    }
  }

  private void spendUntilAllHaveHeardMoreThan(long beats) {
    Await.until(
        "all have heard later beats",
        () -> {
          nodes.spend(NODES);
          return stores.stream().allMatch(each -> each.hasHeardMoreThan(beats));
        });
  }

  private void start(String url) {
    for (int i = 0; i < NODES; i++) {
      GatedStore store = new GatedStore(new Asker(url, "store.timeout", "1s").store);
      stores.add(store);
      nodes.add(
          RateLimiter.builder()
              .store(store.store())
              .storeTimeout(Duration.ofSeconds(1))
              .flushInterval(Duration.ofMillis(500)) // they wait two seconds: busy machines stall
              .build());
    }
  }

  /** Takes all that there is, by all nodes, and sees that it isn't too much. */
  private void exhaust() {
    nodes.awaitStore();
    nodes.spend(1_500);
    nodes.checkAdmitted();
  }
}

package io.weir.compat.redis;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nodes report to a Redis that has lost what it counted: the limit holds. */
class WipedTest {
  private static final int NODES = 3;
  private static final long LIMIT = 1_000;
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final List<RateLimiter> nodes = new ArrayList<>();
  private final List<Policy> policies =
      List.of(policy(Algorithm.FIXED_WINDOW), policy(Algorithm.SLIDING_WINDOW));
  private final Map<String, Long> admitted = new TreeMap<>();

  private static Policy policy(Algorithm algorithm) {
    return Policy.builder(algorithm.name())
        .limit(LIMIT)
        .window(Duration.ofDays(1))
        .algorithm(algorithm)
        .onStoreFailure(OnStoreFailure.CLOSED)
        .build();
  }

  @AfterEach
  void close() {
    nodes.forEach(RateLimiter::close);
  }

  @Test
  void costsNoSecondLimitWhenFlushed() {
    try (RedisServer server = RedisServer.start()) {
      start(server.url());
      spend(500);
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
      spend(500);
      server.restart();
      exhaust();
    }
  }

  @Test
  void costsNoSecondLimitWhenAClusterIsFlushed() {
    try (ClusterSetup cluster = ClusterSetup.start()) {
      start(cluster.url());
      spend(500);
      cluster.masters().forEach(each -> each.ask("FLUSHALL"));
      exhaust();
    }
  }

  @Test
  void costsNoSecondLimitWhenAReplicaTakesOverThatLagged() {
    try (SentinelSetup setup = SentinelSetup.start()) {
      start(setup.url());
      spend(200);
      RedisServer old = setup.master();
      old.ask("ACL", "SETUSER", "default", "-psync", "-sync");
      old.ask("CLIENT", "KILL", "TYPE", "replica");
      long end = System.nanoTime() + Duration.ofSeconds(3).toNanos(); // longer than a few beats
      while (System.nanoTime() < end) {
        spend(5);
        LockSupport.parkNanos(PAUSE.toNanos());
      }
      spend(300);
      old.kill9();
      setup.awaitMasterOtherThan(old);
      exhaust();
    }
  }

  private void start(String url) {
    for (int i = 0; i < NODES; i++) {
      nodes.add(
          RateLimiter.builder()
              .store(url, name -> name.equals("weir.store.timeout") ? "1s" : "")
              .storeTimeout(Duration.ofSeconds(1))
              .flushInterval(Duration.ofMillis(500)) // they wait two seconds: busy machines stall
              .build());
    }
  }

  private void spend(int requests) {
    for (int i = 0; i < requests; i++) {
      for (Policy policy : policies) {
        take(nodes.get(i % NODES), policy);
      }
    }
  }

  private boolean take(RateLimiter node, Policy policy) {
    Decision decision = node.tryAcquire(policy, Key.of("who"));
    boolean counts = decision.admitted() && !decision.degraded();
    admitted.merge(policy.name(), counts ? 1L : 0, Long::sum);
    return !decision.degraded();
  }

  /** Takes all that there is, by all nodes, and sees that it isn't too much. */
  private void exhaust() {
    for (RateLimiter node : nodes) {
      for (Policy policy : policies) {
        Await.until("the store is asked again", () -> take(node, policy));
      }
    }
    spend(1_500);
    admitted.forEach(
        (policy, permits) -> assertTrue(permits <= LIMIT, policy + " admitted " + permits));
    assertTrue(admitted.values().stream().allMatch(permits -> permits > 0));
  }
}

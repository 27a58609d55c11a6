package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Spends one limit by each of several algorithms at three nodes, and counts what the store admits.
 *
 * <p>Confine to one thread.
 */
final class ThreeNodes implements AutoCloseable {
  private static final int NODES = 3;
  private static final int LIMIT = 300;
  private static final List<Algorithm> ALGORITHMS =
      List.of(Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW, Algorithm.TOKEN_BUCKET);

  private final List<RateLimiter> nodes = new ArrayList<>();
  private final Map<Algorithm, Integer> admitted = new EnumMap<>(Algorithm.class);

  /**
   * Opens the nodes.
   *
   * @param url the store's address
   * @param durability the store's setting; empty for the usual one
   */
  ThreeNodes(String url, String durability) {
    Map<String, String> settings =
        Map.of("weir.store.timeout", "2s", "weir.store.postgres.durability", durability);
    for (int i = 0; i < NODES; i++) {
      nodes.add(
          RateLimiter.builder()
              .store(url, name -> settings.getOrDefault(name, ""))
              .storeTimeout(Duration.ofSeconds(2))
              .startTimeout(Duration.ofMinutes(1))
              .flushInterval(Duration.ofMillis(500))
              .build());
    }
  }

  /** Asks so many times by each algorithm; returns the number not decided by the store. */
  int spend(int requests) {
    int degraded = 0;
    for (Algorithm algorithm : ALGORITHMS) {
      Policy policy =
          Policy.builder(algorithm.name())
              .limit(LIMIT)
              .window(Duration.ofDays(300))
              .algorithm(algorithm)
              .onStoreFailure(OnStoreFailure.CLOSED)
              .build();
      for (int i = 0; i < requests; i++) {
        Decision decision = nodes.get(i % NODES).tryAcquire(policy, Key.of("who"));
        boolean counts = decision.admitted() && !decision.degraded();
        admitted.merge(algorithm, counts ? 1 : 0, Integer::sum);
        degraded += decision.degraded() ? 1 : 0;
      }
    }
    return degraded;
  }

  /** Checks that each limit was spent, and no more than that. */
  void checkAdmitted() {
    System.out.println("admitted " + admitted);
    admitted.forEach(
        (algorithm, permits) ->
            assertTrue(permits <= LIMIT && permits >= 100, algorithm + " admitted " + permits));
  }

  @Override
  public void close() {
    nodes.forEach(RateLimiter::close);
  }
}

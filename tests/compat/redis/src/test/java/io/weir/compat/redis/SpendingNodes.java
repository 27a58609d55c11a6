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
import java.util.stream.IntStream;

/** Nodes that spend the same limits in turns, and how much the store let them. */
final class SpendingNodes implements AutoCloseable {
  private final List<RateLimiter> nodes = new ArrayList<>();
  private final List<Policy> policies;
  private final long limit;
  private final long[][] admitted;

  /**
   * Has no nodes yet.
   *
   * @param callers the number of callers, each with a bucket of each algorithm
   */
  SpendingNodes(long limit, Duration window, int callers, List<Algorithm> algorithms) {
    this.limit = limit;
    this.policies =
        algorithms.stream()
            .map(
                each ->
                    Policy.builder(each.name())
                        .limit(limit)
                        .window(window)
                        .algorithm(each)
                        .onStoreFailure(OnStoreFailure.CLOSED)
                        .build())
            .toList();
    this.admitted = new long[algorithms.size()][callers];
  }

  void add(RateLimiter node) {
    nodes.add(node);
  }

  /** Sends so many requests to each bucket; returns the number not decided by the store. */
  long spend(int requests) {
    return IntStream.range(0, requests).mapToLong(i -> spendBy(nodes.get(i % nodes.size()))).sum();
  }

  private long spendBy(RateLimiter node) {
    long degraded = 0;
    for (int i = 0; i < admitted.length; i++) {
      for (int caller = 0; caller < admitted[i].length; caller++) {
        Decision decision = node.tryAcquire(policies.get(i), Key.of("who" + caller));
        degraded += decision.degraded() ? 1 : 0;
        admitted[i][caller] += decision.admitted() && !decision.degraded() ? 1 : 0;
      }
    }
    return degraded;
  }

  /** Waits until the store decides for each node again. */
  void awaitStore() {
    for (RateLimiter node : nodes) {
      Await.until("the store is asked again", () -> spendBy(node) == 0);
    }
  }

  /** Checks that something of each limit was spent, and no more than the limit. */
  void checkAdmitted() {
    for (int i = 0; i < admitted.length; i++) {
      String policy = policies.get(i).name();
      for (long permits : admitted[i]) {
        assertTrue(permits > 0 && permits <= limit, () -> policy + " admitted " + permits);
      }
    }
  }

  @Override
  public void close() {
    nodes.forEach(RateLimiter::close);
  }
}

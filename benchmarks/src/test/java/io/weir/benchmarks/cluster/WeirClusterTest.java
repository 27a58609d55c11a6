package io.weir.benchmarks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.testkit.store.SimulatedStore;
import org.junit.jupiter.api.Test;

class WeirClusterTest {
  // So long that the window doesn't end during the test.
  private static final Limit FIXED = Limit.perSecond(Algorithm.FIXED_WINDOW, 10, 1_000_000);

  @Test
  void marksAnAdmissionWithTheWindowThatTheStoreCharged() {
    try (RateLimiter limiter =
        RateLimiter.builder()
            .store(new SimulatedStore(() -> Ticker.system().epochMicros()))
            .build()) {
      Cluster.Answer answer =
          WeirCluster.answer(limiter.tryAcquire(FIXED.policy(0), Key.of("caller")));
      assertTrue(answer.admitted() && !answer.degraded());
      assertEquals(Clock.micros() / FIXED.windowMicros(), answer.mark());
    }
  }
}

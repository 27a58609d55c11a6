package io.weir.benchmarks.decisions.peers;

import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import java.time.Duration;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * A limiter of Resilience4j for each caller, from its registry by name: the way its guide makes and
 * shares limiters. The registry has no bound, so it needn't track its callers. No request waits for
 * a permit; the answer says neither what is left nor when to come back.
 */
@State(Scope.Benchmark)
public class Resilience4jPerKey {
  private final RateLimiterRegistry registry =
      RateLimiterRegistry.of(
          RateLimiterConfig.custom()
              .limitForPeriod(CallerNames.LIMIT)
              .limitRefreshPeriod(Duration.ofDays(1))
              .timeoutDuration(Duration.ZERO)
              .build());

  /** Makes everybody's limiter. */
  @Setup
  public void fill(CallerNames callers) {
    for (String text : callers.texts()) {
      take(text);
    }
  }

  /** Takes one permit, if there is one. */
  public boolean take(String caller) {
    return registry.rateLimiter(caller).acquirePermission();
  }
}

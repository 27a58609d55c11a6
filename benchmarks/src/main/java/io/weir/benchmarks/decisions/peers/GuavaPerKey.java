package io.weir.benchmarks.decisions.peers;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.common.util.concurrent.RateLimiter;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * A limiter of Guava for each caller, in a cache as Bucket4j's, for Guava has nothing for callers.
 * It smooths a rate and knows no window, so the rate is what lets everybody pass. The answer says
 * neither what is left nor when to come back.
 */
@State(Scope.Benchmark)
public class GuavaPerKey {
  private Cache<String, RateLimiter> cache = Caffeine.newBuilder().build();

  /** Makes everybody's limiter. */
  @Setup
  public void fill(CallerNames callers) {
    cache = Caffeine.newBuilder().maximumSize(callers.room()).build();
    for (String text : callers.texts()) {
      take(text);
    }
  }

  /** Takes one permit, if there is one. */
  @SuppressWarnings("UnstableApiUsage") // what a user who takes it accepts
  public boolean take(String caller) {
    return cache.get(caller, any -> RateLimiter.create(CallerNames.LIMIT)).tryAcquire();
  }
}

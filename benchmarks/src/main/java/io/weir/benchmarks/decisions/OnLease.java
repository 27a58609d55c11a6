package io.weir.benchmarks.decisions;

import io.weir.Ask;
import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.compat.redis.RedisServer;
import io.weir.engine.RateLimiters;
import io.weir.store.LeasingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A limiter over a Redis of its own, which every caller has a lease of; the flushes that top them
 * up run meanwhile, as they do in an application.
 */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH calls start()
public class OnLease {
  static final long LIMIT = Policy.MAX_LIMIT;
  private static final int TOGETHER = 200;
  private static final int AHEAD = 1_000;

  /** How often leases are topped up. */
  @Param("1000")
  public int flushMillis = 1_000;

  private final Policy policy =
      Policy.builder("big").limit(LIMIT).window(Duration.ofDays(1)).build();
  private RedisServer redis;
  private CountedStore store;
  private RateLimiter limiter;

  /**
   * Starts Redis, and takes a lease for everybody. The time-outs are long enough for a machine that
   * is busy with something else: a decision without the store would be another one.
   */
  @Setup
  public void start(Callers callers) {
    redis = RedisServer.start();
    store = new CountedStore(open(redis.url()));
    limiter =
        RateLimiters.builder()
            .store(store)
            .cacheBuckets(Cached.MOST)
            .storeTimeout(Duration.ofSeconds(2))
            .flushInterval(Duration.ofMillis(flushMillis))
            .build();
    List<Key> group = new ArrayList<>();
    for (Key key : callers.made(-1)) {
      group.add(key);
      if (group.size() == TOGETHER) {
        lease(group);
        group.clear();
      }
    }
    lease(group);
  }

  private static LeasingStore open(String url) {
    Map<String, String> settings =
        Map.of("weir.secret", "of a benchmark", "weir.store.timeout", "2s");
    return (LeasingStore)
        RateLimiters.open(url, name -> settings.getOrDefault(name, ""), Ticker.system());
  }

  // What is refunded lies in the lease, from where the flushes give back what nobody uses.
  private void lease(List<Key> group) {
    group.stream()
        .map(key -> limiter.tryAcquireAsync(List.of(new Ask(policy, key, AHEAD, LIMIT))))
        .map(stage -> stage.toCompletableFuture())
        .toList()
        .stream()
        .map(CompletableFuture::join)
        .forEach(limiter::refund);
  }

  /** Stops both. */
  @TearDown
  public void stop() {
    limiter.close();
    redis.close();
  }

  CountedStore store() {
    return store;
  }

  Decision take(Key key) {
    return limiter.tryAcquire(policy, key);
  }
}

package io.weir.benchmarks.redis;

import java.time.Duration;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Redisson's limiter: an object for each caller, whose rate is set once, and a script a request.
 */
final class RedissonLimiter implements Contender {
  private final RedissonClient client;
  private final long limit;

  RedissonLimiter(int port, int threads, long limit) {
    Config config = new Config();
    config
        .useSingleServer()
        .setAddress("redis://127.0.0.1:" + port)
        .setConnectionPoolSize(threads)
        .setConnectionMinimumIdleSize(threads);
    this.client = Redisson.create(config);
    this.limit = limit;
  }

  @Override
  public void prepare(String[] callers) {
    for (String caller : callers) {
      RRateLimiter limiter = client.getRateLimiter(caller);
      limiter.trySetRate(RateType.OVERALL, limit, Duration.ofMinutes(1));
    }
  }

  @Override
  public boolean admits(String caller) {
    return client.getRateLimiter(caller).tryAcquire();
  }

  @Override
  public void close() {
    client.shutdown();
  }
}

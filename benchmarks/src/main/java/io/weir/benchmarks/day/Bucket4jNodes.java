package io.weir.benchmarks.day;

import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.RemoteBucketBuilder;
import io.github.bucket4j.redis.jedis.Bucket4jJedis;
import io.weir.benchmarks.redis.Pools;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import redis.clients.jedis.RedisClient;

/**
 * Bucket4j's proxies of buckets in Redis, over Jedis: one bucket with both limits for each user, a
 * read and a compare-and-swap for each request.
 */
final class Bucket4jNodes implements Nodes {
  private static final Duration MINUTE = Duration.ofMillis(MINUTE_MILLIS);
  private static final Duration HOUR = Duration.ofMillis(HOUR_MILLIS);
  private static final BucketConfiguration CONFIGURATION =
      BucketConfiguration.builder()
          .addLimit(bandwidth(PER_MINUTE, MINUTE))
          .addLimit(bandwidth(PER_HOUR, HOUR))
          .build();

  private final LongAdder requests = new LongAdder();
  private final List<RedisClient> pools = new ArrayList<>();
  private final List<RemoteBucketBuilder<byte[]>> builders = new ArrayList<>();

  Bucket4jNodes(int port, int threads) {
    for (int i = 0; i < COUNT; i++) {
      RedisClient pool = Pools.pool(port, threads);
      pools.add(pool);
      builders.add(
          Bucket4jJedis.casBasedBuilder(pool)
              .expirationAfterWrite(
                  ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(HOUR))
              .build()
              .builder());
    }
  }

  private static Bandwidth bandwidth(int limit, Duration window) {
    return Bandwidth.builder().capacity(limit).refillGreedy(limit, window).build();
  }

  @Override
  public boolean admits(int node, String user) {
    requests.increment();
    byte[] key = user.getBytes(StandardCharsets.UTF_8);
    return builders
        .get(node)
        .build(key, () -> CONFIGURATION)
        .tryConsumeAndReturnRemaining(1)
        .isConsumed();
  }

  /** A read and a write; those that are tried again come to more. */
  @Override
  public long exchanges() {
    return 2 * requests.sum();
  }

  @Override
  public double withoutIoPercent() {
    return 0;
  }

  @Override
  public void close() {
    pools.forEach(RedisClient::close);
  }
}

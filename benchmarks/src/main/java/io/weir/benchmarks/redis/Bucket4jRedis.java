package io.weir.benchmarks.redis;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.distributed.proxy.RemoteBucketBuilder;
import io.github.bucket4j.distributed.proxy.optimization.DelayParameters;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;
import io.github.bucket4j.redis.jedis.Bucket4jJedis;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Function;
import redis.clients.jedis.RedisClient;

/**
 * Bucket4j's proxies of buckets in Redis, over Jedis. Its documentation has a proxy made for each
 * request unless an optimization is used, since that lives in the proxy: then proxies are kept,
 * here in a cache as Weir has one.
 */
final class Bucket4jRedis implements Contender {
  private static final Duration WINDOW = Duration.ofMinutes(1);

  private final RedisClient pool;
  private final Function<String, Bucket> buckets;

  private Bucket4jRedis(RedisClient pool, Function<String, Bucket> buckets) {
    this.pool = pool;
    this.buckets = buckets;
  }

  /** Each request is a read and a compare-and-swap in Redis. */
  static Contender plain(int port, int threads, long limit) {
    RedisClient pool = Pools.pool(port, threads);
    RemoteBucketBuilder<byte[]> builder = manager(pool).builder();
    BucketConfiguration configuration = configuration(limit);
    return new Bucket4jRedis(pool, caller -> bucket(builder, caller, configuration));
  }

  /** Counts requests here and reports them to Redis every 100 ms, or at 1,000 unreported ones. */
  static Contender delaying(int port, int threads, long limit) {
    RedisClient pool = Pools.pool(port, threads);
    DelayParameters delays = new DelayParameters(1_000, Duration.ofMillis(100));
    RemoteBucketBuilder<byte[]> builder =
        manager(pool).builder().withOptimization(Optimizations.delaying(delays));
    BucketConfiguration configuration = configuration(limit);
    Cache<String, Bucket> kept = Caffeine.newBuilder().maximumSize(100_000).build();
    return new Bucket4jRedis(
        pool, caller -> kept.get(caller, name -> bucket(builder, name, configuration)));
  }

  private static ProxyManager<byte[]> manager(RedisClient pool) {
    return Bucket4jJedis.casBasedBuilder(pool)
        .expirationAfterWrite(
            ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(WINDOW))
        .build();
  }

  private static BucketConfiguration configuration(long limit) {
    Bandwidth bandwidth = Bandwidth.builder().capacity(limit).refillGreedy(limit, WINDOW).build();
    return BucketConfiguration.builder().addLimit(bandwidth).build();
  }

  private static Bucket bucket(
      RemoteBucketBuilder<byte[]> builder, String caller, BucketConfiguration configuration) {
    return builder.build(caller.getBytes(StandardCharsets.UTF_8), () -> configuration);
  }

  @Override
  public boolean admits(String caller) {
    return buckets.apply(caller).tryConsumeAndReturnRemaining(1).isConsumed();
  }

  @Override
  public void close() {
    pool.close();
  }
}

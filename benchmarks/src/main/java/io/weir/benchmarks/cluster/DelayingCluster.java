package io.weir.benchmarks.cluster;

import io.github.bucket4j.BandwidthBuilder.BandwidthBuilderBuildStage;
import io.github.bucket4j.BandwidthBuilder.BandwidthBuilderRefillStage;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.BucketProxy;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.distributed.proxy.optimization.DelayParameters;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;
import io.github.bucket4j.redis.jedis.Bucket4jJedis;
import io.weir.compat.redis.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.RedisClient;

/**
 * Nodes that limit by Bucket4j over Jedis, which report to the store what they have admitted at the
 * latest after 100 ms.
 *
 * <p>As its documentation has it: one proxy manager a node with an expiry by the time to refill;
 * one proxy a bucket and node, kept, since an optimization lives in the proxy; {@code delaying}
 * with a bound on time and on permits, here an equal share of the limit, which is never reached. A
 * fixed window is a bandwidth refilled all at once at whole windows of the clock; the nearest it
 * has to a sliding one is a bucket refilled greedily, which promises less: a whole limit at once
 * and what came in since.
 */
final class DelayingCluster implements Cluster {
  private static final Pattern SCRIPTS = Pattern.compile("cmdstat_eval(?:sha)?:calls=(\\d+)");
  private static final Duration DELAY = Duration.ofMillis(100);
  private static final Duration SPARE = Duration.ofSeconds(10);

  private final RedisServer redis;
  private final List<RedisClient> clients = new ArrayList<>();
  private final List<ProxyManager<byte[]>> managers = new ArrayList<>();
  private final List<Map<String, BucketProxy>> proxies = new ArrayList<>();

  /** Nodes that have a Redis to themselves. */
  DelayingCluster(RedisServer redis) {
    this.redis = redis;
    for (int i = 0; i < NODES; i++) {
      RedisClient client = RedisClient.create("127.0.0.1", redis.port());
      clients.add(client);
      managers.add(
          Bucket4jJedis.casBasedBuilder(client)
              .expirationAfterWrite(
                  ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(SPARE))
              .build());
      proxies.add(new ConcurrentHashMap<>());
    }
  }

  @Override
  public Answer ask(int node, Limit limit, String key) {
    boolean admitted =
        proxies
            .get(node)
            .computeIfAbsent(limit.word() + ":" + key, name -> proxy(node, limit, name))
            .tryConsume(1);
    return new Answer(admitted, false, 0);
  }

  private BucketProxy proxy(int node, Limit limit, String name) {
    DelayParameters delay = new DelayParameters(limit.permits() / NODES, DELAY);
    return managers
        .get(node)
        .builder()
        .withOptimization(Optimizations.delaying(delay))
        .build(name.getBytes(StandardCharsets.UTF_8), () -> configuration(limit));
  }

  private static BucketConfiguration configuration(Limit limit) {
    return BucketConfiguration.builder()
        .addLimit(all -> refilled(limit, all.capacity(limit.permits())))
        .build();
  }

  private static BandwidthBuilderBuildStage refilled(
      Limit limit, BandwidthBuilderRefillStage bandwidth) {
    return limit.fixed()
        ? bandwidth.refillIntervallyAligned(limit.permits(), limit.window(), nextWindow(limit))
        : bandwidth.refillGreedy(limit.permits(), limit.window());
  }

  private static Instant nextWindow(Limit limit) {
    long millis = limit.window().toMillis();
    return Instant.ofEpochMilli((Clock.micros() / 1_000 / millis + 1) * millis);
  }

  @Override
  public boolean marks() {
    return false;
  }

  /** Writes, of all limits: the server doesn't know whose they are. Before each comes a read. */
  @Override
  public long exchanges(Limit limit) {
    Matcher calls = SCRIPTS.matcher(redis.ask("info", "commandstats"));
    long sum = 0;
    while (calls.find()) {
      sum += Long.parseLong(calls.group(1));
    }
    return sum;
  }

  @Override
  public void close() {
    clients.forEach(RedisClient::close);
  }
}

package io.weir.benchmarks.redis;

import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.RedisClient;

/** Pools of connections with one for each thread, so that no thread waits for one. */
public final class Pools {
  private Pools() {}

  /** Returns such a pool to a Redis on this machine. */
  public static RedisClient pool(int port, int threads) {
    ConnectionPoolConfig config = new ConnectionPoolConfig();
    config.setMaxTotal(threads);
    config.setMaxIdle(threads);
    return RedisClient.builder().hostAndPort("127.0.0.1", port).poolConfig(config).build();
  }
}

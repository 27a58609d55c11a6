package io.weir.benchmarks.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;
import redis.clients.jedis.RedisClient;

/**
 * Limits by one script per request, as most people write it: by EVALSHA over a pool with one
 * connection per thread. It counts in fixed windows that begin with the first request, the cheapest
 * of the usual recipes.
 */
public final class ScriptEach implements Contender {
  static final String SCRIPT =
      """
      local count = redis.call('INCR', KEYS[1])
      if count == 1 then
        redis.call('PEXPIRE', KEYS[1], ARGV[2])
      end
      if count > tonumber(ARGV[1]) then
        return {0, 0, redis.call('PTTL', KEYS[1])}
      end
      return {1, ARGV[1] - count, 0}
      """;
  static final String WINDOW_MILLIS = "60000";

  private final RedisClient pool;
  private final byte[] sha;
  private final byte[] limit;
  private final byte[] window = bytes(WINDOW_MILLIS);

  /** So many requests a minute, by a Redis on this machine. */
  public ScriptEach(int port, int threads, long limit) {
    pool = Pools.pool(port, threads);
    this.limit = bytes(Long.toString(limit));
    sha = bytes(pool.scriptLoad(SCRIPT));
  }

  @Override
  public boolean admits(String caller) {
    Object answer = pool.evalsha(sha, 1, bytes("limit:" + caller), limit, window);
    return answer instanceof List<?> numbers && Long.valueOf(1).equals(numbers.get(0));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    pool.close();
  }
}

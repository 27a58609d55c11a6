package io.weir.benchmarks.day;

import io.weir.benchmarks.redis.Pools;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import redis.clients.jedis.RedisClient;

/** One script for each request, which counts in two fixed windows: both limits in one call. */
final class ScriptNodes implements Nodes {
  private static final String SCRIPT =
      """
      for i = 1, 2 do
        local count = redis.call('INCR', KEYS[i])
        if count == 1 then
          redis.call('PEXPIRE', KEYS[i], ARGV[2 * i])
        end
        if count > tonumber(ARGV[2 * i - 1]) then
          return {0, 0, redis.call('PTTL', KEYS[i])}
        end
      end
      return {1, 0, 0}
      """;

  private static final byte[] PERMITS_A_MINUTE = bytes("" + PER_MINUTE);
  private static final byte[] A_MINUTE = bytes("" + MINUTE_MILLIS);
  private static final byte[] PERMITS_AN_HOUR = bytes("" + PER_HOUR);
  private static final byte[] AN_HOUR = bytes("" + HOUR_MILLIS);

  private final LongAdder exchanges = new LongAdder();
  private final List<RedisClient> pools = new ArrayList<>();
  private final byte[] sha;

  ScriptNodes(int port, int threads) {
    for (int i = 0; i < COUNT; i++) {
      pools.add(Pools.pool(port, threads));
    }
    sha = bytes(pools.get(0).scriptLoad(SCRIPT));
  }

  @Override
  public boolean admits(int node, String user) {
    exchanges.increment();
    Object answer =
        pools
            .get(node)
            .evalsha(
                sha,
                2,
                bytes("minute:" + user),
                bytes("hour:" + user),
                PERMITS_A_MINUTE,
                A_MINUTE,
                PERMITS_AN_HOUR,
                AN_HOUR);
    return answer instanceof List<?> numbers && Long.valueOf(1).equals(numbers.get(0));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public long exchanges() {
    return exchanges.sum();
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

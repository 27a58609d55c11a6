package io.weir.benchmarks.redis;

import io.weir.compat.redis.RedisServer;

/** Counts and removes the callers in a Redis. */
public final class RedisCallers implements CallerStore {
  /** Leaves what Redis knows of itself: a loss of that would be reported again. */
  private static final String FORGET =
      """
      local own = {['weir:nodes'] = true, ['weir:epoch'] = true, ['weir:neighbours'] = true}
      for _, key in ipairs(redis.call('KEYS', '*')) do
        if not own[key] then redis.call('DEL', key) end
      end
      """;

  private final RedisServer server;

  /** Takes over a server, which it closes. */
  public RedisCallers(RedisServer server) {
    this.server = server;
  }

  @Override
  public void forgetCallers() {
    server.ask("EVAL", FORGET, "0");
  }

  @Override
  public long callers() {
    long keys = Long.parseLong(server.ask("DBSIZE"));
    return keys
        - Long.parseLong(server.ask("EXISTS", "weir:nodes", "weir:epoch", "weir:neighbours"));
  }

  @Override
  public long cpuNanos() {
    return RedisWork.of(server).cpuNanos();
  }

  @Override
  public void close() {
    server.close();
  }
}

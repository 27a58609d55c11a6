package io.weir.internal.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.redis.address.RedisAddress;
import io.weir.internal.redis.address.RedisAddressParser;
import io.weir.internal.redis.address.RedisSettings;
import io.weir.internal.redis.connection.RedisConnections;
import io.weir.test.log.LogLines;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The memory section of INFO, and when it causes a warning. */
class EvictionCheckTest {
  private static final RedisAddress NOWHERE =
      RedisAddressParser.parse(URI.create("redis://127.0.0.1:1"));

  private final LogLines log = new LogLines();
  private final RedisConnections connections =
      new RedisConnections(NOWHERE, new RedisSettings(name -> ""), io.weir.Ticker.system());
  private final EvictionCheck eviction = new EvictionCheck(connections);

  @AfterEach
  void leave() {
    log.close();
    connections.close();
  }

  private static String info(long maxmemory, String policy) {
    return String.format(
        Locale.ROOT,
        "# Memory\r\nused_memory:1\r\nmaxmemory:%d\r\nmaxmemory_human:1B\r\nmaxmemory_policy:%s\r\n",
        maxmemory,
        policy);
  }

  @Test
  void oneThatEvictsIsWorthALine() {
    eviction.read(0, info(1_000, "volatile-ttl"));
    assertEquals(1, log.lines().size());
    assertTrue(log.lines().get(0).startsWith("WARNING Redis evicts keys"), log.lines()::toString);
    assertTrue(
        log.lines().get(0).contains("(maxmemory-policy volatile-ttl)"), log.lines()::toString);
  }

  @Test
  void oneThatDoesNotOrCannotIsNone() {
    eviction.read(0, info(1_000, "noeviction"));
    eviction.read(0, info(0, "allkeys-lru"));
    eviction.read(0, "");
    eviction.read(0, "nonsense\nmaxmemory");
    assertEquals(List.of(), log.lines());
  }

  @Test
  void itIsSaidOnceUntilAllMastersAreMended() {
    eviction.read(0, info(1_000, "allkeys-lru"));
    eviction.read(1, info(1_000, "allkeys-lru"));
    eviction.read(0, info(1_000, "noeviction"));
    eviction.read(0, info(1_000, "allkeys-lru"));
    assertEquals(1, log.lines().size(), log.lines()::toString);
    eviction.read(0, info(1_000, "noeviction"));
    eviction.read(1, info(1_000, "noeviction"));
    eviction.read(1, info(1_000, "allkeys-lru"));
    assertEquals(2, log.lines().size(), log.lines()::toString);
  }
}

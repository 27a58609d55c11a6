package io.weir.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.redis.address.RedisAddress;
import io.weir.redis.address.RedisSettings;
import io.weir.redis.link.Links;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What INFO says of memory, and when that is worth a line. */
class EvictionTest {
  private static final RedisAddress NOWHERE = RedisAddress.parse(URI.create("redis://127.0.0.1:1"));

  private final Logger log = Logger.getLogger("io.weir");
  private final List<String> lines = new ArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          lines.add(line.getLevel() + " " + line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };
  private final Links links =
      new Links(NOWHERE, RedisSettings.read(NOWHERE, name -> ""), io.weir.Ticker.system());
  private final Eviction eviction = new Eviction(links);

  @BeforeEach
  void listen() {
    log.addHandler(handler);
    log.setUseParentHandlers(false);
  }

  @AfterEach
  void leave() {
    log.removeHandler(handler);
    log.setUseParentHandlers(true);
    links.close();
  }

  private static String info(long maxmemory, String policy) {
    return "# Memory\r\nused_memory:1\r\nmaxmemory:%d\r\nmaxmemory_human:1B\r\nmaxmemory_policy:%s\r\n"
        .formatted(maxmemory, policy);
  }

  @Test
  void oneThatEvictsIsWorthALine() {
    eviction.read(0, info(1_000, "volatile-ttl"));
    assertEquals(1, lines.size());
    assertTrue(lines.get(0).startsWith("WARNING Redis evicts keys"), lines::toString);
    assertTrue(lines.get(0).contains("(maxmemory-policy volatile-ttl)"), lines::toString);
  }

  @Test
  void oneThatDoesNotOrCannotIsNone() {
    eviction.read(0, info(1_000, "noeviction"));
    eviction.read(0, info(0, "allkeys-lru"));
    eviction.read(0, "");
    eviction.read(0, "nonsense\nmaxmemory");
    assertEquals(List.of(), lines);
  }

  @Test
  void itIsSaidOnceUntilAllMastersAreMended() {
    eviction.read(0, info(1_000, "allkeys-lru"));
    eviction.read(1, info(1_000, "allkeys-lru"));
    eviction.read(0, info(1_000, "noeviction"));
    eviction.read(0, info(1_000, "allkeys-lru"));
    assertEquals(1, lines.size(), lines::toString);
    eviction.read(0, info(1_000, "noeviction"));
    eviction.read(1, info(1_000, "noeviction"));
    eviction.read(1, info(1_000, "allkeys-lru"));
    assertEquals(2, lines.size(), lines::toString);
  }
}

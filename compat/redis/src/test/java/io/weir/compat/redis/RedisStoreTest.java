package io.weir.compat.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** What a store on one Redis does while all is well, and when something is odd. */
class RedisStoreTest {
  @Test
  void countsInRedis() {
    try (Asker one = new Asker(RedisServer.shared(), "prefix", RedisServer.prefix())) {
      assertEquals("left 9", one.left("a"));
      assertEquals("left 8", one.left("a"));
      assertEquals("left 9", one.left("b"));
    }
  }
}

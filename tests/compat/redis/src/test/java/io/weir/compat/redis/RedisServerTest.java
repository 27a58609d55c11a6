package io.weir.compat.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

class RedisServerTest {
  @Test
  void answersAndForgetsEverythingByRestart() {
    try (RedisServer server = RedisServer.start("maxmemory 100mb")) {
      assertEquals("OK", server.ask("SET", "a", "b"));
      assertEquals("maxmemory\n104857600", server.ask("CONFIG", "GET", "maxmemory"));
      long before = server.pid();
      server.restart();
      assertNotEquals(before, server.pid());
      assertEquals("", server.ask("GET", "a"));
    }
  }

  @Test
  void answersNothingWhilePaused() {
    try (RedisServer server = RedisServer.start()) {
      server.pause();
      assertFalse(new RedisLine(server.port()).answers());
      server.resume();
      assertEquals("PONG", server.ask("PING"));
    }
  }

  @Test
  void isGoneOnceStopped() {
    try (RedisServer server = RedisServer.start()) {
      server.stop();
      assertThrows(UncheckedIOException.class, () -> server.ask("PING"));
    }
  }
}

package io.weir.compat.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Ticker;
import io.weir.internal.redis.RedisProvider;
import io.weir.store.LeasingStore;
import io.weir.test.log.LogLines;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Problems of its Redis that a node warns of in advance. */
class WarningsTest {
  private final LogLines log = new LogLines();
  private final RedisServer server = RedisServer.start();
  private final AtomicLong ahead = new AtomicLong();

  /** The node's clock, which a test moves as if the clock of Redis had moved the other way. */
  private final Ticker ticker =
      new Ticker() {
        @Override
        public long nanoTime() {
          return Ticker.system().nanoTime() + ahead.get();
        }

        @Override
        public long epochMicros() {
          return Ticker.system().epochMicros();
        }
      };

  @AfterEach
  void close() {
    server.close();
    log.close();
  }

  private LeasingStore open(String user) {
    Map<String, String> settings =
        Map.of("weir.store.timeout", "5s", "weir.secret", "s", "weir.store.redis.user", user);
    return (LeasingStore)
        new RedisProvider()
            .open(
                URI.create(server.url()),
                name ->
                    name.endsWith("password") && !user.isEmpty()
                        ? "pw"
                        : settings.getOrDefault(name, ""),
                ticker);
  }

  private static void beat(LeasingStore store) {
    assertEquals(1, Asker.await(store.heartbeat("n")).live());
  }

  @Test
  void anEvictingOneIsToldOfOnceWithWhatMendsIt() {
    server.ask("CONFIG", "SET", "maxmemory", "100mb");
    server.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
    try (LeasingStore store = open("")) {
      for (int i = 0; i < 5; i++) {
        beat(store);
      }
      Await.until("it is logged", () -> !log.warnings().isEmpty());
    }
    assertEquals(1, log.warnings().size(), log.warnings()::toString);
    assertTrue(log.warnings().get(0).contains("Set maxmemory-policy noeviction"));
  }

  @Test
  void whoMayNotAskIsNotWarnedAndNotHarmed() {
    server.ask("CONFIG", "SET", "maxmemory", "100mb");
    server.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
    server.ask("ACL", "SETUSER", "joe", "on", ">pw", "~*", "+@all", "-info");
    try (LeasingStore store = open("joe")) {
      beat(store);
      Await.until("it was refused", () -> server.ask("ACL", "LOG").contains("info"));
      beat(store);
    }
    assertEquals(List.of(), log.warnings());
    assertEquals(List.of(), log.errors());
  }

  @Test
  void aHeartbeatIsHeardThoughTheLogFails() {
    try (LeasingStore store = open("")) {
      beat(store);
      log.breakDown();
      ahead.set(Duration.ofMinutes(-2).toNanos());
      beat(store);
    }
    assertEquals(1, log.warnings().size(), "it was tried");
  }

  @Test
  void aClockThatJumpsIsToldOf() {
    try (LeasingStore store = open("")) {
      beat(store);
      beat(store);
      assertEquals(List.of(), log.warnings());
      ahead.set(Duration.ofMinutes(-2).toNanos());
      beat(store);
      beat(store);
    }
    assertEquals(1, log.warnings().size(), log.warnings()::toString);
    assertTrue(log.warnings().get(0).startsWith("The clock of Redis jumped ahead by 1"));
  }
}

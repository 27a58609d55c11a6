package io.weir.compat.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A store that is closed leaves nothing behind. */
class CloseTest {
  private final Set<Thread> before = Set.copyOf(threadsOfAll());

  @Test
  void noThreadAndNoConnection() {
    try (RedisServer server = RedisServer.start()) {
      Asker asker = new Asker(server.url());
      assertEquals("left 9", asker.left("a"));
      assertFalse(threads().isEmpty());
      threads().forEach(each -> assertTrue(each.isDaemon()));
      asker.close();
      asker.close();
      Await.until("no thread", () -> threads().isEmpty());
      Await.until("no client", () -> server.ask("CLIENT", "LIST").lines().count() == 1);
      assertTrue(asker.left("a").contains("closed"), asker.left("a"));
      assertEquals(List.of(), threads());
    }
  }

  @Test
  void notEvenWhileRedisIsStopped() {
    try (RedisServer server = RedisServer.start()) {
      Asker asker = new Asker(server.url(), "store.timeout", "100ms");
      Await.until("it answers", asker::answers);
      server.pause();
      CompletableFuture<?> waiting =
          asker.store.execute(List.of(Asker.claim("a"))).toCompletableFuture();
      asker.close();
      waiting.handle((done, failed) -> failed).join();
      assertTrue(waiting.isCompletedExceptionally());
      Await.until("no thread", () -> threads().isEmpty());
    }
  }

  /** Those that began in this test: of earlier ones some may end later. */
  private List<Thread> threads() {
    return threadsOfAll().stream().filter(each -> !before.contains(each)).toList();
  }

  private static List<Thread> threadsOfAll() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(each -> each.getName().startsWith("weir-redis-"))
        .toList();
  }
}

package io.weir.compat.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.annotation.OnStoreFailure;
import io.weir.store.Claim;
import io.weir.store.Epoch;
import io.weir.store.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Threads that read from Redis themselves, while it is frozen. */
class FrozenRedisTest {
  private static final int CALLERS = 8;
  private static final long SHORT_MICROS = 50_000;
  private static final long LONG_MICROS = 60_000_000;

  private final RedisServer server = RedisServer.start();

  @AfterEach
  void close() {
    server.close();
  }

  private static CompletionStage<List<Optional<Grant>>> exchange(
      Asker asker, String name, long mostMicros) {
    List<Claim> one = List.of(Asker.claim(name));
    return asker.store.executeBlocking(0, Epoch.NONE, one, mostMicros, () -> {});
  }

  private static long left(CompletionStage<List<Optional<Grant>>> answer) {
    return Asker.await(answer).get(0).orElseThrow().left();
  }

  @Test
  void aThreadThatReadsWaitsNoLongerThanItMay() {
    try (Asker asker = new Asker(server.url())) {
      assertEquals(9, left(asker.store.execute(List.of(Asker.claim("a"))))); // it is connected
      CompletionStage<List<Optional<Grant>>> read = exchange(asker, "a", LONG_MICROS);
      assertTrue(read.toCompletableFuture().isDone(), "answered in this thread");
      server.pause();
      CompletionStage<List<Optional<Grant>>> late = exchange(asker, "a", SHORT_MICROS);
      assertFalse(late.toCompletableFuture().isDone(), "it is back, without an answer");
      server.resume();
      assertEquals(7, left(late), "which another thread reads");
      assertEquals(9, left(exchange(asker, "b", LONG_MICROS)), "and answers are still in step");
      assertEquals(6, left(exchange(asker, "a", LONG_MICROS)));
    }
  }

  @Test
  void aScriptThatRedisForgotIsSentAgain() {
    try (Asker asker = new Asker(server.url())) {
      assertEquals(9, left(asker.store.execute(List.of(Asker.claim("a")))));
      server.ask("SCRIPT", "FLUSH");
      assertEquals(8, left(exchange(asker, "a", LONG_MICROS)));
      assertEquals(7, left(exchange(asker, "a", LONG_MICROS)));
    }
  }

  /** Otherwise a caller that waits when a call is given up would wait for the next one as well. */
  @Test
  void isSilentUntilItAnswersWhateverIsSentMeanwhile() {
    try (Asker asker = new Asker(server.url(), "store.redis.command-timeout", "200ms")) {
      Await.until("it answers", asker::answers);
      server.pause();
      long silent = 0;
      for (int call = 0; call < 4; call++) {
        assertFalse(asker.answers(), "over another connection each time");
        long before = silent;
        silent = asker.store.silentMicros(0);
        assertTrue(silent > before, before + " µs, then " + silent);
      }
      server.resume();
      Await.until("it answers", asker::answers);
      assertEquals(0, asker.store.silentMicros(0));
    }
  }

  @Test
  void eachOfManyCallersIsDecidedInTime() throws Exception {
    Policy policy =
        Policy.builder("frozen")
            .limit(1_000)
            .window(Duration.ofHours(1))
            .onStoreFailure(OnStoreFailure.OPEN)
            .build();
    ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
    try (RateLimiter limiter =
        RateLimiter.builder()
            .store(server.url(), name -> "")
            .storeTimeout(Duration.ofMillis(300))
            .build()) {
      Await.until("it answers", () -> !limiter.tryAcquire(policy, Key.of("first")).degraded());
      server.pause();
      List<CompletableFuture<Decision>> decisions = new ArrayList<>();
      for (int i = 0; i < 4 * CALLERS; i++) {
        Key key = Key.of("key" + i);
        decisions.add(
            CompletableFuture.supplyAsync(() -> limiter.tryAcquire(policy, key), threads));
      }
      for (CompletableFuture<Decision> each : decisions) {
        assertTrue(each.get(60, TimeUnit.SECONDS).degraded(), "while Redis is still frozen");
      }
      server.resume();
      Await.until("it answers", () -> !limiter.tryAcquire(policy, Key.of("last")).degraded());
    } finally {
      threads.shutdownNow();
    }
  }
}

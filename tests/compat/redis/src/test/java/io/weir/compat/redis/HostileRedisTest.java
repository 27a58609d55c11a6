package io.weir.compat.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.seeds.Seeds;
import io.weir.store.Grant;
import io.weir.test.log.LogLines;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A Redis that answers whatever it likes kills no thread, exhausts no memory and makes no caller
 * wait; and once it is itself again, everything is exact again.
 */
class HostileRedisTest {
  private static final long SEED = Seeds.first();
  private static final int CASES = Seeds.times(90);
  private static final AtomicInteger TOLD = new AtomicInteger();

  private final Queue<Throwable> deaths = new ConcurrentLinkedQueue<>();
  private final AtomicInteger tries = new AtomicInteger();
  private final LogLines log = new LogLines();
  private final RedisServer server = RedisServer.start();

  @BeforeEach
  void watch() {
    Thread.setDefaultUncaughtExceptionHandler((thread, death) -> deaths.add(death));
  }

  @AfterEach
  void close() {
    Thread.setDefaultUncaughtExceptionHandler(null);
    server.close();
    log.close();
  }

  @AfterAll
  static void tell() {
    System.out.printf(Locale.ROOT, "a hostile Redis: %,d calls, seed %d%n", TOLD.get(), SEED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://127.0.0.1:%d",
        "redis://:password@127.0.0.1:%d/3",
        "redis-sentinel://127.0.0.1:%d/master",
        "redis-cluster://127.0.0.1:%d"
      })
  void aStoreOutlivesIt(String url) throws Exception {
    boolean login = url.contains("password");
    try (HostileRedis redis = new HostileRedis(server.port(), SEED);
        Asker asker =
            new Asker(String.format(Locale.ROOT, url, redis.port()), "store.timeout", "100ms")) {
      for (int round = 0; round < 3; round++) {
        redis.turn(true);
        for (int i = 0; i < CASES / 3; i++) {
          harmless(asker, "round " + round + " call " + i);
          asker.store.heartbeat("node").whenComplete((answer, failure) -> TOLD.incrementAndGet());
        }
        redis.turn(false);
        if (!login) { // the real one wants no password
          String name = "seed " + SEED + " round " + round;
          Await.until("it is exact again", () -> isExact(asker, name));
        }
      }
      assertEquals(List.of(), List.copyOf(deaths), "seed " + SEED);
    }
  }

  /** Returns false if a connection of before still ends; what is answered must be exact. */
  private boolean isExact(Asker asker, String name) {
    String bucket = name + " try " + tries.incrementAndGet();
    List<String> answers = List.of(asker.left(bucket), asker.left(bucket));
    if (!answers.stream().allMatch(each -> each.startsWith("left "))) {
      return false;
    }
    assertEquals(List.of("left 9", "left 8"), answers);
    return true;
  }

  private static String setting(String name) {
    return name.equals("weir.secret") ? "of the tests" : "";
  }

  private static void harmless(Asker asker, String name) {
    TOLD.incrementAndGet();
    try {
      for (Optional<Grant> grant : asker.execute(name, "hot")) {
        assertTrue(grant.isEmpty() || grant.get().permits() <= 1, "seed " + SEED + ": " + grant);
      }
    } catch (ExecutionException failed) {
      // With a reason, which is all that is asked for.
      assertTrue(failed.getCause().getMessage() != null, "seed " + SEED);
    }
  }

  /** Returns false if an answer came too late; else all must be exact. */
  private boolean isExact(RateLimiter limiter, Policy policy) {
    Key key = Key.of("exactly, try " + tries.incrementAndGet());
    int admitted = 0;
    for (int i = 0; i < 3 * policy.limit(); i++) {
      Decision decision = limiter.tryAcquire(policy, key);
      if (decision.degraded()) {
        return false;
      }
      admitted += decision.admitted() ? 1 : 0;
    }
    assertEquals(policy.limit(), admitted, "seed " + SEED);
    return true;
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis://127.0.0.1:%d", "redis-cluster://127.0.0.1:%d"})
  void aNodeOutlivesItAndIsExactAfterwards(String url) throws Exception {
    try (HostileRedis redis = new HostileRedis(server.port(), SEED);
        RateLimiter limiter =
            RateLimiter.builder()
                .store(String.format(Locale.ROOT, url, redis.port()), HostileRedisTest::setting)
                .build()) {
      Policy policy =
          Policy.builder("p")
              .limit(10)
              .window(Duration.ofDays(366))
              .algorithm(Algorithm.FIXED_WINDOW)
              .build();
      redis.turn(true);
      for (int i = 0; i < CASES; i++) {
        TOLD.incrementAndGet();
        Decision decision = limiter.tryAcquire(policy, Key.of("caller" + i % 7));
        assertTrue(decision.remaining() >= 0 && decision.remaining() <= 10, decision.toString());
        assertTrue(!decision.retryAfter().isNegative(), decision.toString());
      }
      redis.turn(false);
      Await.until("it decides with the store", () -> isExact(limiter, policy));
      assertEquals(List.of(), List.copyOf(deaths), "seed " + SEED);
    }
  }
}

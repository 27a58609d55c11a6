package io.weir.compat.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.seeds.Seeds;
import io.weir.store.Membership;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Many nodes on one Redis, and damaged values of theirs. */
class NodesTest {
  private static final int MANY = 300;

  /** Limiters in this process, each with connections of its own. */
  private static final int LIMITERS = Seeds.deep() ? 1_000 : 40;

  private static final int EACH = 20;
  private static final long LIMIT = LIMITERS * EACH / 2L;

  private static Membership heartbeat(Asker who, String node) {
    return Asker.await(who.store.heartbeat(node));
  }

  private static long calls(RedisServer server, String command) {
    Matcher found =
        Pattern.compile("cmdstat_" + command + ":calls=(\\d+)")
            .matcher(server.ask("INFO", "commandstats"));
    return found.find() ? Long.parseLong(found.group(1)) : 0;
  }

  @Test
  void oneOfManyNodesInTurnReadsAllAndSharesNeverExceedTheWhole() {
    try (RedisServer server = RedisServer.start();
        Asker asker = new Asker(server.url())) {
      Map<String, Integer> shares = new HashMap<>();
      long before = 0;
      for (int round = 0; round < 4; round++) {
        before = calls(server, "hgetall");
        for (int i = 0; i < MANY; i++) {
          Membership answer = heartbeat(asker, "node " + i);
          assertTrue(round == 0 ? answer.live() == i + 1 : answer.live() == MANY, answer::toString);
          shares.put("node " + i, answer.share());
          int sum = shares.values().stream().mapToInt(Integer::intValue).sum();
          assertTrue(sum <= 2 * Membership.WHOLE, "all have " + sum);
        }
      }
      // The last of several rounds: as many as whole intervals of 3 s have passed, and neighbours.
      long read = calls(server, "hgetall") - before;
      assertTrue(read < MANY, read + " times all nodes were read");
      assertEquals("1", server.ask("HEXISTS", "weir:nodes", ""));
      Asker.await(asker.store.leave("node 0"));
      assertTrue(heartbeat(asker, "node 1").live() >= MANY - 1);
    }
  }

  @Test
  void damagedValuesCountAsNone() {
    try (RedisServer server = RedisServer.start();
        Asker asker = new Asker(server.url())) {
      String far = "9999999999999999";
      server.ask("HSET", "weir:nodes", "a", "?", "b", far + ":5:0:0", "c", far + ":999999999:0:0");
      server.ask("HSET", "weir:nodes", "", "1:2:3:4", "d", "");
      assertEquals(new Membership(1, Membership.WHOLE), heartbeat(asker, "node"));
      server.ask("HSET", "weir:nodes", "node", "?", "", far + ":-1:x");
      assertEquals(new Membership(1, Membership.WHOLE), heartbeat(asker, "node"));
      server.ask("SET", "weir:nodes", "of another type");
      assertEquals(new Membership(1, Membership.WHOLE), heartbeat(asker, "node"));
      assertEquals("1", server.ask("HLEN", "weir:nodes"));
    }
  }

  @Test
  void manyLimitersTogetherGetTheLimitAndNoMore() {
    ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(2);
    ExecutorService callers = Executors.newFixedThreadPool(8);
    List<RateLimiter> limiters = new ArrayList<>();
    AtomicLong admitted = new AtomicLong();
    Policy policy =
        Policy.builder("all")
            .limit(LIMIT)
            .window(Duration.ofDays(366))
            .algorithm(Algorithm.FIXED_WINDOW)
            .build();
    try (RedisServer server = RedisServer.start()) {
      for (int i = 0; i < LIMITERS; i++) {
        limiters.add(
            RateLimiter.builder()
                .store(new Asker(server.url()).store)
                .scheduler(scheduler)
                .storeTimeout(Duration.ofSeconds(5))
                .onStoreFailure(() -> OnStoreFailure.CLOSED)
                .build());
      }
      CompletableFuture.allOf(
              limiters.stream()
                  .map(
                      each ->
                          CompletableFuture.runAsync(() -> ask(each, policy, admitted), callers))
                  .toArray(CompletableFuture[]::new))
          .join();
      Await.until(
          "all is spent but for what far leases hold, once others gave back what they leased",
          () -> {
            ask(limiters.get(0), policy, admitted);
            return admitted.get() >= LIMIT * 7 / 8;
          });
      assertTrue(admitted.get() <= LIMIT, admitted + " of " + LIMIT);
      Await.until(
          "each counts all", () -> server.ask("HLEN", "weir:nodes").equals("" + (LIMITERS + 1)));
    } finally {
      limiters.forEach(RateLimiter::close);
      callers.shutdownNow();
      scheduler.shutdownNow();
    }
  }

  private static void ask(RateLimiter limiter, Policy policy, AtomicLong admitted) {
    for (int i = 0; i < EACH; i++) {
      if (limiter.tryAcquire(policy, Key.everybody()).admitted()) {
        admitted.incrementAndGet();
      }
    }
  }
}

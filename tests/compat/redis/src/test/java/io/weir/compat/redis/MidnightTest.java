package io.weir.compat.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.Reason;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.CalendarWindow;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.test.log.LogLines;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Three nodes on Redis, whose clocks are a minute apart, across midnight: somewhere it is soon. */
class MidnightTest {
  private static final long DAY = 86_400_000_000L;
  private static final long MINUTE = 60_000_000;
  private static final int LIMIT = 60;

  /** The machine's clocks, the time of day off by so much. */
  private record Wrong(long micros) implements Ticker {
    @Override
    public long nanoTime() {
      return Ticker.system().nanoTime();
    }

    @Override
    public long epochMicros() {
      return Ticker.system().epochMicros() + micros;
    }
  }

  /** A decision, and when it was asked for and known, by the clock that Redis has as well. */
  private record Told(long asked, long known, Decision decision) {}

  private static long now() {
    return Ticker.system().epochMicros();
  }

  /** Where midnight comes at that second. */
  private static ZoneOffset zone(long edge) {
    long seconds = Math.floorMod(-edge / 1_000_000, 86_400L);
    return ZoneOffset.ofTotalSeconds((int) (seconds > 64_800 ? seconds - 86_400 : seconds));
  }

  @Test
  void nobodyGetsMoreThanTheLimitBeforeMidnightNorAfterIt() {
    String prefix = RedisServer.prefix();
    List<Asker> stores = new ArrayList<>();
    List<RateLimiter> nodes = new ArrayList<>();
    for (long error : List.of(-MINUTE, 0L, MINUTE)) {
      Asker asker = new Asker(RedisServer.shared(), "prefix", prefix);
      stores.add(asker);
      nodes.add(
          RateLimiter.builder()
              .store(asker.store)
              .ticker(new Wrong(error))
              .storeTimeout(Duration.ofSeconds(5))
              .onStoreFailure(() -> OnStoreFailure.CLOSED)
              .build());
    }
    Policy warm = Policy.builder("warm").limit(9).window(Duration.ofMinutes(1)).build();
    nodes.forEach(each -> assertTrue(each.tryAcquire(warm, Key.everybody()).admitted()));
    long edge = now() / 1_000_000 * 1_000_000 + 4_000_000;
    Policy daily =
        Policy.builder("daily")
            .limit(LIMIT)
            .window(1, ChronoUnit.DAYS)
            .zone(zone(edge).getId())
            .build();
    Queue<Told> told = new ConcurrentLinkedQueue<>();
    CompletableFuture.allOf(
            nodes.stream()
                .map(node -> CompletableFuture.runAsync(() -> use(node, daily, edge, told)))
                .toArray(CompletableFuture[]::new))
        .join();
    nodes.forEach(RateLimiter::close);
    stores.forEach(Asker::close);
    long before = admitted(told.stream().filter(each -> each.known < edge).toList());
    long after = admitted(told.stream().filter(each -> each.asked >= edge).toList());
    assertTrue(before > 0 && before <= LIMIT, before + " before midnight");
    assertTrue(after > 0 && after <= LIMIT, after + " after midnight");
    assertTrue(admitted(List.copyOf(told)) <= 2 * LIMIT);
    List<Told> refused =
        told.stream()
            .filter(each -> each.known < edge)
            .filter(each -> each.decision.reason() == Reason.QUOTA_EXCEEDED)
            .toList();
    assertTrue(!refused.isEmpty(), "a request was refused before midnight");
    for (Told each : refused) {
      long retry = each.decision.retryAfter().toNanos() / 1_000;
      assertTrue(each.known + retry >= edge, "too early: " + each);
      assertTrue(retry < MINUTE / 2, "by the clock of the node: " + each);
    }
  }

  private static long admitted(List<Told> some) {
    return some.stream().filter(each -> each.decision.admitted()).count();
  }

  private static void use(RateLimiter node, Policy policy, long edge, Queue<Told> told) {
    while (now() < edge + 1_500_000) {
      long asked = now();
      Decision decision = node.tryAcquire(policy, Key.of("alice"));
      told.add(new Told(asked, now(), decision));
      LockSupport.parkNanos(5_000_000);
    }
  }

  @Test
  void aBucketLivesAsLongAsItsWindow() {
    long end = now() / 1_000_000 * 1_000_000 + 3_600_000_000L;
    Claim claim = Claim.of(bucket(zone(end)), 1, 10, 10).inWindow(end - DAY, end);
    try (RedisServer server = RedisServer.start();
        Asker asker = new Asker(server.url())) {
      Grant grant = execute(asker, claim);
      assertEquals(end, grant.stamp());
      String key = server.ask("KEYS", "*").trim();
      assertEquals(end / 1_000 + 2, Long.parseLong(server.ask("PEXPIRETIME", key).trim()));
    }
  }

  @Test
  void nodesWithOtherTimeZoneDataAreWarnedOfOnce() {
    long end = now() / 1_000_000 * 1_000_000 + 3_600_000_000L;
    Claim claim = Claim.of(bucket(zone(end)), 1, 10, 10).inWindow(end - DAY, end);
    try (LogLines log = new LogLines();
        RedisServer server = RedisServer.start();
        Asker asker = new Asker(server.url())) {
      server.ask("HSET", "weir:zones", "1999z", Long.toString(end));
      Asker.await(asker.store.heartbeat("one"));
      execute(asker, claim);
      Await.until(
          "a warning",
          () -> {
            Asker.await(asker.store.heartbeat("one"));
            return !log.warnings().isEmpty();
          });
      for (int i = 0; i < 25; i++) {
        Asker.await(asker.store.heartbeat("one"));
      }
      assertEquals(1, log.warnings().size(), log.warnings()::toString);
      assertTrue(log.warnings().get(0).contains("have time zone data 1999z, this one has "));
      assertEquals(List.of(), log.errors());
    }
  }

  private static Grant execute(Asker asker, Claim claim) {
    return Asker.await(asker.store.execute(List.of(claim))).get(0).orElseThrow();
  }

  private static BucketId bucket(ZoneOffset zone) {
    return new BucketId(
        BucketSpec.builder("daily")
            .algorithm(Algorithm.FIXED_WINDOW)
            .calendar(CalendarWindow.of(1, ChronoUnit.DAYS, zone))
            .build(),
        Key.everybody());
  }
}

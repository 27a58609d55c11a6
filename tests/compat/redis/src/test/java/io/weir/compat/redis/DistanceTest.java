package io.weir.compat.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.RateLimiter;
import io.weir.Weir;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.seeds.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A healthy Redis that is so many milliseconds away and back, one or two of these distances each
 * day: no caller within its limit is refused, none is decided without the store.
 *
 * <p>Callers pause after each answer, so that none goes beyond its limit however slow the machine.
 */
class DistanceTest {
  private static final long PAUSE_NANOS = 130_000_000;
  private static final int ROUNDS = 10;
  private static final int CALLERS = 30;
  private static final int LIMIT = 3;

  /** The largest of small limits. */
  private static final int MOST = 20;

  static List<Integer> distances() {
    return Seeds.today(List.of(0, 2, 5, 20, 50), 3);
  }

  private static Weir node(Distance distance) {
    return Weir.builder()
        .settings(
            Map.of(
                "weir.store", distance.url(),
                "weir.prefix", RedisServer.prefix(),
                "weir.store.timeout", "5s"))
        .build();
  }

  private static PolicyBuilder policy(String name, int limit, long windowMillis) {
    return Policy.builder(name)
        .limit(limit)
        .window(Duration.ofMillis(windowMillis))
        .onStoreFailure(OnStoreFailure.CLOSED);
  }

  private static List<PermitRequest> ask(Policy... policies) {
    return List.of(policies).stream().map(each -> new PermitRequest(each, Key.of("who"))).toList();
  }

  /** Slots of 17 ms and shorter: at 20 and 50 ms each answer comes after its slot. */
  @ParameterizedTest
  @MethodSource("distances")
  void callersWithinShortLimitsAreAdmittedByTheStore(int millis) throws Exception {
    List<List<PermitRequest>> asks = new ArrayList<>();
    for (Algorithm algorithm : Algorithm.values()) {
      asks.add(ask(policy(algorithm.name(), 10, 1_000).algorithm(algorithm).build()));
    }
    asks.add(
        ask(policy("spaced", 10, 600).algorithm(Algorithm.LEAKY_BUCKET).build())); // 60 ms apart
    asks.add(ask(policy("second", 10, 1_000).build(), policy("minute", 100, 60_000).build()));
    List<String> wrong = new ArrayList<>();
    try (RedisServer redis = RedisServer.start();
        Distance distance = new Distance(redis.port(), Duration.ofMillis(millis));
        Weir node = node(distance)) {
      for (int i = 0; i < ROUNDS; i++) {
        List<CompletableFuture<Decision>> decisions =
            asks.stream().map(each -> decide(node.limiter(), each)).toList();
        for (CompletableFuture<Decision> each : decisions) {
          note(each.get(), wrong);
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
    assertEquals(List.of(), wrong);
  }

  @ParameterizedTest
  @MethodSource("distances")
  void burstsOfNewCallersAreAdmittedWhole(int millis) throws Exception {
    Policy few = policy("few", LIMIT, 1_000).build();
    List<String> wrong = new ArrayList<>();
    try (RedisServer redis = RedisServer.start();
        Distance distance = new Distance(redis.port(), Duration.ofMillis(millis));
        Weir node = node(distance)) {
      List<CompletableFuture<Decision>> decisions = new ArrayList<>();
      for (int i = 0; i < CALLERS * LIMIT; i++) {
        PermitRequest one = new PermitRequest(few, Key.of("caller " + i % CALLERS));
        decisions.add(decide(node.limiter(), List.of(one)));
      }
      for (CompletableFuture<Decision> each : decisions) {
        note(each.get(), wrong);
      }
    }
    assertEquals(List.of(), wrong);
  }

  /** Each row by a caller that asks for one more than there are, one after the other. */
  @ParameterizedTest
  @MethodSource("distances")
  void oneNodeAdmitsAllOfASmallLimit(int millis) throws Exception {
    List<SmallLimit> rows = smallLimits();
    Map<SmallLimit, Integer> admitted = new LinkedHashMap<>();
    try (RedisServer redis = RedisServer.start();
        Distance distance = new Distance(redis.port(), Duration.ofMillis(millis));
        Weir node = node(distance)) {
      for (int i = 0; i <= MOST; i++) {
        Map<SmallLimit, CompletableFuture<Decision>> decisions = new LinkedHashMap<>();
        for (SmallLimit each : rows) {
          if (i <= each.most()) {
            decisions.put(each, decide(node.limiter(), each.request()));
          }
        }
        for (Map.Entry<SmallLimit, CompletableFuture<Decision>> each : decisions.entrySet()) {
          Decision decision = each.getValue().get();
          assertFalse(decision.degraded(), each.getKey() + ": " + decision);
          admitted.merge(each.getKey(), decision.admitted() ? 1 : 0, Integer::sum);
        }
      }
    }
    admitted.forEach((row, permits) -> assertEquals(row.most(), permits, row.toString()));
  }

  /** One of them each day; all in a long build. */
  private static List<SmallLimit> smallLimits() {
    List<SmallLimit> all = new ArrayList<>();
    for (int limit = 1; limit <= MOST; limit++) {
      for (Algorithm algorithm : Algorithm.values()) {
        for (int cost = 1; cost <= Math.min(limit, 3); cost += 2) {
          all.add(new SmallLimit(algorithm, limit, cost));
        }
      }
    }
    return Seeds.today(all, all.size());
  }

  /** A limit per day, and what each request costs. */
  private record SmallLimit(Algorithm algorithm, int limit, int cost) {
    int most() {
      return limit / cost;
    }

    List<PermitRequest> request() {
      PolicyBuilder policy =
          policy(algorithm + "-" + limit + "-" + cost, limit, Duration.ofDays(1).toMillis())
              .algorithm(algorithm)
              .burst(algorithm == Algorithm.LEAKY_BUCKET ? limit : 0);
      return List.of(new PermitRequest(policy.build(), Key.of("who"), cost, limit));
    }
  }

  private static CompletableFuture<Decision> decide(RateLimiter node, List<PermitRequest> asks) {
    return node.tryAcquireAsync(asks).toCompletableFuture();
  }

  private static void note(Decision decision, List<String> wrong) {
    if (!decision.admitted() || decision.degraded()) {
      wrong.add(decision.toString());
    }
  }
}

package io.weir.compat.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

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

  private static CompletableFuture<Decision> decide(RateLimiter node, List<PermitRequest> asks) {
    return node.tryAcquireAsync(asks).toCompletableFuture();
  }

  private static void note(Decision decision, List<String> wrong) {
    if (!decision.admitted() || decision.degraded()) {
      wrong.add(decision.toString());
    }
  }
}

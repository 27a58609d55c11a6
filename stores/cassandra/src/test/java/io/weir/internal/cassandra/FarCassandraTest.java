package io.weir.internal.cassandra;

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
import io.weir.compat.redis.Distance;
import io.weir.seeds.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A healthy Cassandra that is so many milliseconds away and back, one of these distances each day:
 * no caller within limits per second is refused, none is decided without the store.
 *
 * <p>Callers pause after each answer, so that none goes beyond its limit however slow the machine.
 */
class FarCassandraTest {
  private static final long PAUSE_NANOS = 130_000_000;
  private static final int ROUNDS = 8;

  static List<Integer> distances() {
    return Seeds.today(List.of(5, 20, 50), 3);
  }

  private static PolicyBuilder policy(String name) {
    return Policy.builder(name + UUID.randomUUID())
        .limit(10)
        .window(Duration.ofSeconds(1))
        .onStoreFailure(OnStoreFailure.CLOSED);
  }

  /** Slots of 17 ms and shorter: most answers come after the slot in which a claim was sent. */
  @ParameterizedTest
  @MethodSource("distances")
  void callersWithinShortLimitsAreAdmittedByTheStore(int millis) {
    List<Policy> policies = new ArrayList<>();
    for (Algorithm each : Algorithm.values()) {
      policies.add(policy("far").algorithm(each).build());
    }
    policies.add(
        policy("spaced").window(Duration.ofMillis(600)).algorithm(Algorithm.LEAKY_BUCKET).build());
    List<String> wrong = new ArrayList<>();
    try (Distance distance = Servers.away(Duration.ofMillis(millis));
        Weir node = node(Servers.address(Servers.through(distance)))) {
      Policy first = policy("first").build();
      Await.until("it is connected", () -> !decide(node.limiter(), first).join().degraded());
      for (int i = 0; i < ROUNDS; i++) {
        List<CompletableFuture<Decision>> decisions =
            policies.stream().map(each -> decide(node.limiter(), each)).toList();
        for (CompletableFuture<Decision> each : decisions) {
          Decision decision = each.join();
          if (!decision.admitted() || decision.degraded()) {
            wrong.add(decision.toString());
          }
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
    assertEquals(List.of(), wrong);
  }

  private static Weir node(String address) {
    return Weir.builder()
        .settings(Map.of("weir.store", address, "weir.store.timeout", "5s"))
        .build();
  }

  private static CompletableFuture<Decision> decide(RateLimiter node, Policy policy) {
    return node.tryAcquireAsync(List.of(new PermitRequest(policy, Key.of("who"))))
        .toCompletableFuture();
  }
}

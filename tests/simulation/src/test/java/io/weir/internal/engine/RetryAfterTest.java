package io.weir.internal.engine;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RetryAfterTest {
  private static final Duration TICK = Duration.ofNanos(1_000);

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void isExactToTheTickForEveryCost(Algorithm algorithm) {
    for (long seed = 1; seed <= 40; seed++) {
      Random random = new Random(seed);
      Policy policy = policy("p", algorithm, random);
      try (Pair pair = new Pair()) {
        for (int refusals = 0; refusals < 10; ) {
          PermitRequest ask = ask(policy, random);
          Decision decision = pair.both(List.of(ask));
          if (!decision.admitted()) {
            pair.expectAdmissionExactlyAfter(decision, List.of(ask), "seed " + seed);
            refusals++;
          } else {
            pair.advance(Duration.ofNanos(random.nextLong(policy.window().toNanos() / 7)));
          }
        }
      }
    }
  }

  @Test
  void ofSeveralPoliciesIsTheLargestOfThoseThatRefuse() {
    for (long seed = 1; seed <= 100; seed++) {
      Random random = new Random(seed);
      List<Policy> policies =
          Stream.of(Algorithm.values()).map(each -> policy(each.name(), each, random)).toList();
      try (Pair pair = new Pair()) {
        for (int refusals = 0; refusals < 10; ) {
          List<PermitRequest> asks = policies.stream().map(policy -> ask(policy, random)).toList();
          Decision decision = pair.both(asks);
          if (!decision.admitted()) {
            pair.expectAdmissionExactlyAfter(decision, asks, "seed " + seed);
            refusals++;
          }
        }
      }
    }
  }

  private static Policy policy(String name, Algorithm algorithm, Random random) {
    boolean bucket = algorithm == Algorithm.TOKEN_BUCKET || algorithm == Algorithm.LEAKY_BUCKET;
    return Policy.builder(name)
        .algorithm(algorithm)
        .limit(1 + random.nextInt(30))
        .window(Duration.ofNanos(1_000L * (10_000 + random.nextInt(100_000_000))))
        .burst(bucket ? random.nextInt(20) : 0)
        .build();
  }

  private static PermitRequest ask(Policy policy, Random random) {
    long most = policy.burstFor(policy.limit());
    return new PermitRequest(policy, Key.everybody(), 1 + random.nextLong(most), policy.limit());
  }

  /** Two limiters of one history, so that coming too early leaves no trace in the other. */
  private static final class Pair implements AutoCloseable {
    private final FakeTicker early = new FakeTicker();
    private final FakeTicker onTime = new FakeTicker();
    private final RateLimiter first = RateLimiter.builder().ticker(early).build();
    private final RateLimiter second = RateLimiter.builder().ticker(onTime).build();

    Decision both(List<PermitRequest> asks) {
      first.tryAcquire(asks);
      return second.tryAcquire(asks);
    }

    void advance(Duration time) {
      early.advance(time);
      onTime.advance(time);
    }

    void expectAdmissionExactlyAfter(Decision refused, List<PermitRequest> asks, String context) {
      assertTrue(refused.retryAfter().toNanos() > 0, context);
      early.advance(refused.retryAfter().minus(TICK));
      onTime.advance(refused.retryAfter());
      assertFalse(first.tryAcquire(asks).admitted(), context + ", a tick early");
      assertTrue(second.tryAcquire(asks).admitted(), context + ", in time");
      early.advance(TICK);
      assertTrue(first.tryAcquire(asks).admitted(), context + ", in time after one too early");
    }

    @Override
    public void close() {
      first.close();
      second.close();
    }
  }
}

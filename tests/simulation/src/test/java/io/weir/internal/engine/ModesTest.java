package io.weir.internal.engine;

import static io.weir.testkit.DecisionAssert.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Outcome;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.RateLimiter;
import io.weir.Reason;
import io.weir.annotation.Algorithm;
import io.weir.annotation.Mode;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ModesTest {
  private static final Key KEY = Key.of("caller");

  private double load;
  private int reads;
  private final RateLimiter limiter =
      RateLimiter.builder()
          .ticker(new FakeTicker())
          .loadSensor(
              () -> {
                reads++;
                return load;
              })
          .build();

  @AfterEach
  void close() {
    limiter.close();
  }

  private static PolicyBuilder policy(Mode mode, int exceedBy) {
    return Policy.builder(mode.name())
        .limit(10)
        .window(Duration.ofSeconds(10))
        .mode(mode)
        .exceedBy(exceedBy);
  }

  private void admit(Policy policy, int times, Outcome outcome, long firstLeft) {
    for (int i = 0; i < times; i++) {
      assertThat(limiter.tryAcquire(policy, KEY))
          .hasOutcome(outcome)
          .hasLimit(10)
          .hasRemaining(Math.max(0, firstLeft - i));
    }
  }

  @Test
  void hardAdmitsTheLimitAndNoMore() {
    Policy hard = policy(Mode.HARD, 20).build();
    admit(hard, 10, Outcome.ADMITTED, 9);
    assertThat(limiter.tryAcquire(hard, KEY)).refusedBecause(Reason.QUOTA_EXCEEDED).hasRemaining(0);
  }

  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"FIXED_WINDOW", "SLIDING_WINDOW", "SLIDING_LOG", "TOKEN_BUCKET"})
  void softMarksWhatIsAboveTheLimit(Algorithm algorithm) {
    Policy soft = policy(Mode.SOFT, 20).algorithm(algorithm).build();
    admit(soft, 10, Outcome.ADMITTED, 9);
    admit(soft, 2, Outcome.SOFT, 0);
    assertThat(limiter.tryAcquire(soft, KEY)).refusedBecause(Reason.QUOTA_EXCEEDED).hasLimit(10);
  }

  @Test
  void softMarksARequestThatCrossesTheEdge() {
    Policy soft = policy(Mode.SOFT, 20).build();
    assertThat(limiter.tryAcquire(soft, KEY, 9)).hasOutcome(Outcome.ADMITTED).hasRemaining(1);
    assertThat(limiter.tryAcquire(soft, KEY, 2)).hasOutcome(Outcome.SOFT).hasRemaining(0);
    assertThat(limiter.tryAcquire(soft, KEY, 2)).refused().hasRemaining(0);
  }

  @Test
  void elasticGoesBeyondWhileThereIsRoom() {
    Policy elastic = policy(Mode.ELASTIC, 50).build();
    admit(elastic, 10, Outcome.ADMITTED, 9);
    load = 0.7;
    admit(elastic, 2, Outcome.ELASTIC, 0);
    assertThat(limiter.tryAcquire(elastic, KEY)).refusedBecause(Reason.QUOTA_EXCEEDED);
    load = 0;
    admit(elastic, 3, Outcome.ELASTIC, 0);
    assertThat(limiter.tryAcquire(elastic, KEY)).refusedBecause(Reason.QUOTA_EXCEEDED);
  }

  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"FIXED_WINDOW", "SLIDING_WINDOW", "SLIDING_LOG", "TOKEN_BUCKET"})
  void anOverloadedNodeSaysThatItRefusesForItsOwnSake(Algorithm algorithm) {
    Policy elastic = policy(Mode.ELASTIC, 50).algorithm(algorithm).build();
    load = 1;
    admit(elastic, 5, Outcome.ADMITTED, 4);
    assertThat(limiter.tryAcquire(elastic, KEY)).refusedBecause(Reason.REDUCED_CAPACITY);
    assertThat(limiter.peek(elastic, KEY)).refusedBecause(Reason.REDUCED_CAPACITY);

    load = 0.8;
    admit(elastic, 5, Outcome.ADMITTED, 4);
    load = 1;
    assertThat(limiter.tryAcquire(elastic, KEY)).refusedBecause(Reason.QUOTA_EXCEEDED);
  }

  @Test
  void aCostAboveWhatAnOverloadedNodeHasIsRefusedForTheNodesSake() {
    Policy elastic = policy(Mode.ELASTIC, 50).build();
    load = 1;
    assertThat(limiter.tryAcquire(elastic, KEY, 8))
        .refusedBecause(Reason.REDUCED_CAPACITY)
        .refusedFor(Duration.ofSeconds(10))
        .hasRemaining(5);
    assertThat(limiter.tryAcquire(elastic, KEY, 11)).refusedBecause(Reason.QUOTA_EXCEEDED);
  }

  @Test
  void theLoadIsReadOnceForARequestAndOnlyWhereItMatters() {
    Policy elastic = policy(Mode.ELASTIC, 50).build();
    PermitRequest ask = new PermitRequest(elastic, KEY);
    limiter.tryAcquire(List.of(ask, ask, ask));
    assertEquals(1, reads);
    limiter.tryAcquire(policy(Mode.SOFT, 50).build(), KEY);
    assertEquals(1, reads);
  }

  @Test
  void aSensorThatFailsCountsAsAnIdleNode() {
    try (RateLimiter unsure =
        RateLimiter.builder()
            .loadSensor(
                () -> {
                  throw new IllegalStateException("no reading");
                })
            .build()) {
      Policy elastic = policy(Mode.ELASTIC, 50).algorithm(Algorithm.SLIDING_LOG).build();
      assertThat(unsure.tryAcquire(elastic, KEY, 15)).hasOutcome(Outcome.ELASTIC);
    }
  }

  @Test
  void theBurstOfABucketStretchesToo() {
    Policy soft = policy(Mode.SOFT, 50).algorithm(Algorithm.TOKEN_BUCKET).burst(4).build();
    admit(soft, 4, Outcome.ADMITTED, 3);
    admit(soft, 2, Outcome.SOFT, 0);
    assertThat(limiter.tryAcquire(soft, KEY)).refused();
  }

  @Test
  void aTierChangesTheLimitAndKeepsTheBucket() {
    Policy policy = policy(Mode.HARD, 0).build();
    assertThat(limiter.tryAcquire(List.of(new PermitRequest(policy, KEY, 8, 100))))
        .hasRemaining(92);
    assertThat(limiter.tryAcquire(List.of(new PermitRequest(policy, KEY, 1, 10))))
        .hasLimit(10)
        .hasRemaining(1);
    assertThat(limiter.tryAcquire(List.of(new PermitRequest(policy, KEY, 2, 10)))).refused();
    assertThat(limiter.tryAcquire(List.of(new PermitRequest(policy, KEY, 2, 20))))
        .hasLimit(20)
        .hasRemaining(9);
  }

  @Test
  void theLargestPolicyNeitherOverflowsNorThrows() {
    for (Algorithm algorithm : Algorithm.values()) {
      for (Mode mode : Mode.values()) {
        Policy huge =
            Policy.builder(algorithm + "." + mode)
                .limit(Policy.MAX_LIMIT)
                .window(Duration.ofDays(366))
                .algorithm(algorithm)
                .mode(mode)
                .exceedBy(1_000)
                .build();
        long at1 = algorithm == Algorithm.LEAKY_BUCKET ? 1 : Policy.MAX_LIMIT;
        assertThat(limiter.tryAcquire(huge, KEY, at1)).admitted();
        Decision never = limiter.tryAcquire(huge, KEY, Long.MAX_VALUE);
        assertThat(never).refused();
        assertTrue(never.neverAdmitted());
        limiter.charge(huge, KEY, Long.MAX_VALUE);
        limiter.charge(huge, KEY, Long.MAX_VALUE);
        Decision indebted = limiter.tryAcquire(huge, KEY);
        assertThat(indebted).refused().hasRemaining(0);
        assertTrue(indebted.retryAfter().toNanos() > 0);
      }
    }
  }
}

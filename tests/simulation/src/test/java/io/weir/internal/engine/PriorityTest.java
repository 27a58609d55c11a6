package io.weir.internal.engine;

import static io.weir.testkit.DecisionAssert.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.LoadCurve;
import io.weir.Outcome;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.RateLimiter;
import io.weir.Reason;
import io.weir.annotation.Algorithm;
import io.weir.annotation.Mode;
import io.weir.annotation.Priority;
import io.weir.metrics.DecisionCounts;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Policies that follow the load by a priority, in process and under a load that the test sets. */
class PriorityTest {
  private static final Key KEY = Key.of("caller");
  private static final Duration SOON = Duration.ofSeconds(1);

  private double load;
  private int reads;
  private LoadCurve low = LoadCurve.of(Priority.LOW);
  private final DecisionCounts counts = new DecisionCounts();
  private final FakeTicker ticker = new FakeTicker();
  private final RateLimiter limiter =
      RateLimiter.builder()
          .ticker(ticker)
          .metrics(counts)
          .loadCurves(each -> each == Priority.LOW ? low : LoadCurve.of(each))
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

  private static PolicyBuilder policy(Priority priority) {
    return Policy.builder(priority.name())
        .limit(100)
        .window(Duration.ofSeconds(10))
        .priority(priority);
  }

  private long admitted(Policy policy) {
    long admitted = 0;
    Key each = Key.of("caller" + reads); // a full bucket for each count
    for (int i = 0; i < 300; i++) {
      Decision decision = limiter.tryAcquire(policy, each);
      assertThat(decision).hasLimit(100);
      admitted += decision.admitted() ? 1 : 0;
    }
    return admitted;
  }

  @ParameterizedTest
  @CsvSource({
    "LOW, HARD, 0, 100",
    "LOW, HARD, 0.6, 100",
    "LOW, HARD, 0.65, 75",
    "LOW, HARD, 0.7, 50",
    "LOW, HARD, 0.799999, 1",
    "LOW, HARD, 0.8, 0",
    "LOW, HARD, 1, 0",
    "LOW, SOFT, 0.6, 150",
    "LOW, SOFT, 0.7, 50",
    "LOW, SOFT, 0.8, 0",
    "LOW, ELASTIC, 0.6, 150",
    "LOW, ELASTIC, 0.7, 50",
    "LOW, ELASTIC, 0.9, 0",
    "NORMAL, HARD, 0.8, 100",
    "NORMAL, HARD, 0.9, 75",
    "NORMAL, HARD, 1, 50",
    "NORMAL, SOFT, 0.8, 150",
    "NORMAL, SOFT, 0.9, 75",
    "NORMAL, ELASTIC, 0.6, 150",
    "NORMAL, ELASTIC, 0.7, 100",
    "NORMAL, ELASTIC, 0.9, 75",
    "NORMAL, ELASTIC, 1, 50",
    "CRITICAL, HARD, 1, 100",
    "CRITICAL, SOFT, 1, 150",
    "CRITICAL, ELASTIC, 0.6, 150",
    "CRITICAL, ELASTIC, 0.7, 100",
    "CRITICAL, ELASTIC, 1, 100",
    "NONE, HARD, 1, 100",
    "NONE, SOFT, 1, 150",
    "NONE, ELASTIC, 0.7, 125",
    "NONE, ELASTIC, 1, 50"
  })
  void eachModeFollowsTheCurveOfItsPriority(
      Priority priority, Mode mode, double busy, long permits) {
    load = busy;
    assertEquals(permits, admitted(policy(priority).mode(mode).exceedBy(50).build()));
  }

  @Test
  void ofTwoCurvesTheLowerHolds() {
    Policy elastic = policy(Priority.LOW).mode(Mode.ELASTIC).exceedBy(50).build();
    low = LoadCurve.parse("20:100,40:30");
    load = 0.2;
    assertEquals(150, admitted(elastic));
    load = 0.3;
    assertEquals(65, admitted(elastic), "no excess where the curve takes of the limit");
    low = LoadCurve.parse("0:90");
    load = 1;
    assertEquals(50, admitted(elastic), "half, as without a priority");
  }

  @Test
  void aChangedCurveHoldsAtOnce() {
    Policy policy = policy(Priority.LOW).build();
    load = 0.5;
    assertEquals(100, admitted(policy));
    low = LoadCurve.parse("0:10");
    assertEquals(10, admitted(policy));
  }

  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"FIXED_WINDOW", "SLIDING_WINDOW", "SLIDING_LOG", "TOKEN_BUCKET"})
  void whoeverIsRefusedForTheLoadsSakeIsToldSo(Algorithm algorithm) {
    Policy normal = policy(Priority.NORMAL).algorithm(algorithm).build();
    load = 1;
    for (int i = 0; i < 50; i++) {
      assertThat(limiter.tryAcquire(normal, KEY)).hasOutcome(Outcome.ADMITTED);
    }
    Decision refused = limiter.tryAcquire(normal, KEY);
    assertThat(refused).refusedBecause(Reason.REDUCED_CAPACITY).notDegraded().hasLimit(100);
    assertTrue(
        refused.describe().startsWith("REFUSED (REDUCED_CAPACITY) by NORMAL: 0 of 100 left"));
    assertTrue(refused.retryAfter().toMillis() > 0);
    assertThat(limiter.peek(normal, KEY)).refusedBecause(Reason.REDUCED_CAPACITY);
    ticker.advance(refused.retryAfter());
    assertThat(limiter.tryAcquire(normal, KEY)).admitted();
    assertEquals(1, counts.of("NORMAL").overloaded());

    load = 0.8;
    while (limiter.tryAcquire(normal, KEY).admitted()) {}
    load = 1;
    assertThat(limiter.tryAcquire(normal, KEY)).refusedBecause(Reason.QUOTA_EXCEEDED);
    assertEquals(1, counts.of("NORMAL").overloaded(), "that was the caller's own doing");
  }

  @Test
  void whereTheCurveSaysNothingNobodyPaysAndTheBucketStays() {
    Policy policy = policy(Priority.LOW).build();
    assertThat(limiter.tryAcquire(policy, KEY, 60)).hasRemaining(40);
    load = 0.8;
    for (int i = 0; i < 10; i++) {
      assertThat(limiter.tryAcquire(policy, KEY))
          .refusedBecause(Reason.REDUCED_CAPACITY)
          .refusedFor(SOON)
          .hasLimit(100)
          .hasRemaining(0)
          .notDegraded();
      assertThat(limiter.peek(policy, KEY)).refusedBecause(Reason.REDUCED_CAPACITY);
    }
    assertEquals(10, counts.of("LOW").overloaded());
    assertEquals(10, counts.of("LOW").of(Outcome.REFUSED));
    load = 0;
    assertThat(limiter.tryAcquire(policy, KEY)).hasRemaining(39);
  }

  @Test
  void noOtherPolicyIsChargedForWhatTheLoadRefuses() {
    PermitRequest hard = new PermitRequest(policy(Priority.NONE).build(), KEY);
    PermitRequest shed = new PermitRequest(policy(Priority.LOW).build(), KEY);
    load = 0.9;
    assertThat(limiter.tryAcquire(List.of(hard, shed)))
        .refusedBecause(Reason.REDUCED_CAPACITY)
        .decidedBy("LOW")
        .notDegraded();
    assertEquals(0, counts.of("NONE").of(Outcome.REFUSED));
    load = 0;
    assertThat(limiter.tryAcquire(List.of(hard))).hasRemaining(99);
  }

  @Test
  void whatCostsNothingPassesUnderAnyLoadAndLiftsNoOtherPolicy() {
    PermitRequest hard = new PermitRequest(policy(Priority.NONE).build(), KEY, 60, 100);
    PermitRequest free = new PermitRequest(policy(Priority.LOW).build(), KEY, 0, 100);
    load = 1;
    assertThat(limiter.tryAcquire(List.of(free))).admitted();
    assertThat(limiter.tryAcquire(List.of(hard, free))).admitted();
    assertThat(limiter.tryAcquire(List.of(hard, free)))
        .refusedBecause(Reason.QUOTA_EXCEEDED)
        .decidedBy("NONE");
  }

  @Test
  void inShadowModeItRefusesNobody() {
    PermitRequest hard = new PermitRequest(policy(Priority.NONE).build(), KEY);
    PermitRequest shadow = new PermitRequest(policy(Priority.LOW).shadow(true).build(), KEY);
    load = 1;
    assertThat(limiter.tryAcquire(List.of(shadow))).hasOutcome(Outcome.SHADOW_REFUSED);
    Decision both = limiter.tryAcquire(List.of(hard, shadow));
    assertThat(both.parts().get(0)).hasOutcome(Outcome.ADMITTED).hasRemaining(99);
    assertThat(both.parts().get(1)).hasOutcome(Outcome.SHADOW_REFUSED);
    assertEquals(2, counts.of("LOW").overloaded());
  }

  @Test
  void aTierHasItsShareOfItsOwnLimit() {
    Policy policy = policy(Priority.NORMAL).build();
    load = 1;
    assertThat(limiter.tryAcquire(List.of(new PermitRequest(policy, KEY, 1, 1_000))))
        .hasLimit(1_000)
        .hasRemaining(499);
    Key small = Key.of("small");
    assertThat(limiter.tryAcquire(List.of(new PermitRequest(policy, small, 1, 1)))).admitted();
  }

  @ParameterizedTest
  @CsvSource({
    "TOKEN_BUCKET, 0, 50",
    "TOKEN_BUCKET, 20, 10",
    "TOKEN_BUCKET, 1, 1",
    "LEAKY_BUCKET, 0, 1",
    "LEAKY_BUCKET, 8, 4"
  })
  void theBurstFollows(Algorithm algorithm, long burst, long permits) {
    Policy policy = policy(Priority.LOW).algorithm(algorithm).burst(burst).build();
    load = 0.7;
    assertEquals(permits, admitted(policy));
    load = 0.8;
    assertEquals(0, admitted(policy));
  }

  @Test
  void aCostThatOnlyTheLoadMakesTooMuchIsTheLoadsDoing() {
    Policy policy = policy(Priority.NORMAL).build();
    load = 1;
    assertThat(limiter.tryAcquire(policy, KEY, 51)).refusedBecause(Reason.REDUCED_CAPACITY);
    assertThat(limiter.tryAcquire(policy, KEY, 101)).refusedBecause(Reason.COST_ABOVE_LIMIT);
  }

  @Test
  void whatWasTakenBeforeIsGivenBackAndChargedUnderAnyLoad() {
    Policy policy = policy(Priority.LOW).build();
    Decision taken = limiter.tryAcquire(policy, KEY, 60);
    load = 1;
    limiter.refund(taken);
    limiter.charge(policy, KEY, 30);
    load = 0;
    assertThat(limiter.tryAcquire(policy, KEY)).hasRemaining(69);
  }

  @Test
  void theLoadIsReadOnceForARequestAndOnlyWhereItMatters() {
    limiter.tryAcquire(policy(Priority.NONE).build(), KEY);
    assertEquals(0, reads);
    PermitRequest ask = new PermitRequest(policy(Priority.CRITICAL).build(), KEY);
    limiter.tryAcquire(List.of(ask, ask, ask));
    assertEquals(1, reads);
  }
}

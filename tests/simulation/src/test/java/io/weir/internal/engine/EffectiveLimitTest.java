package io.weir.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.annotation.Algorithm;
import io.weir.annotation.Mode;
import io.weir.internal.permits.RequestTerms;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class EffectiveLimitTest {
  private static PolicyBuilder policy(Mode mode, long limit, int exceedBy) {
    return Policy.builder("p")
        .limit(limit)
        .window(Duration.ofMinutes(1))
        .mode(mode)
        .exceedBy(exceedBy);
  }

  private static long effectiveLimit(Mode mode, long limit, int exceedBy, double load) {
    Policy policy = policy(mode, limit, exceedBy).build();
    return EffectiveLimit.of(policy, limit, LimitCalculator.partsPerMillion(load)).effectiveLimit();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 150",
    "0.59, 150",
    "0.6, 150",
    "0.65, 137",
    "0.7, 125",
    "0.75, 112",
    "0.799999, 100",
    "0.8, 100",
    "0.85, 87",
    "0.9, 75",
    "0.95, 62",
    "0.999999, 50",
    "1, 50"
  })
  void elasticFollowsTheCurve(double load, long effectiveLimit) {
    assertEquals(effectiveLimit, effectiveLimit(Mode.ELASTIC, 100, 50, load));
  }

  @ParameterizedTest
  @CsvSource({"NaN, 150", "-Infinity, 150", "-0.5, 150", "1.0001, 50", "1e300, 50", "Infinity, 50"})
  void aLoadOutOfRangeIsBroughtIntoIt(double load, long effectiveLimit) {
    assertEquals(effectiveLimit, effectiveLimit(Mode.ELASTIC, 100, 50, load));
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 1", "2, 1, 1", "3, 1, 1", "3, 0.8, 3", "101, 1, 50"})
  void elasticHalvesRoundedDownButLeavesOne(long limit, double load, long effectiveLimit) {
    assertEquals(effectiveLimit, effectiveLimit(Mode.ELASTIC, limit, 0, load));
  }

  @Test
  void elasticNeverRisesWithTheLoad() {
    Policy policy = policy(Mode.ELASTIC, 997, 37).build();
    long before = Long.MAX_VALUE;
    for (int load = 0; load <= EffectiveLimit.MILLION; load += 7) {
      long now = EffectiveLimit.of(policy, 997, load).effectiveLimit();
      assertTrue(now <= before, "rises at " + load);
      before = now;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "10, 20, 12",
    "10, 10, 11",
    "19, 10, 20",
    "101, 1, 102",
    "1000000000, 1000, 11000000000"
  })
  void softGoesBeyondByWholePermits(long limit, int exceedBy, long effectiveLimit) {
    assertEquals(effectiveLimit, effectiveLimit(Mode.SOFT, limit, exceedBy, 1));
  }

  @Test
  void hardIsTheLimitAtAnyLoad() {
    assertEquals(100, effectiveLimit(Mode.HARD, 100, 50, 0));
    assertEquals(100, effectiveLimit(Mode.HARD, 100, 50, 1));
  }

  @ParameterizedTest
  @CsvSource({
    "TOKEN_BUCKET, 0, HARD, 60, 60",
    "TOKEN_BUCKET, 20, HARD, 20, 20",
    "TOKEN_BUCKET, 20, SOFT, 20, 30",
    "TOKEN_BUCKET, 0, SOFT, 60, 90",
    "LEAKY_BUCKET, 0, HARD, 1, 1",
    "LEAKY_BUCKET, 0, ELASTIC, 1, 1",
    "LEAKY_BUCKET, 4, SOFT, 4, 6",
    "SLIDING_WINDOW, 0, SOFT, 60, 90",
  })
  void theBurstFollowsTheEffectiveLimit(
      Algorithm algorithm, long burst, Mode mode, long nominal, long full) {
    Policy policy = policy(mode, 60, 50).algorithm(algorithm).burst(burst).build();
    EffectiveLimit effective = EffectiveLimit.of(policy, 60, 0);
    assertEquals(nominal, effective.nominalBurst());
    assertEquals(full, effective.burst());
  }

  @Test
  void aTierMovesTheBurstOnlyWhereThatIsTheLimit() {
    Policy byLimit = policy(Mode.HARD, 60, 0).algorithm(Algorithm.TOKEN_BUCKET).build();
    assertEquals(1_000, EffectiveLimit.of(byLimit, 1_000, 0).burst());
    Policy explicit = policy(Mode.HARD, 60, 0).algorithm(Algorithm.TOKEN_BUCKET).burst(5).build();
    assertEquals(5, EffectiveLimit.of(explicit, 1_000, 0).burst());
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void theLargestNumbersDontOverflow(Mode mode) {
    Policy policy =
        policy(mode, Policy.MAX_LIMIT, 1_000)
            .algorithm(Algorithm.TOKEN_BUCKET)
            .burst(Policy.MAX_LIMIT)
            .build();
    for (int load = 0; load <= EffectiveLimit.MILLION; load += 100_000) {
      EffectiveLimit effective = EffectiveLimit.of(policy, Policy.MAX_LIMIT, load);
      assertEquals(effective.effectiveLimit(), effective.burst());
      assertTrue(effective.effectiveLimit() >= Policy.MAX_LIMIT / 2);
      assertTrue(effective.effectiveLimit() <= 11 * Policy.MAX_LIMIT);
    }
    long small = EffectiveLimit.of(policy, 3, 0).burst();
    assertEquals(mode == Mode.HARD ? Policy.MAX_LIMIT : 11 * Policy.MAX_LIMIT, small);
  }

  @ParameterizedTest
  @CsvSource({
    "SLIDING_WINDOW, HARD, 1, 60, 60, 60",
    "SLIDING_WINDOW, HARD, 7, 8, 8, 8",
    "SLIDING_WINDOW, SOFT, 4, 15, 22, 22",
    "SLIDING_WINDOW, HARD, 1000, 1, 1, 1",
    "TOKEN_BUCKET, HARD, 4, 3, 15, 3",
    "TOKEN_BUCKET, SOFT, 4, 3, 22, 4",
    "TOKEN_BUCKET, HARD, 100, 1, 1, 1"
  })
  void aShareIsRoundedDownButNeverLessThanOne(
      Algorithm algorithm, Mode mode, int nodes, long nominal, long effectiveLimit, long full) {
    long burst = algorithm == Algorithm.TOKEN_BUCKET ? 12 : 0;
    Policy policy = policy(mode, 60, 50).algorithm(algorithm).burst(burst).build();
    EffectiveLimit share = EffectiveLimit.of(policy, 60, 0).dividedBy(nodes);
    assertEquals(60, share.limit());
    assertEquals(
        List.of(nominal, effectiveLimit, full),
        List.of(share.nominalBurst(), share.effectiveLimit(), share.burst()));
    assertFalse(share.isReduced());
  }

  @Test
  void anOverloadedNodesShareIsReducedToo() {
    Policy policy = policy(Mode.ELASTIC, 60, 50).build();
    assertTrue(EffectiveLimit.of(policy, 60, EffectiveLimit.MILLION).dividedBy(4).isReduced());
    assertFalse(
        EffectiveLimit.of(policy, 60, EffectiveLimit.MILLION).dividedBy(60).isReduced(),
        "one either way");
  }

  @Test
  void whatRemainsIsNeverNegativeNorAboveTheLimit() {
    Policy softly = policy(Mode.SOFT, 10, 20).build();
    RequestTerms soft = EffectiveLimit.of(softly, 10, 0).terms(softly, 1, 0);
    assertEquals(10, soft.remaining(12));
    assertEquals(0, soft.remaining(2));
    assertEquals(0, soft.remaining(0));
    assertEquals(10, soft.remaining(Long.MAX_VALUE));
    Policy elastic = policy(Mode.ELASTIC, 10, 20).build();
    RequestTerms reduced =
        EffectiveLimit.of(elastic, 10, EffectiveLimit.MILLION).terms(elastic, 1, 0);
    assertEquals(5, reduced.remaining(5));
  }
}

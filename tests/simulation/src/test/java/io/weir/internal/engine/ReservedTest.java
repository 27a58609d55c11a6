package io.weir.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.annotation.Mode;
import io.weir.testkit.store.SimulatedStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The limit that a reserve leaves while the store answers, and the share of a node that is cut off.
 */
class ReservedTest {
  private static PolicyBuilder policy(long limit) {
    return Policy.builder("kept").limit(limit).window(Duration.ofMinutes(1));
  }

  private static EffectiveLimit all(Policy policy) {
    return EffectiveLimit.of(policy, policy.limit(), 0);
  }

  @ParameterizedTest
  @CsvSource({"100, 20, 5, 80, 4", "100, 90, 3, 10, 30", "99, 50, 2, 50, 24", "10, 25, 2, 8, 1"})
  void isRoundedDownAndNothingOfItIsGivenTwice(
      long limit, int percent, int nodes, long left, long part) {
    Policy policy = policy(limit).build();
    OutageReserve reserve = new OutageReserve(percent, nodes);
    EffectiveLimit with = reserve.deductedFrom(all(policy), policy);
    assertEquals(left, with.effectiveLimit());
    assertEquals(left, with.burst());
    assertEquals(limit, with.limit(), "the limit that the caller sees");
    EffectiveLimit cutOff = reserve.share(all(policy), policy, 1).orElseThrow();
    assertEquals(part, cutOff.effectiveLimit());
    assertTrue(with.effectiveLimit() + nodes * cutOff.effectiveLimit() <= limit);
  }

  @Test
  void reservesNothingOfABucketWithARefill() {
    Policy policy = policy(100).algorithm(Algorithm.TOKEN_BUCKET).refill(1).build();
    OutageReserve reserve = new OutageReserve(20, 5);
    assertEquals(all(policy), reserve.deductedFrom(all(policy), policy));
    assertTrue(reserve.share(all(policy), policy, 1).isEmpty());
  }

  @Test
  void leavesARequestOfThePolicysCostPossible() {
    Policy dear = policy(10).cost(8).build();
    assertEquals(8, new OutageReserve(50, 2).deductedFrom(all(dear), dear).burst());
    assertEquals(1, new OutageReserve(50, 2).share(all(dear), dear, 1).orElseThrow().burst());
    Policy one = policy(1).build();
    assertEquals(1, new OutageReserve(90, 2).deductedFrom(all(one), one).effectiveLimit());
  }

  @Test
  void givesNothingWhereAPartIsNotOnePermit() {
    Policy policy = policy(10).build();
    assertTrue(new OutageReserve(20, 3).share(all(policy), policy, 1).isEmpty());
  }

  @Test
  void isDividedByMoreNodesIfMoreLive() {
    Policy policy = policy(100).build();
    assertEquals(
        2, new OutageReserve(20, 5).share(all(policy), policy, 10).orElseThrow().effectiveLimit());
  }

  @Test
  void takesItsPartOfWhatIsAboveTheLimitToo() {
    Policy soft = policy(100).mode(Mode.SOFT).exceedBy(10).build();
    EffectiveLimit with = new OutageReserve(20, 5).deductedFrom(all(soft), soft);
    assertEquals(88, with.effectiveLimit());
    assertEquals(80, with.nominalLimit());
    Policy bucket = policy(100).algorithm(Algorithm.TOKEN_BUCKET).burst(10).build();
    assertEquals(8, new OutageReserve(20, 2).deductedFrom(all(bucket), bucket).burst());
  }

  @Test
  void wantsToKnowHowManyNodesThereAre() {
    IllegalArgumentException mistake =
        assertThrows(
            IllegalArgumentException.class,
            () -> RateLimiter.builder().store(new SimulatedStore(() -> 0)).reserve(20).build());
    assertTrue(mistake.getMessage().startsWith("weir.store.reserve = 20 needs weir.store.nodes"));
    assertThrows(IllegalArgumentException.class, () -> RateLimiter.builder().reserve(91));
  }
}

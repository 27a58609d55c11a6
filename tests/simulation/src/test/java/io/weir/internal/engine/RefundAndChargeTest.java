package io.weir.internal.engine;

import static io.weir.testkit.DecisionAssert.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Outcome;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.annotation.Mode;
import io.weir.internal.permits.DecisionCombiner;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RefundAndChargeTest {
  private static final Key KEY = Key.of("caller");
  private static final Duration WINDOW = Duration.ofMinutes(1);

  private final FakeTicker ticker = new FakeTicker();
  private final RateLimiter limiter = RateLimiter.builder().ticker(ticker).build();

  @AfterEach
  void close() {
    limiter.close();
  }

  private static Policy policy(Algorithm algorithm) {
    return Policy.builder(algorithm.name())
        .limit(10)
        .window(WINDOW)
        .algorithm(algorithm)
        .burst(algorithm == Algorithm.LEAKY_BUCKET ? 10 : 0)
        .build();
  }

  private long left(Policy policy) {
    return limiter.peek(policy, KEY).remaining();
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void aRefundGivesBackOnceAndOnlyWhatWasTaken(Algorithm algorithm) {
    Policy policy = policy(algorithm);
    limiter.tryAcquire(policy, KEY, 2);
    Decision decision = limiter.tryAcquire(policy, KEY, 3);
    assertEquals(5, left(policy));

    limiter.refund(decision);
    assertEquals(8, left(policy));
    limiter.refund(decision);
    limiter.refund(DecisionCombiner.of(List.of(decision)));
    assertEquals(8, left(policy));
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void aRefundOfARefusalGivesNothing(Algorithm algorithm) {
    Policy policy = policy(algorithm);
    limiter.tryAcquire(policy, KEY, 10);
    Decision refused = limiter.tryAcquire(policy, KEY, 3);
    assertThat(refused).refused();
    limiter.refund(refused);
    assertEquals(0, left(policy));
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void aRefundNeverCreditsALaterWindow(Algorithm algorithm) {
    Policy policy = policy(algorithm);
    Decision old = limiter.tryAcquire(policy, KEY, 10);
    ticker.advance(WINDOW.multipliedBy(2));
    limiter.tryAcquire(policy, KEY, 10);
    limiter.refund(old);
    assertEquals(0, left(policy));
  }

  @Test
  void aRefundOfSeveralPoliciesGivesBackToEach() {
    Policy one = policy(Algorithm.FIXED_WINDOW);
    Policy other = policy(Algorithm.SLIDING_LOG);
    Decision both =
        limiter.tryAcquire(List.of(new PermitRequest(one, KEY), new PermitRequest(other, KEY)));
    limiter.refund(both.parts().get(0));
    assertEquals(10, left(one));
    assertEquals(9, left(other));
    limiter.refund(both);
    assertEquals(10, left(one));
    assertEquals(10, left(other));
  }

  @Test
  void aRefundWorksThroughATierAndAMode() {
    Policy soft =
        Policy.builder("soft").limit(10).window(WINDOW).mode(Mode.SOFT).exceedBy(50).build();
    Decision all = limiter.tryAcquire(List.of(new PermitRequest(soft, KEY, 150, 100)));
    assertThat(all).admitted();
    limiter.refund(all);
    assertThat(limiter.tryAcquire(List.of(new PermitRequest(soft, KEY, 150, 100)))).admitted();
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void aChargeLeavesADebtThatLaterRequestsWaitFor(Algorithm algorithm) {
    Policy policy = policy(algorithm);
    limiter.tryAcquire(policy, KEY, 4);
    limiter.charge(policy, KEY, 26);

    Decision refused = limiter.tryAcquire(policy, KEY);
    assertThat(refused).refused().hasRemaining(0);
    ticker.advance(refused.retryAfter().minusNanos(1_000));
    assertThat(limiter.tryAcquire(policy, KEY)).refused();
    ticker.advance(Duration.ofNanos(1_000));
    assertThat(limiter.tryAcquire(policy, KEY)).admitted();
  }

  @Test
  void whoIsOfATierIsLookedAtAndChargedUnderItsOwnLimit() {
    Policy policy = policy(Algorithm.TOKEN_BUCKET);
    PermitRequest premium = new PermitRequest(policy, KEY, 400, 1_000);
    limiter.charge(premium);
    assertThat(limiter.peek(premium)).admitted().hasLimit(1_000).hasRemaining(600);
    assertThat(limiter.peek(policy, KEY)).refused().hasLimit(10).hasRemaining(0);
    ticker.advance(Duration.ofSeconds(6));
    assertThat(limiter.peek(premium)).hasRemaining(700);
  }

  @Test
  void aDebtOfABucketIsPaidByTime() {
    Policy policy = policy(Algorithm.TOKEN_BUCKET);
    limiter.charge(policy, KEY, 30);
    // 30 owed of a burst of 10: 21 must drain, at one in six seconds.
    assertThat(limiter.tryAcquire(policy, KEY)).refusedFor(Duration.ofSeconds(126));
  }

  @Test
  void aPriceIsNeverNegative() {
    Policy policy = policy(Algorithm.FIXED_WINDOW);
    for (long price : new long[] {-1, Long.MIN_VALUE}) {
      assertThrows(IllegalArgumentException.class, () -> limiter.charge(policy, KEY, price));
      assertThrows(IllegalArgumentException.class, () -> limiter.tryAcquire(policy, KEY, price));
    }
    assertEquals(10, left(policy));
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void whatCostsNothingIsAdmittedByWhateverIsLeft(Algorithm algorithm) {
    Policy policy = policy(algorithm);
    Decision fresh = limiter.tryAcquire(policy, KEY, 0);
    assertEquals(Outcome.ADMITTED, fresh.outcome());
    assertEquals(0, fresh.permits());
    long burst = policy.burstFor(policy.limit());
    assertEquals(burst, fresh.remaining());
    limiter.tryAcquire(policy, KEY, burst);
    Decision empty = limiter.tryAcquire(policy, KEY, 0);
    assertEquals(Outcome.ADMITTED, empty.outcome());
    assertEquals(0, empty.remaining());
    assertEquals(limiter.peek(policy, KEY).resetAfter(), empty.resetAfter());
    assertEquals(Duration.ZERO, empty.retryAfter());
    limiter.charge(policy, KEY, 0);
    limiter.refund(empty);
    assertEquals(0, left(policy));
  }

  @Test
  void whatCostsNothingIsAdmittedBesideWhatIsRefused() {
    Policy free = policy(Algorithm.FIXED_WINDOW);
    Policy costly = Policy.builder("costly").limit(1).window(Duration.ofMinutes(1)).build();
    limiter.tryAcquire(costly, KEY);
    Decision both =
        limiter.tryAcquire(
            List.of(new PermitRequest(free, KEY, 0, 10), new PermitRequest(costly, KEY)));
    assertEquals(Outcome.REFUSED, both.outcome());
    assertEquals(Outcome.ADMITTED, both.parts().get(0).outcome());
    assertEquals(10, both.parts().get(0).remaining());
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void aPeekTellsWhatARequestWouldBeToldAndTakesNothing(Algorithm algorithm) {
    Policy five = policyOfCost5(algorithm);
    for (int i = 0; i < 3; i++) {
      assertThat(limiter.peek(five, KEY)).admitted().hasRemaining(10).resetsAfter(Duration.ZERO);
    }
    limiter.tryAcquire(five, KEY, 7);
    Decision peeked = limiter.peek(five, KEY);
    Decision refused = limiter.tryAcquire(five, KEY);
    assertThat(peeked).refusedFor(refused.retryAfter()).hasRemaining(3);
    assertEquals(refused.resetAfter(), peeked.resetAfter());
    limiter.refund(peeked);
    assertEquals(3, left(five));
  }

  private static Policy policyOfCost5(Algorithm algorithm) {
    return Policy.builder(algorithm + ".5")
        .limit(10)
        .window(WINDOW)
        .algorithm(algorithm)
        .burst(algorithm == Algorithm.LEAKY_BUCKET ? 10 : 0)
        .cost(5)
        .build();
  }

  @Test
  void oneRequestAsksAtLeastOnePolicy() {
    assertThrows(IllegalArgumentException.class, () -> limiter.tryAcquire(List.of()));
    assertThrows(IllegalArgumentException.class, () -> limiter.tryAcquireAsync(List.of()));
  }
}

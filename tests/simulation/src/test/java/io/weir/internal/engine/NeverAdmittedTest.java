package io.weir.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Outcome;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.RateLimitExceededException;
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

/** A request that costs more than there ever is gets no time to retry after. */
class NeverAdmittedTest {
  private static final Key WHO = Key.of("who");

  private double load;
  private final RateLimiter limiter =
      RateLimiter.builder().ticker(new FakeTicker()).loadSensor(() -> load).build();

  @AfterEach
  void close() {
    limiter.close();
  }

  private static PolicyBuilder tenAMinute(String name) {
    return Policy.builder(name).limit(10).window(Duration.ofMinutes(1));
  }

  private Decision ask(Policy policy, long permits) {
    return limiter.tryAcquire(policy, WHO, permits);
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void whatCostsMoreThanTheLimitIsNeverAdmittedAndChargesNothing(Algorithm algorithm) {
    int burst = algorithm == Algorithm.LEAKY_BUCKET ? 10 : 0;
    Policy policy = tenAMinute("p").algorithm(algorithm).burst(burst).build();
    assertNever(ask(policy, 11));
    assertNever(limiter.peek(new PermitRequest(policy, WHO, 11, 10)));
    assertTrue(ask(policy, 10).admitted());
    assertNever(ask(policy, 11));
    Decision later = ask(policy, 10);
    assertEquals(Reason.QUOTA_EXCEEDED, later.reason());
    assertFalse(later.neverAdmitted());
    assertTrue(later.retryAfter().toDays() < 1, later.describe());
  }

  private static void assertNever(Decision decision) {
    assertFalse(decision.admitted());
    assertTrue(decision.neverAdmitted(), decision.describe());
    assertEquals(Reason.COST_ABOVE_LIMIT, decision.reason());
    assertTrue(decision.retryAfter().toDays() > 50_000, decision.describe());
    assertTrue(System.nanoTime() + decision.retryAfter().toNanos() > 0, "without an overflow");
    assertTrue(decision.describe().contains("retry never"), decision.describe());
    String message = new RateLimitExceededException(decision).getMessage();
    assertTrue(message.endsWith("which never admits a request of this cost"), message);
  }

  @Test
  void whatAnIdleNodeWouldAdmitIsNotNever() {
    Policy elastic = tenAMinute("p").mode(Mode.ELASTIC).exceedBy(20).build();
    load = 1;
    Decision loaded = ask(elastic, 11);
    assertFalse(loaded.admitted() || loaded.neverAdmitted(), loaded.describe());
    assertNever(ask(elastic, 13));
    load = 0;
    assertNever(ask(elastic, 13));
    assertTrue(ask(elastic, 12).admitted());
    Policy soft = tenAMinute("q").mode(Mode.SOFT).exceedBy(20).build();
    assertNever(ask(soft, 13));
    assertEquals(Outcome.SOFT, ask(soft, 12).outcome());
  }

  @Test
  void theLimitOfTheCallerDecides() {
    Policy policy = tenAMinute("p").build();
    assertTrue(limiter.tryAcquire(List.of(new PermitRequest(policy, WHO, 11, 20))).admitted());
    assertNever(limiter.tryAcquire(List.of(new PermitRequest(policy, WHO, 21, 20))));
  }

  @Test
  void oneOfSeveralPoliciesIsEnough() {
    Policy small = tenAMinute("small").build();
    Policy used = tenAMinute("used").limit(100).build();
    ask(used, 100);
    List<PermitRequest> both =
        List.of(new PermitRequest(used, WHO, 11, 100), new PermitRequest(small, WHO, 11, 10));
    Decision decision = limiter.tryAcquire(both);
    assertNever(decision.parts().get(1));
    assertTrue(decision.neverAdmitted(), decision.describe());
    assertEquals(small, decision.policy());
    assertTrue(ask(small, 10).admitted(), "nothing was charged");
  }

  @Test
  void aPolicyInShadowModeAdmits() {
    Decision decision = ask(tenAMinute("p").shadow(true).build(), 11);
    assertEquals(Outcome.SHADOW_REFUSED, decision.outcome());
    assertEquals(Reason.COST_ABOVE_LIMIT, decision.reason());
    assertFalse(decision.neverAdmitted());
  }
}

package io.weir.internal.engine;

import static io.weir.internal.engine.Leasing.KEY;
import static io.weir.testkit.DecisionAssert.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.seeds.Seeds;
import io.weir.testkit.FakeTicker;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Buckets with their own refill, at a node that leases and refuses by what it knows. */
class RefillRequestsTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final Leasing node = new Leasing();

  @AfterEach
  void close() {
    node.close();
  }

  private static PolicyBuilder login(long refill) {
    return Policy.builder("login")
        .limit(10)
        .window(HOUR)
        .algorithm(Algorithm.TOKEN_BUCKET)
        .refill(refill);
  }

  @Test
  void tenAtOnceAndOneMoreAnHour() {
    Policy policy = login(1).build();
    assertEquals(10, node.take(policy, 40));
    Decision refused = node.take(policy);
    assertThat(refused).refused().hasLimit(10).hasRemaining(0).notDegraded();
    assertTrue(refused.retryAfter().compareTo(HOUR) < 0, refused::toString);
    node.time.run(refused.retryAfter());
    assertEquals(1, node.take(policy, 40));
    node.time.run(HOUR.multipliedBy(10));
    assertEquals(10, node.take(policy, 40));
  }

  @Test
  void theLastRefusalOfANodeStartsTheWaitOfAStrictOneAnew() {
    Policy policy = login(1).strict(true).build();
    assertEquals(10, node.take(policy, 12));
    node.time.run(Duration.ofMinutes(20));
    node.take(policy);
    long exchanges = node.store.exchanges;
    node.time.run(Duration.ofMillis(80));
    Decision known = node.take(policy); // the store isn't asked
    assertEquals(exchanges, node.store.exchanges);
    assertThat(known).refused().notDegraded();
    assertEquals(HOUR, known.retryAfter());
    node.rest();
    assertTrue(node.store.exchanges > exchanges, "it was reported");
    node.time.run(HOUR.minusSeconds(3).minusMillis(20));
    assertEquals(0, node.store.free(policy, KEY), "by the refusal before one were back");
    node.time.run(Duration.ofMillis(20));
    assertEquals(1, node.take(policy, 1), "not a moment later than was reported");
  }

  @Test
  void eachRefusalInThisProcessCounts() {
    FakeTicker ticker = new FakeTicker();
    Policy policy = login(1).strict(true).build();
    try (RateLimiter here = RateLimiter.builder().ticker(ticker).build()) {
      for (int i = 0; i < 10; i++) {
        assertThat(here.tryAcquire(policy, KEY)).admitted();
      }
      for (int i = 0; i < 5; i++) {
        ticker.advance(Duration.ofMinutes(40));
        Decision refused = here.tryAcquire(policy, KEY);
        assertThat(refused).refused();
        assertEquals(HOUR, refused.retryAfter());
      }
      ticker.advance(HOUR);
      assertThat(here.tryAcquire(policy, KEY)).admitted();
    }
  }

  @Test
  void aTierScalesTheRefillAndKeepsWhatWasUsed() {
    Policy plan = login(5).build();
    PermitRequest premium = new PermitRequest(plan, KEY, 1, 100);
    assertEquals(10, node.take(plan, 12));
    node.rest();
    assertEquals(89, node.take(List.of(premium)).remaining(), "of 100, 11 are used");
    for (int i = 0; i < 100; i++) {
      node.take(List.of(premium));
      node.time.run(Duration.ofMillis(1));
    }
    assertThat(node.take(List.of(premium))).refused().hasLimit(100);
    node.rest();
    node.time.run(HOUR);
    assertEquals(49, node.take(List.of(premium)).remaining(), "5 of 10 are 50 of 100");
    node.time.run(HOUR.multipliedBy(2));
    assertEquals(10, node.take(plan, 12), "back at the plan of 10");
    node.rest();
    node.time.run(HOUR);
    assertEquals(5, node.take(plan, 12));
  }

  @Test
  void aTierMayNameItsOwnRefill() {
    Policy plan = login(5).tier("gold", 100, 7).tier("silver", 30).build();
    Policy gold = plan.forTier("gold");
    assertEquals(plan.spec(), gold.spec());
    assertEquals(7, gold.refillFor(100));
    assertEquals(3, gold.refillFor(50), "a caller's own limit, or half of it");
    assertEquals(15, plan.forTier("silver").refillFor(30));
    assertEquals(7, plan.inShadow().forTier("gold").refill());
    assertTrue(plan.inShadow().forTier("gold").shadow());
  }

  @Test
  void theRefillIsInProportionRoundedDownAndAtLeastOne() {
    Seeds.each(
        200,
        random -> {
          long limit = 1 + random.nextLong(1L << 1 + random.nextInt(29));
          long refill = 1 + random.nextLong(limit);
          long other = 1 + random.nextLong(11_000_000_000L >> random.nextInt(33));
          long exact =
              BigInteger.valueOf(refill)
                  .multiply(BigInteger.valueOf(other))
                  .divide(BigInteger.valueOf(limit))
                  .longValueExact();
          assertEquals(Math.max(1, exact), login(refill).limit(limit).build().refillFor(other));
        });
  }

  @Test
  void whatAnotherPolicyRefusesMovesNothing() {
    Policy policy = login(1).strict(true).build();
    Policy narrow = Leasing.policy("narrow", 1).build();
    node.take(policy, narrow);
    node.time.run(Duration.ofMinutes(30));
    for (int i = 0; i < 20; i++) {
      assertThat(node.take(policy, narrow)).refused();
      node.time.run(Duration.ofMillis(30));
    }
    node.rest();
    assertEquals(9, node.store.free(policy, KEY));
    node.time.run(Duration.ofMinutes(30));
    assertEquals(10, node.store.free(policy, KEY));
  }
}

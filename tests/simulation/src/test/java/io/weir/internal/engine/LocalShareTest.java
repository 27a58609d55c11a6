package io.weir.internal.engine;

import static io.weir.internal.engine.Leasing.KEY;
import static io.weir.internal.engine.Leasing.policy;
import static io.weir.testkit.DecisionAssert.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Outcome;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.RateLimiter;
import io.weir.Reason;
import io.weir.annotation.Algorithm;
import io.weir.annotation.Mode;
import io.weir.annotation.OnStoreFailure;
import io.weir.annotation.Priority;
import io.weir.internal.engine.LeaseStore.Trouble;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LocalShareTest {
  private static final Policy WARM = policy("warm", 1_000_000).build();

  private final Leasing node = new Leasing();

  @AfterEach
  void close() {
    node.close();
  }

  private static PolicyBuilder local(long limit) {
    return policy("local", limit).onStoreFailure(OnStoreFailure.LOCAL);
  }

  /** The node learns the number of nodes, and then nothing more. */
  private void cutOffFrom(int live, Trouble trouble) {
    node.store.live = live;
    node.take(WARM);
    node.time.run(Duration.ofSeconds(2));
    node.store.trouble = trouble;
  }

  private void storeIsBack() {
    node.store.trouble = Trouble.NONE;
    node.time.run(Duration.ofSeconds(1));
  }

  @ParameterizedTest
  @CsvSource({"100, 4, 25", "100, 3, 33", "10, 32, 1", "7, 1, 7"})
  void aNodeGivesItsShareAndAtLeastOnePermit(long limit, int live, long share) {
    Policy policy = local(limit).build();
    cutOffFrom(live, Trouble.FAILS);
    assertEquals(share, node.take(policy, 100));
    Decision refused = node.take(policy);
    assertThat(refused)
        .refusedBecause(Reason.QUOTA_EXCEEDED)
        .degraded()
        .hasLimit(limit)
        .hasRemaining(0);
  }

  @Test
  void aNodeGivesItsShareOfARefillToo() {
    Policy policy = local(100).algorithm(Algorithm.TOKEN_BUCKET).refill(9).build();
    cutOffFrom(4, Trouble.FAILS);
    assertEquals(25, node.take(policy, 40));
    node.time.run(Duration.ofHours(1));
    assertEquals(2, node.take(policy, 40));
  }

  @ParameterizedTest
  @EnumSource(value = Trouble.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void whatWasSpentIsOwedAfterwards(Trouble trouble) {
    Policy policy = local(100).build();
    cutOffFrom(4, trouble);
    assertEquals(25, node.take(policy, 40));
    assertEquals(0, node.used(policy));
    storeIsBack();
    assertEquals(25, node.used(policy));
    node.rest();
    assertEquals(25, node.used(policy));
    assertThat(node.take(policy)).admitted().notDegraded().hasRemaining(74);
  }

  @Test
  void whatIsGivenBackIsForgiven() {
    Policy policy = local(100).build();
    cutOffFrom(4, Trouble.FAILS);
    node.take(policy, 10);
    Decision taken = node.take(policy);
    assertThat(taken).admitted().degraded().hasRemaining(14);
    node.limiter.refund(taken);
    node.limiter.refund(taken);
    assertThat(node.take(policy)).admitted().degraded().hasRemaining(14);
    storeIsBack();
    assertEquals(11, node.used(policy));
  }

  @Test
  void whatWasRefusedAsAWholeIsNotOwed() {
    Policy policy = local(100).build();
    Policy closed = policy("closed", 100).onStoreFailure(OnStoreFailure.CLOSED).build();
    cutOffFrom(4, Trouble.FAILS);
    for (int i = 0; i < 30; i++) {
      Decision refused = node.take(policy, closed);
      assertThat(refused).refused().degraded().decidedBy("closed");
      assertThat(refused.parts().get(0)).admitted().hasRemaining(25);
    }
    storeIsBack();
    assertEquals(0, node.used(policy));
  }

  @Test
  void softAndElasticAreDividedToo() {
    Policy soft = policy("soft", 100).mode(Mode.SOFT).exceedBy(20).build();
    cutOffFrom(4, Trouble.FAILS);
    assertEquals(30, node.take(soft, 40));
    assertEquals(25, node.counts.of("soft").of(Outcome.ADMITTED));
    assertEquals(5, node.counts.of("soft").of(Outcome.SOFT));
    Policy elastic = policy("elastic", 100).mode(Mode.ELASTIC).exceedBy(20).build();
    node.load = 1;
    assertEquals(12, node.take(elastic, 40));
    assertThat(node.take(elastic)).refusedBecause(Reason.REDUCED_CAPACITY).degraded();
  }

  @Test
  void aPriorityIsDividedTooAndSaysNothingWithoutTheStore() {
    Policy low = policy("low", 100).priority(Priority.LOW).build();
    cutOffFrom(4, Trouble.FAILS);
    node.load = 0.7;
    assertEquals(12, node.take(low, 40));
    assertThat(node.take(low)).refusedBecause(Reason.REDUCED_CAPACITY).degraded();
    node.load = 0.8;
    assertThat(node.take(low)).refusedBecause(Reason.REDUCED_CAPACITY).notDegraded();
    node.load = 0;
    assertEquals(13, node.take(low, 40));
    storeIsBack();
    assertEquals(25, node.used(low));
  }

  @Test
  void anOpenPolicyAdmitsAndAClosedOneRefuses() {
    Policy open = policy("open", 3).onStoreFailure(OnStoreFailure.OPEN).build();
    Policy closed = policy("closed", 3).onStoreFailure(OnStoreFailure.CLOSED).build();
    cutOffFrom(2, Trouble.FAILS);
    for (int i = 0; i < 10; i++) {
      assertThat(node.take(open)).hasOutcome(Outcome.ADMITTED).degraded();
      assertThat(node.take(closed)).refusedBecause(Reason.STORE_UNAVAILABLE).degraded();
    }
    assertEquals(10, node.counts.of("open").degraded());
    assertEquals(10, node.counts.of("closed").degraded());
    storeIsBack();
    assertThat(node.take(open)).notDegraded();
    assertThat(node.take(closed)).admitted().notDegraded();
  }

  @Test
  void nobodyWaitsForAStoreThatIsKnownToBeAway() {
    Policy policy = local(100).build();
    cutOffFrom(1, Trouble.STALLS);
    node.take(policy);
    node.time.run(Duration.ofSeconds(1));
    for (int i = 0; i < 20; i++) {
      var decision = node.limiter.tryAcquireAsync(List.of(new PermitRequest(policy, KEY)));
      assertTrue(decision.toCompletableFuture().isDone(), "request " + i + " waits");
      node.time.run(Duration.ofMillis(20));
    }
  }

  @Test
  void isExactAgainWithinASecondAfterTheStoresReturn() {
    Policy policy = local(100).build();
    assertEquals(40, node.take(policy, 40));
    node.rest();
    cutOffFrom(2, Trouble.STALLS);
    assertEquals(10, node.take(policy, 60), "the store has granted it 40 of its 50");
    storeIsBack();
    long admitted = 0;
    for (int i = 0; i < 70; i++) {
      Decision decision = node.take(policy);
      assertThat(decision).notDegraded();
      admitted += decision.admitted() ? 1 : 0;
    }
    assertEquals(50, admitted);
  }

  @Test
  void aNodeThatHasHadItsShareAddsNothing() {
    Policy policy = local(100).build();
    assertEquals(60, node.take(policy, 60));
    node.rest();
    cutOffFrom(2, Trouble.FAILS);
    Decision refused = node.take(policy);
    assertThat(refused).refusedBecause(Reason.QUOTA_EXCEEDED).degraded().hasLimit(100);
    node.time.run(refused.retryAfter());
    assertThat(node.take(policy)).admitted().degraded();
  }

  @Test
  void aBucketThatWasSaidToBeEmptyIsRefusedUntilItFillsUp() {
    Policy policy = local(100).build();
    RateLimiter other = node.node("other");
    node.store.atOnce = true;
    for (int i = 0; i < 100; i++) {
      assertThat(other.tryAcquire(policy, KEY)).admitted().notDegraded();
    }
    assertThat(node.limiter.tryAcquire(policy, KEY)).refused().notDegraded();
    node.store.atOnce = false;
    node.rest();
    cutOffFrom(2, Trouble.FAILS);
    Decision refused = node.take(policy);
    assertThat(refused).refused().degraded();
    node.time.run(refused.retryAfter());
    assertThat(node.take(policy)).admitted().degraded();
    node.store.atOnce = true;
    other.close();
  }

  @Test
  void severalPoliciesAreDecidedByWhatIsKnownOfEach() {
    Policy full = policy("full", 100).build();
    Policy open = policy("open", 100).build();
    assertEquals(60, node.take(full, 60));
    node.rest();
    cutOffFrom(2, Trouble.FAILS);
    Decision refused = node.take(open, full);
    assertThat(refused).refused().degraded().decidedBy("full");
    assertEquals(50, node.take(open, 60), "nothing of it was taken before");
  }

  @Test
  void aLeaseIsSpentThroughAnOutage() {
    Policy policy = local(100_000).build();
    node.take(policy, 1_000);
    node.store.trouble = Trouble.FAILS;
    assertThat(node.take(policy)).admitted().notDegraded();
  }
}

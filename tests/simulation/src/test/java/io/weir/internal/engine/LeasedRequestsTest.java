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
import io.weir.RateLimiter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeasedRequestsTest {
  private final Leasing node = new Leasing();

  @AfterEach
  void close() {
    node.close();
  }

  @Test
  void chargesNobodyIfOnePolicyRefuses() {
    Policy wide = policy("wide", 1_000).build();
    Policy narrow = policy("narrow", 20).build();
    for (int i = 0; i < 200; i++) {
      Decision decision = node.take(wide, narrow);
      assertEquals(i < 20, decision.admitted(), "request " + i);
      if (i >= 20) {
        assertThat(decision).decidedBy("narrow").notDegraded();
        assertThat(decision.parts().get(0)).hasOutcome(Outcome.ADMITTED);
      }
      node.time.run(Duration.ofMillis(1));
    }
    assertEquals(20, node.counts.of("wide").of(Outcome.ADMITTED));
    assertEquals(0, node.counts.of("wide").of(Outcome.REFUSED));
    assertEquals(180, node.counts.of("narrow").of(Outcome.REFUSED));
    node.rest();
    assertEquals(20, node.used(wide));
    assertEquals(20, node.used(narrow));
  }

  @Test
  void whatIsPutBackIsSpentByTheNextOne() {
    Policy wide = policy("wide", 40).build();
    Policy narrow = policy("narrow", 20).build();
    for (int i = 0; i < 60; i++) {
      node.take(wide, narrow);
      node.time.run(Duration.ofMillis(1));
    }
    assertEquals(20, node.take(wide, 60));
    node.rest();
    assertEquals(40, node.used(wide));
  }

  @Test
  void aWatchingPolicyBlocksNobodyAndKeepsNobodyFromBeingCharged() {
    Policy shadow = policy("shadow", 5).shadow(true).build();
    Policy wide = policy("wide", 1_000).build();
    for (int i = 0; i < 50; i++) {
      Decision decision = node.take(shadow, wide);
      assertThat(decision).admitted().notDegraded();
      assertThat(decision.parts().get(0))
          .hasOutcome(i < 5 ? Outcome.ADMITTED : Outcome.SHADOW_REFUSED);
      assertThat(decision.parts().get(1)).hasOutcome(Outcome.ADMITTED).hasRemaining(999 - i);
      node.time.run(Duration.ofMillis(1));
    }
    node.rest();
    assertEquals(50, node.used(wide));
    assertEquals(5, node.used(shadow));
  }

  @Test
  void aRefundGoesToTheLeaseAndFromThereToTheStore() {
    Policy policy = policy("refunds", 1_000).build();
    node.take(policy, 50);
    Decision taken = node.take(policy);
    assertThat(taken).hasRemaining(949);
    long before = node.store.exchanges;
    node.limiter.refund(taken);
    node.limiter.refund(taken);
    assertThat(node.take(policy)).hasRemaining(949);
    assertEquals(before, node.store.exchanges);
    node.rest();
    assertEquals(51, node.used(policy));
  }

  @Test
  void aRefundOfAnEarlierWindowChangesNothing() {
    Policy policy = policy("refunds", 1_000).build();
    Decision taken = node.take(policy);
    node.time.run(Duration.ofHours(1));
    node.take(policy, 5);
    node.limiter.refund(taken);
    node.rest();
    assertEquals(5, node.used(policy));
  }

  @Test
  void aPeekTakesNothingAndCountsWhatIsLeased() {
    Policy policy = policy("peeks", 1_000).build();
    assertThat(node.peek(policy)).admitted().notDegraded().hasRemaining(1_000);
    node.take(policy, 100);
    for (int i = 0; i < 20; i++) {
      assertThat(node.peek(policy)).admitted().notDegraded().hasRemaining(900);
    }
    node.rest();
    assertEquals(100, node.used(policy));
    assertThat(node.peek(policy)).hasRemaining(900);
  }

  @Test
  void aPeekAtANodeWithAFarLeaseAsksWhatOthersHaveUsed() throws Exception {
    Policy policy = policy("peeked", 1_000).build();
    node.store.farLeases = true;
    node.store.atOnce = true;
    try (RateLimiter first = node.node("first");
        RateLimiter second = node.node("second")) {
      assertThat(first.tryAcquire(policy, KEY)).admitted().hasRemaining(999);
      for (int i = 0; i < 985; i++) {
        assertThat(second.tryAcquire(policy, KEY)).admitted();
      }
      node.rest();
      long left = first.peek(policy, KEY).remaining();
      assertTrue(left <= 14, left + " left of 14");
      assertTrue(left >= 7, left + ": its own far lease isn't counted");
    }
  }

  @Test
  void aLaterChargeReachesTheStoreAndMayLeaveADebt() {
    Policy policy = policy("charged", 10).build();
    node.take(policy);
    node.limiter.charge(policy, KEY, 8);
    node.rest();
    assertEquals(9, node.used(policy));
    node.limiter.charge(policy, KEY, 8);
    node.rest();
    assertThat(node.take(policy)).refused().notDegraded();
  }

  @Test
  void takesAllOfACostOrNothing() {
    Policy policy = policy("cost", 12).build();
    List<PermitRequest> five = List.of(new PermitRequest(policy, KEY, 5, 12));
    assertThat(node.take(five)).admitted().hasRemaining(7);
    assertThat(node.take(five)).admitted().hasRemaining(2);
    assertThat(node.take(five)).refused().hasRemaining(2);
    assertEquals(2, node.take(policy, 5));
    assertThat(node.take(List.of(new PermitRequest(policy, KEY, 13, 12)))).refused().notDegraded();
  }

  @Test
  void twoNodesShareOneLimit() throws Exception {
    Policy policy = policy("shared", 100).build();
    Leasing other = node;
    try (var second = node.node("two")) {
      long admitted = 0;
      for (int i = 0; i < 100; i++) {
        admitted += other.take(policy).admitted() ? 1 : 0;
        var decision =
            second.tryAcquireAsync(List.of(new PermitRequest(policy, KEY))).toCompletableFuture();
        node.time.run(Duration.ofMillis(200));
        admitted += decision.get().admitted() ? 1 : 0;
      }
      assertEquals(100, admitted);
      node.store.atOnce = true;
    }
  }
}

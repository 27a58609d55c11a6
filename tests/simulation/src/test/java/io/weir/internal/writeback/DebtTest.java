package io.weir.internal.writeback;

import static io.weir.internal.writeback.Bench.fixed;
import static io.weir.internal.writeback.Bench.request;
import static io.weir.internal.writeback.Bench.sliding;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.internal.permits.BucketRequest;
import io.weir.store.Claim;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class DebtTest {
  private final Bench bench = new Bench();
  private final Policy policy = sliding(100);

  private long debt() {
    return bench.store.claims().stream().mapToLong(Claim::debt).sum();
  }

  @Test
  void aDebtIsToldWithTheNextFlush() {
    bench.node.owe(request(policy, "key", 7));
    bench.passMillis(100);
    assertEquals(7, debt());
    bench.passMillis(1_000);
    assertEquals(7, debt(), "once, since it was answered");
    assertEquals(93, bench.takes(policy, "key", 100));
  }

  @Test
  void aDebtIsToldUntilTheStoreAnswers() {
    bench.store.manner = HandStore.Manner.FAILS;
    bench.node.owe(request(policy, "key", 7));
    bench.passMillis(5_000);
    long told = debt();
    assertTrue(told >= 7);
    bench.store.manner = HandStore.Manner.AT_ONCE;
    bench.passMillis(1_000);
    assertEquals(7, debt() - told);
  }

  @Test
  void theDebtOfAnOldWindowIsNotChargedToTheNewOne() {
    Policy fixed = fixed(100);
    bench.passMillis(50_000);
    bench.take(request(fixed, "key", 1));
    bench.store.manner = HandStore.Manner.FAILS;
    bench.node.owe(request(fixed, "key", 90));
    bench.passMillis(11_000);
    bench.store.manner = HandStore.Manner.AT_ONCE;
    bench.passMillis(1_000);
    assertEquals(100, bench.takes(fixed, "key", 200));
  }

  @Test
  void aDebtIsForgottenAfterAWindow() {
    bench.store.manner = HandStore.Manner.FAILS;
    bench.node.owe(request(policy, "key", 90));
    bench.passMillis(61_000);
    bench.store.manner = HandStore.Manner.AT_ONCE;
    bench.passMillis(1_000);
    assertEquals(100, bench.takes(policy, "key", 200));
  }

  @Test
  void ofALongOutageNoMoreIsToldThanOfItsLastWindow() {
    bench.store.manner = HandStore.Manner.FAILS;
    for (int i = 0; i < 1_190; i++) { // of 119 s, two windows but for a second
      bench.node.owe(request(policy, "key", 1));
      bench.passMillis(100);
    }
    long before = debt();
    bench.store.manner = HandStore.Manner.AT_ONCE;
    bench.passMillis(1_000);
    long told = debt() - before;
    assertTrue(told >= 590 && told <= 650, "600 a window, told " + told);
  }

  @Test
  void whatIsForgivenInTimeIsNotTold() {
    bench.node.owe(request(policy, "key", 7));
    bench.node.cancelDebt(request(policy, "key", 3));
    bench.passMillis(1_000);
    assertEquals(4, debt());
  }

  @Test
  void aChargeIsDoneWhenTheStoreHasAnswered() {
    CompletableFuture<?> charge =
        bench.node.charge(request(policy, "key", 7)).toCompletableFuture();
    assertFalse(charge.isDone());
    bench.passMillis(100);
    assertTrue(charge.isDone() && !charge.isCompletedExceptionally());
    assertEquals(93, bench.takes(policy, "key", 100));
  }

  @Test
  void aChargeThatMayNotHaveArrivedSaysSo() {
    bench.store.manner = HandStore.Manner.LOSES_ANSWERS;
    CompletableFuture<?> charge =
        bench.node.charge(request(policy, "key", 7)).toCompletableFuture();
    bench.passMillis(150);
    assertTrue(charge.isCompletedExceptionally());
  }

  @Test
  void aChargeThatCountsNoMoreWhenItCouldBeToldIsDone() {
    Policy brief = Bench.policy(100).window(Duration.ofMillis(50)).build();
    CompletableFuture<?> charge = bench.node.charge(request(brief, "key", 7)).toCompletableFuture();
    bench.passMillis(100);
    assertTrue(charge.isDone() && !charge.isCompletedExceptionally());
    assertEquals(0, debt());
  }

  @Test
  void aChargeIsPaidFromTheLeaseWhereThereIsOne() {
    for (int i = 0; i < 50; i++) {
      bench.take(request(sliding(1_000), "key", 1));
      bench.passMillis(2);
    }
    BucketRequest two = request(sliding(1_000), "key", 2);
    assertTrue(bench.node.charge(two).toCompletableFuture().isDone());
    bench.passMillis(1_000);
    assertEquals(0, debt());
  }
}

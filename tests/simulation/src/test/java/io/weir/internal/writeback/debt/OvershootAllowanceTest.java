package io.weir.internal.writeback.debt;

import static io.weir.internal.writeback.Bench.request;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.writeback.Bench;
import io.weir.internal.writeback.HandStore;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.Membership;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class OvershootAllowanceTest {
  private final Bench bench = new Bench();
  private final Policy policy =
      Bench.policy(100).window(Duration.ofSeconds(10)).overshoot(10).build();

  private void join() {
    bench.take(request(policy, "first", 1));
    bench.passMillis(10_500);
  }

  private int admittedWithoutTheStore(String key, int requests) {
    bench.store.manner = HandStore.Manner.BY_HAND;
    int admitted = 0;
    for (int i = 0; i < requests; i++) {
      admitted += bench.ask(request(policy, key, 1)).isDone() ? 1 : 0;
    }
    return admitted;
  }

  @Test
  void aColdCallerNeedNotWait() {
    join();
    assertEquals(10, admittedWithoutTheStore("cold", 15));
    assertTrue(bench.store.claims().stream().anyMatch(each -> each.debt() > 0));
  }

  @Test
  void whatWasBorrowedIsChargedAfterwards() {
    join();
    assertEquals(10, admittedWithoutTheStore("cold", 10));
    bench.store.manner = HandStore.Manner.AT_ONCE;
    bench.store.answer();
    bench.passMillis(200);
    assertEquals(10, bench.store.claims().stream().mapToLong(Claim::debt).sum());
    assertEquals(90, bench.takes(policy, "cold", 200));
  }

  @Test
  void borrowsNothingBeforeItHasBeenThereForAWindow() {
    bench.take(request(policy, "first", 1));
    bench.passMillis(9_000);
    assertEquals(0, admittedWithoutTheStore("cold", 5));
  }

  @Test
  void borrowsByTheLeastShareOfTheLastWindow() {
    bench.store.membership = new Membership(2, 500_000);
    join();
    bench.store.membership = new Membership(1, Membership.WHOLE);
    bench.passMillis(5_000);
    assertEquals(5, admittedWithoutTheStore("cold", 15));
  }

  @Test
  void borrowsNothingOnceItsShareIsForgotten() {
    join();
    bench.store.heartbeats = false;
    bench.passMillis(3_000);
    assertEquals(0, admittedWithoutTheStore("cold", 5));
  }

  @Test
  void borrowsOnceInAWindowAlsoWhenTheEntryWasEvicted() {
    Bench small = new Bench(1);
    small.take(request(policy, "first", 1));
    small.passMillis(10_500);
    small.store.manner = HandStore.Manner.BY_HAND;
    assertTrue(small.ask(request(policy, "cold", 10)).isDone());
    small.store.manner = HandStore.Manner.AT_ONCE;
    small.store.answer();
    for (int i = 0; i < 50; i++) {
      small.ask(request(policy, "other" + i, 1));
    }
    small.store.manner = HandStore.Manner.BY_HAND;
    assertFalse(small.ask(request(policy, "cold", 1)).isDone());
  }

  @Test
  void whatIsGivenBackOfALoanIsNotCharged() {
    join();
    bench.store.manner = HandStore.Manner.BY_HAND;
    bench.ask(request(policy, "cold", 1));
    BucketRequest three = request(policy, "cold", 3);
    Grant lent = bench.take(three);
    bench.node.giveBack(three, lent.stamp(), 3);
    bench.store.manner = HandStore.Manner.AT_ONCE;
    bench.store.answer();
    bench.passMillis(500);
    assertEquals(1, bench.store.claims().stream().mapToLong(Claim::debt).sum());
  }

  @Test
  void doesNotBorrowFromABucketThatIsKnownToBeEmpty() {
    join();
    bench.store.manner = HandStore.Manner.AT_ONCE;
    long got = bench.takes(policy, "full", 300);
    assertTrue(got <= 110, "admitted " + got);
    assertEquals(0, bench.take(request(policy, "full", 1)).permits());
  }

  @Test
  void tellsHowManyNodesThereAre() {
    assertEquals(3, bench.node.nodes(), "as the settings say");
    bench.store.membership = new Membership(7, 1);
    join();
    assertEquals(7, bench.node.nodes());
  }

  @Test
  void believesThatThereAreFewerNodesOnceAllAnswersSaySoForAsLongAsANodeIsRemembered() {
    bench.takes(policy, "first", 1);
    bench.passMillis(2_100);
    assertEquals(3, bench.node.nodes(), "the others may be about to join");
    bench.passMillis(1_000);
    assertEquals(1, bench.node.nodes());
    bench.store.membership = new Membership(2, 1);
    bench.passMillis(1_000);
    assertEquals(2, bench.node.nodes());
    bench.store.membership = new Membership(1, 1);
    bench.passMillis(3_000);
    assertEquals(2, bench.node.nodes());
    bench.passMillis(1_000);
    assertEquals(1, bench.node.nodes());
  }

  @Test
  void aHeartbeatThatFailsIsNoOutageWhileClaimsAreAnswered() {
    bench.take(request(policy, "first", 1));
    bench.passMillis(10);
    bench.store.heart = HandStore.Manner.FAILS;
    for (int i = 0; i < 10; i++) {
      bench.passMillis(500);
      bench.take(request(policy, "claim " + i, 1));
    }
    assertEquals(List.of(), bench.told.failures);
  }

  @Test
  void heartbeatsOfManyNodesAreFartherApartAndAreRememberedForLonger() {
    bench.store.membership = new Membership(1_000, 100_000);
    join();
    int before = bench.store.hearts;
    bench.passMillis(100_000);
    int sent = bench.store.hearts - before;
    assertTrue(sent >= 10 && sent <= 12, "a tenth of a second each, and an eighth less: " + sent);
    bench.store.heartbeats = false;
    bench.store.membership = new Membership(3, 100_000);
    assertEquals(1_000, bench.node.nodes());
    assertEquals(1_250, bench.node.parts(), "others may have joined since");
  }

  @Test
  void knowsHowManyNodesThereAreWhenTheStoreForgetsAndIsAwayNow() {
    bench.takes(policy, "first", 1);
    bench.store.membership = new Membership(2, 1);
    bench.passMillis(4_100);
    bench.store.membership = new Membership(1, 1);
    bench.passMillis(2_000);
    bench.store.heartbeats = false;
    bench.passMillis(10_000);
    assertEquals(2, bench.node.nodes(), "of the other it hasn't heard again");
  }

  @Test
  void aHeartbeatThatFailsIsReportedAndIsNotTheLast() {
    bench.take(request(policy, "first", 1));
    bench.passMillis(10);
    bench.store.heart = HandStore.Manner.FAILS;
    bench.passMillis(1_000);
    assertEquals(List.of(), bench.told.failures, "the one before was answered");
    bench.passMillis(1_000);
    bench.store.heart = HandStore.Manner.THROWS;
    bench.passMillis(1_000);
    assertEquals(
        List.of("heart failed", "no heart"),
        bench.told.failures.stream().map(Throwable::getMessage).toList());
    bench.store.heart = HandStore.Manner.AT_ONCE;
    bench.passMillis(11_500);
    assertEquals(10, admittedWithoutTheStore("cold", 15));
  }
}

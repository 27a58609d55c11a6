package io.weir.internal.writeback.lease;

import static io.weir.internal.writeback.Bench.request;
import static io.weir.internal.writeback.Bench.sliding;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.writeback.Bench;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CachedRefusalTest {
  private final Bench bench = new Bench();
  private final Policy policy = sliding(10);

  private void exhaust() {
    assertEquals(10, bench.takes(policy, "key", 10));
  }

  @Test
  void aRefusalIsRememberedForAFlushAndThenTwiceAsLong() {
    exhaust();
    int before = bench.told.exchanges;
    for (int i = 0; i < 400; i++) {
      assertEquals(0, bench.take(request(policy, "key", 1)).permits());
      bench.passMillis(10);
    }
    int asked = bench.told.exchanges - before;
    assertTrue(asked >= 3 && asked <= 7, "in four seconds asked " + asked);
  }

  @Test
  void whatIsToldIsWhenThereWillBePermitsAndNotWhenToLookAgain() {
    exhaust();
    Grant refused = bench.take(request(policy, "key", 1));
    assertTrue(refused.retry() > 59_000_000, "retry " + refused.retry());
    bench.passMillis(30);
    assertEquals(refused.retry() - 30_000, bench.take(request(policy, "key", 1)).retry());
  }

  @Test
  void isGrantedWhenRetryHasPassed() {
    exhaust();
    Grant refused = bench.take(request(policy, "key", 1));
    bench.pass(Duration.ofNanos(refused.retry() * 1_000));
    assertEquals(1, bench.take(request(policy, "key", 1)).permits());
  }

  @Test
  void aLargerCostIsToldItsOwnTime() {
    bench.takes(policy, "key", 5);
    bench.passMillis(20_000);
    bench.takes(policy, "key", 5);
    Grant one = bench.take(request(policy, "key", 1));
    Grant eight = bench.take(request(policy, "key", 8));
    assertTrue(eight.retry() > one.retry() + 15_000_000, one.retry() + " and " + eight.retry());
    bench.pass(Duration.ofNanos(eight.retry() * 1_000));
    assertEquals(8, bench.take(request(policy, "key", 8)).permits());
  }

  @Test
  void aSmallerCostIsStillTried() {
    bench.takes(policy, "key", 7);
    assertEquals(0, bench.take(request(policy, "key", 5)).permits());
    assertEquals(3, bench.takes(policy, "key", 3));
  }

  @Test
  void aLeaseThatHoldsTooLittleIsNoReasonToAskForEver() {
    BucketRequest two = request(policy, "key", 2);
    bench.takes(policy, "key", 9);
    Grant last = bench.take(request(policy, "key", 1));
    bench.node.giveBack(two, last.stamp(), 1);
    int before = bench.told.exchanges;
    Grant refused = bench.take(two);
    assertEquals(0, refused.permits());
    assertTrue(refused.retry() > 0);
    assertTrue(bench.told.exchanges - before <= 2);
    assertEquals(1, bench.takes(policy, "key", 1), "what the lease held");
  }

  @Test
  void aLargerCapacityIsStillTried() {
    exhaust();
    assertEquals(0, bench.take(request(policy, "key", 1)).permits());
    assertEquals(1, bench.take(request(sliding(20), "key", 1)).permits());
  }

  @Test
  void whatOthersGiveBackIsFoundWithinSixteenFlushes() {
    exhaust();
    bench.take(request(policy, "key", 1));
    BucketRequest one = request(policy, "key", 1);
    Grant other =
        bench
            .store
            .execute(java.util.List.of(Claim.peek(one.bucket(), 1, 10, 10)))
            .toCompletableFuture()
            .join()
            .get(0)
            .orElseThrow();
    bench.store.execute(java.util.List.of(one.giveBack(other.stamp(), 4)));
    long waited = 0;
    while (bench.take(one).permits() == 0) {
      bench.passMillis(10);
      waited += 10;
    }
    assertTrue(waited <= 200, "waited " + waited);
  }
}

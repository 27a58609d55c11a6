package io.weir.internal.writeback;

import static io.weir.internal.writeback.Bench.request;
import static io.weir.internal.writeback.Bench.sliding;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import org.junit.jupiter.api.Test;

class EvictionTest {
  private final Bench bench = new Bench(10);
  private final Policy policy = sliding(100);

  private void flood(int keys) {
    for (int i = 0; i < keys; i++) {
      bench.ask(request(policy, "flood" + i, 1));
    }
  }

  @Test
  void whoeverFloodsTheCacheGetsNoFreshLimit() {
    long got = 0;
    for (int i = 0; i < 300; i++) {
      got += bench.take(request(policy, "attacker", 1)).permits();
      flood(20);
    }
    // Whom the cache evicts is its own guess; a permit that is on its way back then may be lost.
    assertTrue(got <= 100 && got >= 90, "got " + got);
  }

  @Test
  void holdsNoMoreBucketsThanItMay() {
    flood(10_000);
    assertTrue(bench.node.size() <= 10, "holds " + bench.node.size());
  }

  @Test
  void theLeaseOfAnEvictedBucketGoesBack() {
    long got = 0;
    for (int i = 0; i < 60; i++) {
      got += bench.take(request(policy, "busy", 1)).permits();
      bench.passMillis(2);
    }
    flood(1_000);
    bench.passMillis(3_000);
    assertEquals(got + 1_000, bench.store.granted - bench.store.giveBacks);
  }

  @Test
  void evictionLosesNoDebt() {
    bench.store.manner = HandStore.Manner.FAILS;
    bench.node.owe(request(policy, "debtor", 70));
    for (int i = 0; i < 100; i++) {
      bench.ask(request(policy, "flood" + i, 1));
    }
    bench.passMillis(1_000);
    bench.store.manner = HandStore.Manner.AT_ONCE;
    bench.passMillis(1_000);
    assertEquals(30, bench.takes(policy, "debtor", 100));
  }

  @Test
  void evictionLosesNoDebtWhoseAnswerMayYetCome() {
    bench.take(request(policy, "debtor", 1));
    bench.passMillis(30);
    bench.node.owe(request(policy, "debtor", 70));
    bench.store.manner = HandStore.Manner.LOSES_CLAIMS;
    bench.ask(request(policy, "debtor", 1)); // carries it
    assertEquals(70, bench.store.lastClaim().debt());
    for (int i = 0; i < 100; i++) {
      bench.node.localView(request(policy, "flood" + i, 1), 1);
    }
    bench.passMillis(60); // it is overdue, and no flush is before its answer may still come
    bench.store.manner = HandStore.Manner.AT_ONCE;
    bench.passMillis(1_000);
    assertEquals(29, bench.takes(policy, "debtor", 100));
  }

  @Test
  void flushesLookOnlyAtBucketsInUse() {
    Bench wide = new Bench(20_000);
    for (int i = 0; i < 10_000; i++) {
      wide.take(request(policy, "once" + i, 1));
    }
    wide.passMillis(2_000);
    assertEquals(10_000, wide.node.size());
    long before = wide.node.visited();
    assertTrue(before >= 10_000, "each of them was visited");
    for (int i = 0; i < 10; i++) {
      wide.take(request(policy, "busy", 1));
      wide.passMillis(100);
    }
    assertTrue(wide.node.visited() - before <= 20, "visited " + (wide.node.visited() - before));
  }

  @Test
  void whatIsKeptOfEvictedBucketsIsBounded() {
    bench.store.manner = HandStore.Manner.FAILS;
    for (int i = 0; i < 5_000; i++) {
      bench.node.owe(request(policy, "debtor" + i, 1));
    }
    long most = bench.node.busy();
    assertTrue(most > 10 && most <= 1_100, "busy " + most);
    bench.passMillis(100);
    assertTrue(bench.node.busy() <= 10 + 2 * 10 + 1, "busy " + bench.node.busy());
  }

  @Test
  void aBucketThatIsLetGoOfAsksTheStoreAgainAndGivesItsLeaseBack() {
    long got = 0;
    for (int i = 0; i < 60; i++) {
      got += bench.take(request(policy, "busy", 1)).permits();
      bench.passMillis(2);
    }
    bench.node.letGo(each -> each.encodedKey().endsWith("busy"));
    bench.passMillis(3_000);
    assertEquals(got, bench.store.granted - bench.store.giveBacks);
    assertEquals(0, bench.node.size());
  }

  @Test
  void whatWasRefusedIsAskedAgainOnceTheStoreHasForgottenIt() {
    assertEquals(100, bench.take(request(policy, "locked", 100)).permits());
    assertEquals(0, bench.take(request(policy, "locked", 1)).permits());
    bench.store.forget(request(policy, "locked", 1).bucket()).toCompletableFuture().join();
    assertEquals(0, bench.take(request(policy, "locked", 1)).permits(), "as this node knows");
    bench.node.letGo(each -> true);
    assertEquals(1, bench.take(request(policy, "locked", 1)).permits());
  }

  @Test
  void aResetLeavesOtherBucketsAsTheyAre() {
    assertEquals(100, bench.take(request(policy, "locked", 100)).permits());
    assertEquals(100, bench.take(request(policy, "other", 100)).permits());
    bench.store.forget(request(policy, "locked", 1).bucket()).toCompletableFuture().join();
    bench.node.letGoAfterReset(request(policy, "locked", 1).bucket());
    bench.node.letGoAfterReset(request(policy, "unknown", 1).bucket());
    assertEquals(1, bench.node.size());
    assertEquals(0, bench.take(request(policy, "other", 1)).permits(), "as this node knows");
    assertEquals(1, bench.take(request(policy, "locked", 1)).permits());
  }
}

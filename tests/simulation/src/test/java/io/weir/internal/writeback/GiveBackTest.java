package io.weir.internal.writeback;

import static io.weir.internal.writeback.Bench.request;
import static io.weir.internal.writeback.Bench.sliding;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.internal.permits.BucketRequest;
import io.weir.store.Claim;
import io.weir.store.Grant;
import org.junit.jupiter.api.Test;

class GiveBackTest {
  private final Bench bench = new Bench();
  private final Policy policy = sliding(1_000);

  private long busy(String key, int requests) {
    long got = 0;
    for (int i = 0; i < requests; i++) {
      got += bench.take(request(policy, key, 1)).permits();
      bench.passMillis(2);
    }
    return got;
  }

  @Test
  void whatLiesIdleIsBackWithinTwoFlushes() {
    Policy half = sliding(400);
    long got = 0;
    for (int i = 0; i < 300; i++) {
      got += bench.take(request(half, "key", 1)).permits();
      bench.passMillis(2);
    }
    bench.passMillis(200);
    assertTrue(bench.store.giveBacks > 0);
    assertEquals(got, bench.store.granted - bench.store.giveBacks);
    bench.passMillis(1_000);
    assertEquals(0, bench.node.busy(), "and then no flush visits it any more");
  }

  @Test
  void wherePlentyIsLeftPermitsStayForTenFlushes() {
    busy("key", 100);
    long before = bench.store.giveBacks;
    bench.passMillis(500);
    assertEquals(before, bench.store.giveBacks);
    bench.passMillis(800);
    assertEquals(100, bench.store.granted - bench.store.giveBacks);
  }

  @Test
  void aPermitThatIsGivenBackServesTheNextRequest() {
    busy("key", 50);
    BucketRequest one = request(policy, "key", 1);
    Grant grant = bench.take(one);
    int before = bench.told.exchanges;
    bench.node.giveBack(one, grant.stamp(), 1);
    assertEquals(grant.left(), bench.take(one).left());
    assertEquals(before, bench.told.exchanges);
  }

  @Test
  void aGiveBackOfAnOlderSlotGoesToTheStoreByItsOwnStamp() {
    BucketRequest one = request(policy, "key", 1);
    Grant grant = bench.take(one);
    bench.passMillis(5_000);
    bench.node.giveBack(one, grant.stamp(), 1);
    bench.passMillis(2_000);
    Claim claim = bench.store.lastClaim();
    assertEquals(grant.stamp(), claim.giveBacks().get(0).stamp());
    assertEquals(1, bench.store.giveBacks);
  }

  @Test
  void aGiveBackIsSentOnceAlsoWhenNobodyAnswers() {
    BucketRequest one = request(policy, "key", 1);
    Grant grant = bench.take(one);
    bench.store.manner = HandStore.Manner.LOSES_ANSWERS;
    bench.node.giveBack(one, grant.stamp() - 1, 1);
    bench.passMillis(3_000);
    long sent = bench.store.claims().stream().filter(each -> !each.giveBacks().isEmpty()).count();
    assertEquals(1, sent);
  }

  @Test
  void whoIsGivenBackMustEarnLeasesAnew() {
    busy("key", 100);
    bench.passMillis(3_000);
    assertTrue(bench.store.giveBacks > 0);
    int before = bench.told.exchanges;
    for (int i = 0; i < 9; i++) {
      bench.take(request(policy, "key", 1));
    }
    assertEquals(9, bench.told.exchanges - before, "nothing ahead before ten requests");
    assertFalse(bench.store.lastClaim().extra() > 0);
  }

  @Test
  void whatIsGivenBackFirstOfAllIsSentToo() {
    BucketRequest one = request(policy, "key", 1);
    assertTrue(bench.node.giveBack(one, 5, 1).toCompletableFuture().isDone());
    bench.passMillis(2_000);
    assertEquals(5, bench.store.lastClaim().giveBacks().get(0).stamp());
  }
}

package io.weir.internal.writeback;

import static io.weir.internal.writeback.Bench.fixed;
import static io.weir.internal.writeback.Bench.request;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.internal.permits.BucketRequest;
import io.weir.store.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LeaseTakingTest {
  private final Bench bench = new Bench();
  private final Policy policy = fixed(10_000);

  @Test
  void aSlowBucketCostsOneExchangeARequest() {
    for (int i = 0; i < 50; i++) {
      assertEquals(1, bench.take(request(policy, "slow", 1)).permits());
      bench.passMillis(1_000);
    }
    assertEquals(50, bench.told.exchanges);
  }

  @Test
  void aBusyBucketIsServedFromItsLease() {
    assertEquals(5_000, busy(5_000));
    assertTrue(bench.told.exchanges < 200, "exchanges " + bench.told.exchanges);
  }

  private long busy(int requests) {
    long got = 0;
    for (int i = 0; i < requests; i++) {
      got += bench.take(request(policy, "busy", 1)).permits();
      bench.passMillis(1);
    }
    return got;
  }

  @Test
  void whoAsksMeanwhileSharesTheNextSettle() {
    bench.store.manner = HandStore.Manner.BY_HAND;
    List<CompletableFuture<List<Optional<Grant>>>> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      all.add(bench.ask(request(policy, "herd", 1)));
    }
    assertEquals(1, bench.store.batches.size());
    bench.store.answer();
    assertEquals(2, bench.store.batches.size());
    assertEquals(19, bench.store.lastClaim().needed());
    assertFalse(all.get(19).isDone());
    bench.store.answer();
    assertTrue(all.stream().allMatch(each -> Bench.answer(each).orElseThrow().permits() == 1));
    assertEquals(2, bench.told.exchanges);
  }

  @Test
  void nothingIsSpentOnceItsSlotIsOver() {
    busy(300);
    Grant last = bench.take(request(policy, "busy", 1));
    bench.store.manner = HandStore.Manner.LOSES_ANSWERS;
    bench.passMillis(60_000);
    assertTrue(last.left() > 0);
    CompletableFuture<List<Optional<Grant>>> next = bench.ask(request(policy, "busy", 1));
    bench.passMillis(50);
    assertEquals(Optional.empty(), Bench.answer(next));
  }

  @Test
  void spendsNoMoreThanWasGranted() {
    Policy small = fixed(100);
    BucketRequest one = request(small, "greedy", 1);
    long got = 0;
    for (int i = 0; i < 1_000; i++) {
      got += bench.take(one).permits();
      bench.passMillis(10);
    }
    assertEquals(100, got);
  }

  @Test
  void tellsWhatIsLeftInLeaseAndStore() {
    for (int i = 1; i <= 200; i++) {
      assertEquals(10_000 - i, bench.take(request(policy, "told", 1)).left());
      bench.passMillis(3);
    }
  }
}

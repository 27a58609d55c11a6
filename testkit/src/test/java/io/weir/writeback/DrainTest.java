package io.weir.writeback;

import static io.weir.writeback.Bench.sliding;
import static io.weir.writeback.Bench.wish;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class DrainTest {
  private final Bench bench = new Bench();
  private final Policy policy = sliding(1_000);

  private long busy() {
    long got = 0;
    for (int i = 0; i < 60; i++) {
      got += bench.take(wish(policy, "busy", 1)).permits();
      bench.passMillis(2);
    }
    return got;
  }

  @Test
  void closingGivesEverythingBackAndLeaves() {
    long got = busy();
    bench.node.owe(wish(policy, "debtor", 5));
    bench.node.close();
    assertEquals(got, bench.store.granted - bench.store.backs);
    assertEquals(5, bench.store.claims().stream().mapToLong(each -> each.owed()).sum());
    assertTrue(bench.store.left && bench.store.closed);
  }

  @Test
  void whatIsInFlightComesBackToo() {
    bench.store.manner = HandStore.Manner.BY_HAND;
    bench.ask(wish(policy, "key", 5));
    bench.passMillis(60);
    bench.ask(wish(policy, "key", 7));
    CompletableFuture<?> drained = bench.node.drain().toCompletableFuture();
    assertFalse(drained.isDone());
    bench.store.manner = HandStore.Manner.AT_ONCE;
    bench.store.answer();
    assertTrue(drained.isDone());
    assertEquals(7, bench.store.granted - bench.store.backs);
  }

  @Test
  void aStoreThatIsAwayHoldsNobodyUp() {
    busy();
    bench.store.manner = HandStore.Manner.LOSES_ANSWERS;
    CompletableFuture<?> drained = bench.node.drain().toCompletableFuture();
    bench.passMillis(60);
    assertTrue(drained.isDone());
  }

  @Test
  void takesNothingAnyMoreAndSchedulesNothing() {
    busy();
    bench.node.close();
    int before = bench.store.settles.size();
    assertTrue(bench.ask(wish(policy, "busy", 1)).isCompletedExceptionally());
    bench.passMillis(3_000);
    assertEquals(before, bench.store.settles.size());
    assertEquals(List.of(), bench.told.failures);
  }
}

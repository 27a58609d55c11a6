package io.weir.internal.writeback;

import static io.weir.internal.writeback.Bench.request;
import static io.weir.internal.writeback.Bench.sliding;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Policy;
import io.weir.internal.permits.BucketRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class DrainTest {
  private final Bench bench = new Bench();
  private final Policy policy = sliding(1_000);

  private long busy() {
    long got = 0;
    for (int i = 0; i < 60; i++) {
      got += bench.take(request(policy, "busy", 1)).permits();
      bench.passMillis(2);
    }
    return got;
  }

  @Test
  void closingGivesEverythingBackAndLeaves() {
    long got = busy();
    bench.node.owe(request(policy, "debtor", 5));
    bench.node.close();
    assertEquals(got, bench.store.granted - bench.store.giveBacks);
    assertEquals(5, bench.store.claims().stream().mapToLong(each -> each.debt()).sum());
    assertTrue(bench.store.left && bench.store.closed);
  }

  @Test
  void whatIsInFlightComesBackToo() {
    bench.store.manner = HandStore.Manner.BY_HAND;
    bench.ask(request(policy, "key", 5));
    bench.passMillis(60);
    bench.ask(request(policy, "key", 7));
    CompletableFuture<?> drained = bench.node.drain().toCompletableFuture();
    assertFalse(drained.isDone());
    bench.store.manner = HandStore.Manner.AT_ONCE;
    bench.store.answer();
    assertTrue(drained.isDone());
    assertEquals(7, bench.store.granted - bench.store.giveBacks);
  }

  /** Drains, and returns the permits that the store counts when that is complete. */
  private CompletableFuture<Long> countDrained() {
    return bench
        .node
        .drain()
        .thenApply(done -> bench.store.granted - bench.store.giveBacks)
        .toCompletableFuture();
  }

  @Test
  void anAnswerThatIsBeingProcessedIsWaitedFor() {
    long got = busy();
    bench.store.manner = HandStore.Manner.BY_HAND;
    int before = bench.store.batches.size();
    while (bench.store.batches.size() == before) {
      got += bench.take(request(policy, "busy", 1)).permits();
      bench.passMillis(2);
    }
    assertTrue(bench.store.lastClaim().extra() > 0, "a lease is topped up");
    AtomicReference<CompletableFuture<Long>> drained = new AtomicReference<>();
    bench.told.onExecuted = () -> drained.compareAndSet(null, countDrained());
    bench.store.manner = HandStore.Manner.AT_ONCE;
    bench.store.answer();
    assertEquals(got, drained.get().getNow(-1L));
  }

  @Test
  void aBucketThatAFlushIsVisitingIsWaitedFor() {
    long got = busy();
    AtomicReference<CompletableFuture<Long>> drained = new AtomicReference<>();
    bench.store.partitions =
        bucket -> {
          if (drained.get() == null) {
            drained.set(new CompletableFuture<>());
            drained.set(countDrained());
          }
          return 0;
        };
    while (drained.get() == null) {
      bench.passMillis(10);
    }
    assertEquals(got, drained.get().getNow(-1L));
  }

  @Test
  void aStoreThatIsAwayHoldsNobodyUp() {
    busy();
    bench.store.manner = HandStore.Manner.LOSES_ANSWERS;
    CompletableFuture<?> drained = bench.node.drain().toCompletableFuture();
    bench.passMillis(60);
    assertTrue(drained.isDone() && !drained.isCompletedExceptionally());
  }

  @Test
  void takesNothingAnyMoreAndSchedulesNothing() {
    busy();
    bench.node.close();
    int before = bench.store.batches.size();
    assertTrue(bench.ask(request(policy, "busy", 1)).isCompletedExceptionally());
    bench.passMillis(3_000);
    assertEquals(before, bench.store.batches.size());
    assertEquals(List.of(), bench.told.failures);
    long happened = bench.time.happened();
    bench.passMillis(3_000);
    assertEquals(happened, bench.time.happened(), "neither flushes nor heartbeats");
  }

  @Test
  void saysOfWhatComesLaterThatItIsLost() {
    busy();
    BucketRequest one = request(policy, "busy", 1);
    assertNotNull(bench.node.decideNow(one.terms(), Key.of("busy")));
    bench.node.drain();
    assertTrue(bench.node.giveBack(one, 1, 1).toCompletableFuture().isCompletedExceptionally());
    assertTrue(bench.node.charge(one).toCompletableFuture().isCompletedExceptionally());
    assertNull(bench.node.decideNow(one.terms(), Key.of("busy")));
    assertNull(bench.node.decideNow(List.of(one.terms()), List.of(Key.of("busy"))));
    assertSame(bench.node.drain(), bench.node.drain(), "it ends once");
  }
}

package io.weir.internal.writeback;

import static io.weir.internal.writeback.Bench.request;
import static io.weir.internal.writeback.Bench.sliding;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.store.Grant;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Buckets that keep a far lease: they rest at once, and admit requests from there. */
class FarLeaseAtRestTest {
  private static final int LENT = 7;

  private final Bench bench = bench();
  private final Policy slow = sliding(1_000);
  private final Policy narrow =
      Policy.builder("narrow").limit(2).window(Duration.ofMinutes(1)).build();

  private static Bench bench() {
    Bench plain = new Bench();
    plain.store.farLeases = true;
    return new Bench(plain);
  }

  private @Nullable Decision decideNow() {
    return bench.node.decideNow(request(slow, "key", 1).terms(), Key.of("key"));
  }

  private List<Grant> both() {
    return bench.ask(request(slow, "key", 1), request(narrow, "key", 1)).getNow(List.of()).stream()
        .map(Optional::orElseThrow)
        .toList();
  }

  private void rests() {
    bench.take(request(slow, "key", 1));
    bench.pass(Bench.FLUSH);
    assertEquals(0, bench.node.busy());
  }

  @Test
  void admitWithoutComingIntoUse() {
    rests();
    for (int i = LENT - 1; i >= 0; i--) {
      Decision decision = decideNow();
      assertNotNull(decision);
      assertEquals(1_000 - 1 - LENT + i, decision.remaining());
    }
    assertNull(decideNow());
    assertEquals(0, bench.node.busy());
    assertEquals(1, bench.told.exchanges);
  }

  @Test
  void areNotVisitedASecondTime() {
    long before = bench.node.visited();
    rests();
    bench.pass(Bench.FLUSH.multipliedBy(5));
    assertEquals(1, bench.node.visited() - before);
  }

  @Test
  void stayInUseWhileSeveralAsk() {
    bench.store.manner = HandStore.Manner.BY_HAND;
    bench.ask(request(slow, "key", 1));
    bench.ask(request(slow, "key", 1));
    bench.store.answer();
    bench.store.answer();
    bench.pass(Bench.FLUSH);
    assertEquals(1, bench.node.busy(), "how often is still to be found out");
  }

  @Test
  void areSpentWhileTheOtherPolicyOfARequestClaims() {
    rests();
    assertEquals(List.of(1L, 1L), both().stream().map(Grant::permits).toList());
    assertEquals(1, bench.node.busy(), "only the other bucket");
    assertEquals(2, bench.told.exchanges);
  }

  @Test
  void loseNothingIfTheOtherPolicyRefuses() {
    rests();
    bench.take(request(narrow, "key", 2));
    bench.take(request(narrow, "key", 1));
    Grant passedOver = both().get(0);
    assertEquals(0, passedOver.permits());
    assertEquals(1_000 - 1, passedOver.left());
  }

  @Test
  void tellTheStoreWhatWasSpentThere() {
    rests();
    for (int i = 0; i < LENT; i++) {
      decideNow();
    }
    bench.take(request(slow, "key", 1));
    assertEquals(1, bench.store.lastClaim().giveBacks().size());
    assertEquals(LENT + 1, bench.store.lastClaim().giveBacks().get(0).spent());
    assertTrue(bench.store.lastClaim().far() > LENT, "it was used up");
  }
}

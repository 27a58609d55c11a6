package io.weir.internal.writeback.channel;

import static io.weir.internal.writeback.Bench.fixed;
import static io.weir.internal.writeback.Bench.request;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.writeback.Bench;
import io.weir.internal.writeback.HandStore;
import io.weir.store.Claim;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PartitionBreakerTest {
  private final Bench bench = new Bench();
  private final Policy policy = fixed(1_000);
  private final BucketRequest one = request(policy, "key", 1);

  private void outage() {
    bench.store.manner = HandStore.Manner.LOSES_ANSWERS;
    for (int i = 0; i < 3; i++) {
      bench.ask(one);
      bench.passMillis(50);
    }
  }

  /** Tries all ways in which eight calls may end: a bit for each, 1 for a failure. */
  @Test
  void opensOnceThreeOfTheLastFourCallsFailed() {
    for (int ends = 0; ends < 1 << 8; ends++) {
      PartitionBreaker breaker = new PartitionBreaker();
      for (int call = 1; call <= 8 && breaker.isClosed(); call++) {
        end(breaker, ends >> call - 1 & 1);
        int lastFour = (ends & (1 << call) - 1) >> Math.max(0, call - 4);
        assertEquals(Integer.bitCount(lastFour) < 3, breaker.isClosed(), "" + ends);
      }
    }
  }

  private static void end(PartitionBreaker breaker, int failure) {
    if (failure == 1) {
      breaker.noteFailure();
    } else {
      breaker.noteSuccess();
    }
  }

  @Test
  void onlyTheAnswerToAProbeClosesIt() {
    PartitionBreaker breaker = new PartitionBreaker();
    assertFalse(breaker.needsProbe());
    for (int i = 0; i < 3; i++) {
      breaker.noteFailure();
    }
    breaker.noteSuccess(); // was sent before
    assertFalse(breaker.isClosed());
    assertTrue(breaker.needsProbe());
    assertFalse(breaker.needsProbe(), "one is scheduled");
    assertTrue(breaker.beginProbe());
    breaker.noteFailure();
    assertTrue(breaker.needsProbe());
    assertTrue(breaker.beginProbe());
    breaker.noteSuccess();
    assertTrue(breaker.isClosed());
    assertFalse(breaker.beginProbe());
    breaker.noteFailure();
    breaker.noteFailure();
    assertTrue(breaker.isClosed(), "earlier failures don't count any more");
  }

  @Test
  void nobodyWaitsForAKnownOutage() {
    outage();
    int before = bench.store.batches.size();
    assertEquals(Optional.empty(), Bench.answer(bench.ask(one)), "at once");
    assertEquals(before, bench.store.batches.size());
  }

  @Test
  void oneLostSettleIsNoOutage() {
    bench.take(one);
    bench.store.manner = HandStore.Manner.LOSES_ANSWERS;
    bench.ask(one);
    bench.passMillis(50);
    bench.store.manner = HandStore.Manner.AT_ONCE;
    assertEquals(1, bench.take(one).permits());
  }

  @Test
  void onlyAProbeThatTakesNothingGoesOut() {
    outage();
    int before = bench.store.batches.size();
    bench.passMillis(240);
    assertEquals(before, bench.store.batches.size());
    bench.passMillis(20);
    Claim probe = bench.store.lastClaim();
    assertEquals(before + 1, bench.store.batches.size());
    assertEquals(0, probe.needed() + probe.extra() + probe.debt());
  }

  @Test
  void isExactAgainWithinASecondOfTheStoresReturn() {
    outage();
    bench.passMillis(3_000);
    bench.store.manner = HandStore.Manner.AT_ONCE;
    bench.passMillis(350);
    assertEquals(1, bench.take(one).permits());
  }

  /** There are no debts here, whose answers would show that the store is back. */
  @Test
  void aStoreThatToldLateWhichDataItHasIsProbedUntilItIsBack() {
    bench.store.tellsByHand = true;
    bench.ask(one);
    bench.passMillis(150);
    assertEquals(
        Optional.empty(), Bench.answer(bench.ask(one)), "no request waits for it any more");
    bench.store.answer();
    bench.passMillis(3_000); // nor does it answer a probe in time
    bench.store.tellsByHand = false;
    bench.passMillis(1_000);
    assertEquals(1, bench.take(one).permits());
  }

  @Test
  void whatIsLeasedIsStillSpentDuringAnOutage() {
    for (int i = 0; i < 100; i++) {
      bench.take(one);
      bench.passMillis(2);
    }
    outage();
    assertEquals(1, bench.take(one).permits());
  }

  @Test
  void theFlusherOutlivesEveryKindOfFailure() {
    bench.take(one);
    for (HandStore.Manner manner : HandStore.Manner.values()) {
      bench.store.manner = manner;
      bench.node.owe(one);
      bench.passMillis(1_000);
    }
    bench.store.manner = HandStore.Manner.AT_ONCE;
    bench.node.owe(one);
    bench.passMillis(1_000);
    assertTrue(bench.store.lastClaim().debt() > 0);
    assertFalse(bench.told.failures.isEmpty());
  }
}

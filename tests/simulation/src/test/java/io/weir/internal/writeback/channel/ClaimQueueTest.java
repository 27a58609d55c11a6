package io.weir.internal.writeback.channel;

import static io.weir.internal.writeback.Bench.request;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Policy;
import io.weir.internal.writeback.Bench;
import io.weir.internal.writeback.HandStore;
import io.weir.store.Claim;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The order of sources when more are queued than a batch carries. */
class ClaimQueueTest {
  private static final int CROWD = 1_000;

  private final Bench bench = new Bench(10 * CROWD);
  private final Policy strict = Bench.sliding(100);
  private final Policy lends =
      Bench.policy(100).window(Duration.ofSeconds(10)).overshoot(10).build();

  @BeforeEach
  void oweMoreThanASettleCarries() {
    bench.take(request(lends, "first", 1));
    bench.passMillis(10_500);
    bench.store.batches.clear();
    bench.store.manner = HandStore.Manner.BY_HAND;
    for (int i = 0; i < CROWD; i++) {
      assertTrue(bench.ask(request(lends, "debtor" + i, 1)).isDone());
    }
    assertEquals(2, bench.store.batches.size()); // no more at a time
  }

  private List<Claim> nextSettle() {
    bench.store.takeHeld().run();
    return bench.store.batches.get(2);
  }

  @Test
  void aRequestThatWaitsIsAskedForBeforeDebts() {
    assertFalse(bench.ask(request(strict, "waits", 1)).isDone());
    List<Claim> next = nextSettle();
    assertTrue(isOf("waits", next.get(0)));
    assertEquals(512, next.size());
  }

  @Test
  void oneInFourIsTheTurnOfADebtWhoeverWaits() {
    for (int i = 0; i < CROWD; i++) {
      assertFalse(bench.ask(request(strict, "waits" + i, 1)).isDone());
    }
    List<Claim> next = nextSettle();
    assertEquals(128, next.stream().filter(each -> each.debt() > 0).count());
    assertEquals(384, next.stream().filter(each -> each.needed() > 0).count());
  }

  @Test
  void aBucketThatOwesHurriesOnceSomebodyWaitsForItAndAsksOnce() {
    String key = "debtor" + (CROWD - 1);
    assertTrue(bench.ask(request(lends, key, 9)).isDone());
    assertFalse(bench.ask(request(lends, key, 1)).isDone());
    Claim first = nextSettle().get(0);
    assertTrue(isOf(key, first));
    assertEquals(10, first.debt());
    assertEquals(1, first.needed());
    bench.store.manner = HandStore.Manner.AT_ONCE;
    bench.store.answer();
    assertEquals(1, bench.store.claims().stream().filter(each -> isOf(key, each)).count());
  }

  private static boolean isOf(String key, Claim claim) {
    return claim.bucket().encodedKey().equals(Key.of(key).encoded());
  }
}

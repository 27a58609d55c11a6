package io.weir.internal.writeback.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import org.junit.jupiter.api.Test;

class LastRefusalTrackerTest {
  private static final long WINDOW = 1_000_000;
  private static final BucketId BUCKET =
      new BucketId(BucketSpec.builder("test").build(), Key.everybody());

  private final LastRefusalTracker refusals = new LastRefusalTracker(WINDOW);

  /** An answer at a time of the node, made at a time of the store. */
  private void answer(long refusedAt, long now, long storeClock) {
    Claim claim = Claim.builder(BUCKET, 1, 1).refusedAt(refusedAt).build();
    refusals.learn(claim, Grant.builder().granted(0, storeClock + 400, 400).build(), now);
  }

  @Test
  void isToldByTheStoresClockRatherTooEarlyUntilItIsAnswered() {
    answer(0, 5_000, 77_000);
    assertEquals(0, refusals.send(6_000));
    refusals.note(15_000);
    refusals.note(14_000);
    assertEquals(77_000 + 9_990, refusals.send(16_000), "10 ms, less a thousandth");
    answer(0, 16_500, 88_400);
    assertTrue(refusals.isUnreported(17_000), "that had no answer");
    assertEquals(88_400 - 1_502, refusals.send(17_000), "by a newer answer");
    answer(88_400 - 1_502, 18_000, 90_000);
    assertFalse(refusals.isUnreported(18_000));
    refusals.note(19_000);
    assertTrue(refusals.isUnreported(19_000));
  }

  @Test
  void isOfNoUseAfterAWindow() {
    answer(0, 5_000, 77_000);
    refusals.note(6_000);
    assertTrue(refusals.isUnreported(6_000 + WINDOW - 1));
    assertFalse(refusals.isUnreported(6_000 + WINDOW));
  }

  @Test
  void aWaitThatIsStartedAnewIsWholeWindows() {
    assertEquals(0, refusals.anew(0));
    assertEquals(WINDOW, refusals.anew(1));
    assertEquals(WINDOW, refusals.anew(WINDOW));
    assertEquals(2 * WINDOW, refusals.anew(WINDOW + 1));
    assertEquals(Long.MAX_VALUE - 5, refusals.anew(Long.MAX_VALUE - 5));
  }
}

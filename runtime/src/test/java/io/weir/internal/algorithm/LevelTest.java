package io.weir.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.weir.annotation.Algorithm;
import io.weir.store.Grant;
import org.junit.jupiter.api.Test;

/** Examples of what a leaking bucket remembers of single charges. */
class LevelTest {
  private static final long NOW = 1_700_000_040L * 1_000_000;
  private static final long WINDOW = 60_000_000;
  private static final long SECOND = 1_000_000;

  /** Leaks one a second. */
  private final Claims deep = Claims.of(Algorithm.TOKEN_BUCKET, WINDOW, 60, 600);

  private final BucketState state = deep.state(0);

  private long take(long permits, long at) {
    return state.execute(deep.take(permits), NOW + at).stamp();
  }

  private long leftAfterBack(long stamp, long permits, long at) {
    return state.execute(deep.back(stamp, permits), NOW + at).left();
  }

  @Test
  void whatIsTakenInASlotBeforeAnyDrainedSharesAStamp() {
    long first = take(1, 0);
    assertEquals(first, take(1, 0));
    assertNotEquals(first, take(1, 1));
  }

  @Test
  void creditsOfTheOldestWhatHasNotDrained() {
    long first = take(3, 0);
    take(2, SECOND);
    assertEquals(597, leftAfterBack(first, 2, 3 * SECOND / 2), "one of them, of a level of 3.5");
  }

  @Test
  void whoIsTheLastToHaveTakenLeavesNoTrace() {
    take(3, 0);
    long last = take(2, SECOND / 2);
    Grant after = state.execute(deep.back(last, 2), NOW + 7 * SECOND / 2);
    assertEquals(600, after.left());
    assertEquals(0, after.reset());
  }

  @Test
  void aPartOfAPermitIsNotGivenAway() {
    long stamp = take(2, 0);
    Grant after = state.execute(deep.back(stamp, 1), NOW + SECOND / 2);
    assertEquals(599, after.left());
    assertEquals(SECOND / 2, after.reset());
  }

  @Test
  void remembersTheLastThirtyTwoCharges() {
    Claims slow = Claims.of(Algorithm.TOKEN_BUCKET, WINDOW, 1, 6_000);
    BucketState many = slow.state(0);
    long[] stamps = new long[32];
    for (int i = 0; i < 32; i++) {
      stamps[i] = many.execute(slow.take(100), NOW + i * WINDOW).stamp();
    }
    long then = NOW + 32 * WINDOW;
    assertEquals(2_832, many.copy().execute(slow.look(1), then).left());
    assertEquals(2_832 + 68, many.copy().execute(slow.back(stamps[0], 100), then).left());
    many.execute(slow.take(100), then);
    assertEquals(2_732, many.execute(slow.back(stamps[0], 100), then).left(), "forgotten");
    assertEquals(2_832, many.execute(slow.back(stamps[1], 100), then).left());
  }

  @Test
  void aStampIsNotGivenASecondTimeWhileTheFirstMayComeBack() {
    Claims fast = Claims.of(Algorithm.TOKEN_BUCKET, WINDOW, 600);
    BucketState brief = fast.state(0);
    assertEquals(NOW + SECOND, brief.execute(fast.take(1), NOW + 300).stamp());
    assertEquals(NOW + SECOND, brief.expiresAt(), "although it has drained in a tenth of a second");
    long second = brief.execute(fast.take(1), NOW + SECOND / 5).stamp();
    assertEquals(NOW + SECOND + 1, second, "since the first has drained");
    assertEquals(NOW + SECOND + 1, brief.expiresAt());
    brief.execute(fast.back(second, 1), NOW + SECOND / 5);
    assertEquals(NOW + SECOND, brief.expiresAt());
  }

  @Test
  void whatIsLeasedCountsAsIfItWereTakenAtTheEndOfItsSlot() {
    Claims seven = Claims.of(Algorithm.TOKEN_BUCKET, WINDOW, 7);
    BucketState leased = seven.state(5_000);
    Grant first = leased.execute(seven.take(1), NOW + 300);
    assertEquals(7 - 1, first.left(), "a full bucket drains nothing ahead");
    assertEquals(SECOND + 9 * SECOND - 300, first.reset(), "it drains from the end of its slot on");
    Grant later = leased.execute(seven.take(1), NOW + SECOND);
    assertEquals(7 - 2, later.left(), "of the first a part has drained, as much as will");
    assertEquals(9 * SECOND, later.reset(), "when a slot begins, since that is what is looked at");
  }
}

package io.weir.internal.writeback.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.store.GiveBack;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Permits on their way back: of two slots, the newest that there were. */
class PendingGiveBacksTest {
  private final PendingGiveBacks giveBacks = new PendingGiveBacks();

  private void add(long... stampsAndPermits) {
    for (int i = 0; i < stampsAndPermits.length; i += 2) {
      giveBacks.add(stampsAndPermits[i], stampsAndPermits[i + 1]);
    }
  }

  private static List<GiveBack> list(long... stampsAndPermits) {
    return stampsAndPermits.length == 2
        ? List.of(new GiveBack(stampsAndPermits[0], stampsAndPermits[1]))
        : List.of(
            new GiveBack(stampsAndPermits[0], stampsAndPermits[1]),
            new GiveBack(stampsAndPermits[2], stampsAndPermits[3]));
  }

  @Test
  void ofOneSlotTheyAddUp() {
    add(5, 2, 5, 3);
    assertEquals(list(5, 5), giveBacks.take());
  }

  @Test
  void twoSlotsAreKeptApartWhicheverCameFirst() {
    add(5, 2, 6, 1, 5, 3, 6, 4);
    assertEquals(list(5, 5, 6, 5), giveBacks.take());
    add(6, 1, 5, 2, 6, 4, 5, 3);
    assertEquals(list(5, 5, 6, 5), giveBacks.take());
  }

  @Test
  void ofThreeSlotsTheOldestIsLost() {
    add(5, 2, 6, 3, 7, 4);
    assertEquals(list(6, 3, 7, 4), giveBacks.take());
    add(7, 4, 5, 2, 6, 3);
    assertEquals(list(6, 3, 7, 4), giveBacks.take());
    add(7, 4, 6, 3, 5, 2);
    assertEquals(list(6, 3, 7, 4), giveBacks.take(), "also if it comes last");
  }

  @Test
  void whatIsTakenIsTakenOnce() {
    assertTrue(giveBacks.isEmpty());
    add(5, 2, 6, 1);
    assertFalse(giveBacks.isEmpty());
    assertEquals(2, giveBacks.take().size());
    assertTrue(giveBacks.isEmpty());
    assertEquals(List.of(), giveBacks.take());
    add(4, 1);
    assertEquals(list(4, 1), giveBacks.take(), "nothing of before is left");
  }

  @Test
  void noPermitsAreNoGiveBack() {
    add(5, 0, 6, -1);
    assertTrue(giveBacks.isEmpty());
  }
}

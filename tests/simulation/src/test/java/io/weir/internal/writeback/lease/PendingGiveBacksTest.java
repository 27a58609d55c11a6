package io.weir.internal.writeback.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.store.GiveBack;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Permits on their way back: of as many slots as a window has, the newest that there were. */
class PendingGiveBacksTest {
  private final PendingGiveBacks giveBacks = new PendingGiveBacks();

  private void add(long... stampsAndPermits) {
    for (int i = 0; i < stampsAndPermits.length; i += 2) {
      giveBacks.add(stampsAndPermits[i], stampsAndPermits[i + 1]);
    }
  }

  private static List<GiveBack> list(long... stampsAndPermits) {
    List<GiveBack> list = new ArrayList<>();
    for (int i = 0; i < stampsAndPermits.length; i += 2) {
      list.add(new GiveBack(stampsAndPermits[i], stampsAndPermits[i + 1]));
    }
    return list;
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
  void slotsAreInOrderWhicheverCameFirst() {
    add(6, 3, 9, 1, 5, 2, 7, 4, 6, 1);
    assertEquals(list(5, 2, 6, 4, 7, 4, 9, 1), giveBacks.take());
  }

  @Test
  void ofMoreSlotsThanAWindowHasTheOldestIsLost() {
    for (long stamp = 100; stamp > 30; stamp--) {
      add(stamp, 1);
    }
    add(200, 1, 20, 1);
    List<GiveBack> taken = giveBacks.take();
    assertEquals(64, taken.size());
    assertEquals(new GiveBack(38, 1), taken.get(0));
    assertEquals(new GiveBack(200, 1), taken.get(63));
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

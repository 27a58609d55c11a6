package io.weir.internal.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The sums that a node keeps of its own rows. */
class OwnNodeSumsTest {
  private final OwnNodeSums own = new OwnNodeSums();

  private static OwnNodeSums.Target target(long... slotsAndPermits) {
    SortedMap<Long, Long> charges = new TreeMap<>();
    for (int i = 0; i < slotsAndPermits.length; i += 2) {
      charges.put(slotsAndPermits[i], slotsAndPermits[i + 1]);
    }
    return new OwnNodeSums.Target(charges, 0);
  }

  private void charge(OwnNodeSums.Target target) {
    own.wrote(own.difference(target, 0), 0, 5);
    own.charge(target, 0);
  }

  @Test
  void whatWasForgottenHasToBeWrittenAgain() {
    charge(target(1, 20));
    assertTrue(own.cover(target(1, 20)));
    assertTrue(own.forget(7));
    assertFalse(own.cover(target(1, 20)));
    assertEquals(Map.of(1L, 20L), own.difference(target(1, 20), 0));
    assertEquals(Map.of(1L, 0L), own.difference(target(), 0));
  }

  /** Its timestamp is earlier than the mark, so the others don't count it. */
  @Test
  void aWriteThatIsAnsweredAfterTheBucketWasForgottenHasToBeWrittenAgain() {
    SortedMap<Long, Long> underWay = own.difference(target(1, 20), 0);
    assertTrue(own.forget(7));
    own.wrote(underWay, 0, 6);
    assertFalse(own.cover(target(1, 20)));
    assertEquals(Map.of(1L, 20L), own.difference(target(1, 20), 0));
    own.wrote(underWay, 0, 8);
    assertTrue(own.cover(target(1, 20)));
    assertFalse(own.forget(7), "known already");
    assertTrue(own.cover(target(1, 20)));
  }

  @Test
  void rowsOfEarlierSlotsStayWhileLaterOnesArePlanned() {
    charge(target(1, 20));
    assertEquals(Map.of(2L, 5L), own.difference(target(2, 5), 2));
    own.wrote(own.difference(target(2, 5), 2), 0, 6);
    assertEquals(20, own.charged(1));
    assertTrue(own.cover(target(1, 20)), "nothing is decided yet");
    own.dropBefore(2);
    assertEquals(0, own.charged(1));
  }

  @Test
  void countsEachSlotThatItKeeps() {
    charge(target(1, 20, 2, 20, 3, 20));
    assertEquals(6, own.size());
  }
}

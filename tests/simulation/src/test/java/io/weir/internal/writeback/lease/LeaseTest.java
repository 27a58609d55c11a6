package io.weir.internal.writeback.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LeaseTest {
  private static final long ROUND = 1L << 23;

  private final Lease lease = new Lease(1, 1_000, 100);

  @Test
  void tellsWhatIsLeftAfterARequest() {
    assertEquals(98, lease.spend(2, 999));
    assertEquals(Lease.NOTHING, lease.spend(99, 999));
    assertEquals(0, lease.spend(98, 999));
    assertEquals(Lease.NOTHING, lease.spend(1, 999));
  }

  @Test
  void spendsNothingOnceItsSlotIsOver() {
    assertEquals(Lease.NOTHING, lease.spend(1, 1_000));
    assertEquals(100, lease.permits());
  }

  @Test
  void countsRequestsAndWhatTheySpent() {
    lease.spend(2, 0);
    lease.spend(3, 0);
    lease.spend(1_000, 0);
    assertTrue(lease.add(10, 0));
    assertEquals(5, lease.used());
    assertEquals(2, lease.requests());
    assertEquals(105, lease.seal());
    assertEquals(5, lease.used(), "also once it is sealed");
    assertEquals(2, lease.requests());
  }

  @Test
  void whatIsTakenForNobodyIsNoDemand() {
    assertTrue(lease.withdraw(40, 0));
    assertFalse(lease.withdraw(61, 0));
    assertEquals(60, lease.permits());
    assertEquals(0, lease.used());
    assertEquals(0, lease.requests());
  }

  @Test
  void whatIsUnspentLeavesNoTrace() {
    lease.spend(2, 0);
    assertTrue(lease.undoSpend(2, 0));
    assertEquals(100, lease.permits());
    assertEquals(0, lease.used());
    assertEquals(0, lease.requests());
    lease.spend(2, 0);
    assertFalse(lease.undoSpend(2, 1_000), "too late");
    lease.seal();
    assertFalse(lease.undoSpend(2, 0), "sealed");
  }

  @Test
  void theCountOfRequestsGoesRoundAndTouchesNothingElse() {
    Lease busy = new Lease(1, 1_000, 2 * ROUND);
    for (long i = 0; i < ROUND - 1; i++) {
      busy.spend(1, 0);
    }
    long before = busy.requests();
    assertEquals(ROUND - 1, before);
    for (int i = 0; i < 5; i++) {
      busy.spend(1, 0);
    }
    assertEquals(4, busy.requests());
    assertEquals(5, Lease.between(before, busy.requests()));
    assertEquals(ROUND - 4, busy.permits());
    assertEquals(ROUND + 4, busy.used());
  }

  @Test
  void neverHoldsMoreThanItCanCount() {
    assertFalse(lease.add(1L << 40, 0));
    assertTrue(lease.add((1L << 40) - 101, 0));
    assertFalse(lease.add(1, 0));
    assertEquals((1L << 40) - 2, lease.spend(1, 0));
    assertEquals(1, lease.used());
  }
}

package io.weir.internal.writeback.debt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** So much is borrowed in a window, counted from when it was borrowed last. */
class BorrowedPermitsTest {
  private static final long WINDOW = 10_000;

  /** A window counts a little longer, for clocks differ. */
  private static final long SURELY = 10_011;

  private final BorrowedPermits borrowed = new BorrowedPermits(WINDOW);

  @Test
  void isAllOrNothingUpToWhatIsAllowed() {
    assertTrue(borrowed.borrow(4, 10, 5));
    assertFalse(borrowed.borrow(7, 10, 6));
    assertTrue(borrowed.borrow(6, 10, 7));
    assertFalse(borrowed.borrow(1, 10, 8));
    assertEquals(7, borrowed.at());
  }

  @Test
  void isOverAWindowAfterTheLastOne() {
    assertTrue(borrowed.borrow(4, 10, 5));
    assertTrue(borrowed.borrow(5, 10, 1_005));
    assertFalse(borrowed.isOver(1_005 + SURELY - 1));
    assertFalse(borrowed.borrow(2, 10, 1_005 + SURELY - 1), "nine are still borrowed");
    assertTrue(borrowed.isOver(1_005 + SURELY));
    assertTrue(borrowed.borrow(10, 10, 1_005 + SURELY));
    assertFalse(borrowed.borrow(1, 10, 1_006 + SURELY));
  }

  @Test
  void aThreadWhoseClockReadIsOlderMakesItNoOlder() {
    assertTrue(borrowed.borrow(4, 10, 900));
    assertTrue(borrowed.borrow(4, 10, 100));
    assertEquals(900, borrowed.at());
  }

  @Test
  void canBeginAtTheBeginningOfTime() {
    assertTrue(borrowed.borrow(10, 10, 0));
    assertFalse(borrowed.borrow(1, 10, 0));
  }
}

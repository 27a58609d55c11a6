package io.weir.internal.writeback.debt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.writeback.debt.Debts.Debt;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Debts are sent as long as they count: never shorter, and hardly longer. */
class DebtsTest {
  private static final long WINDOW = 1_200;

  private final Debts debts = new Debts(WINDOW);

  @Test
  void countUntilTheirTimeAndNoMoreFromThen() {
    debts.add(5, 1_000);
    debts.add(7, 2_000);
    debts.expire(999);
    assertEquals(12, debts.total());
    debts.expire(1_000);
    assertEquals(7, debts.total());
    debts.expire(2_000);
    assertTrue(debts.isEmpty());
  }

  @Test
  void thoseOfOneTwelfthOfAWindowAreOneThatCountsUntilTheLast() {
    debts.add(1, 1_000);
    debts.add(2, 1_099);
    debts.add(4, 1_010);
    debts.add(8, 1_100);
    assertEquals(List.of(new Debt(7, 1_099), new Debt(8, 1_100)), debts.take());
  }

  @Test
  void ofTheShortestWindowsEachMicrosecondIsApart() {
    Debts brief = new Debts(5);
    brief.add(1, 10);
    brief.add(1, 11);
    brief.add(1, 11);
    assertEquals(List.of(new Debt(1, 10), new Debt(2, 11)), brief.take());
  }

  @Test
  void areAtMostSixteenAndTheLastTakesInWhatComesThen() {
    for (int i = 0; i < 18; i++) {
      debts.add(1, 100L * i);
    }
    List<Debt> all = debts.take();
    assertEquals(16, all.size());
    assertEquals(new Debt(3, 1_700), all.get(15));
    assertEquals(18, Debts.sum(all));
  }

  @Test
  void theNewestAreForgivenFirst() {
    debts.add(5, 1_000);
    debts.add(7, 2_000);
    debts.cancel(0);
    assertEquals(12, debts.total());
    debts.cancel(3);
    assertEquals(9, debts.total());
    debts.cancel(6);
    assertEquals(List.of(new Debt(3, 1_000)), debts.take());
    debts.add(1, 1_000);
    debts.cancel(9);
    assertTrue(debts.isEmpty(), "and no more than there are");
  }

  @Test
  void aDebtThatIsForgivenToTheLastPermitIsGone() {
    debts.add(5, 1_000);
    debts.cancel(5);
    assertTrue(debts.isEmpty());
  }

  @Test
  void whatIsNotAnsweredComesBeforeWhatWasOwedSince() {
    debts.add(5, 1_000);
    List<Debt> told = debts.take();
    assertTrue(debts.isEmpty());
    debts.add(7, 2_000);
    debts.restore(told);
    assertEquals(List.of(new Debt(5, 1_000), new Debt(7, 2_000)), debts.take());
    assertEquals(List.of(), debts.take());
  }

  @Test
  void noPermitsAreNoDebt() {
    debts.add(0, 1_000);
    debts.add(-1, 1_000);
    assertTrue(debts.isEmpty());
  }
}

package io.weir.benchmarks.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.benchmarks.soak.PermitCount.Place;
import org.junit.jupiter.api.Test;

class OracleTest {
  private static final long SLOT = 20_000;

  private final PromiseOracle oracle = new PromiseOracle(3);

  private void spent(int node, SoakLoadKind load, long slot, long permits) {
    spent(node, load, slot, slot, permits);
  }

  private void spent(int node, SoakLoadKind load, long asked, long told, long permits) {
    oracle.add(
        node,
        PermitCount.parse(new PermitCount(new Place(load, 1, false, asked, told), permits) + ""));
  }

  private void decidedAlone(int node, SoakLoadKind load, long slot, long permits) {
    oracle.add(node, new PermitCount(new Place(load, 1, true, slot, slot), permits));
  }

  private double beyond() {
    return oracle.worst().beyond();
  }

  @Test
  void aLimitThatIsSpentByAllNodesTogetherIsNotBeyondIt() {
    spent(0, SoakLoadKind.SLIDING, SLOT, 200);
    spent(1, SoakLoadKind.SLIDING, SLOT + 7, 300);
    spent(2, SoakLoadKind.SLIDING, SLOT + 19, 100);
    assertEquals(0, beyond());
  }

  @Test
  void onePermitMoreInAnyIntervalOfAWindowsLengthIsSeen() {
    spent(0, SoakLoadKind.SLIDING, SLOT + 5, 300);
    spent(1, SoakLoadKind.SLIDING, SLOT + 24, 301);
    assertEquals(100.0 / 600, beyond(), 1e-9);
  }

  @Test
  void nothingIsHeldAgainstAWindowLater() {
    spent(0, SoakLoadKind.SLIDING, SLOT, 600);
    spent(1, SoakLoadKind.SLIDING, SLOT + 20, 600);
    assertEquals(0, beyond());
  }

  @Test
  void whatWasAskedBeforeOrToldAfterAnIntervalDoesNotCountInIt() {
    spent(0, SoakLoadKind.SLIDING, SLOT, 600);
    spent(1, SoakLoadKind.SLIDING, SLOT + 19, SLOT + 20, 600);
    assertEquals(0, beyond());
    spent(1, SoakLoadKind.SLIDING, SLOT + 18, SLOT + 19, 6);
    assertEquals(1, beyond(), 1e-9);
  }

  @Test
  void fixedWindowsBeginAtTheirEdges() {
    spent(0, SoakLoadKind.FIXED, SLOT - 1, 600);
    spent(1, SoakLoadKind.FIXED, SLOT, 600);
    assertEquals(0, beyond());
    spent(2, SoakLoadKind.FIXED, SLOT + 19, 60);
    assertEquals(10, beyond(), 1e-9);
  }

  @Test
  void aTokenBucketGivesItsBurstAndWhatComesIn() {
    spent(0, SoakLoadKind.TOKEN, SLOT, 600);
    spent(1, SoakLoadKind.TOKEN, SLOT + 10, 300);
    assertEquals(0, beyond());
    spent(2, SoakLoadKind.TOKEN, SLOT + 10, 60);
    assertTrue(beyond() > 0);
  }

  @Test
  void aTokenBucketFillsUpAgain() {
    spent(0, SoakLoadKind.TOKEN, SLOT, 630);
    spent(1, SoakLoadKind.TOKEN, SLOT + 20, 600);
    assertEquals(0, beyond());
  }

  @Test
  void someMayHaveATenthMore() {
    spent(0, SoakLoadKind.SOFT, SLOT, 660);
    spent(0, SoakLoadKind.AHEAD, SLOT, 660);
    assertEquals(0, beyond());
    spent(0, SoakLoadKind.AHEAD, SLOT, 1);
    assertTrue(beyond() > 0);
  }

  @Test
  void aNodeByItselfGivesItsShare() {
    spent(0, SoakLoadKind.SLIDING, SLOT, 600);
    decidedAlone(0, SoakLoadKind.SLIDING, SLOT, 200);
    decidedAlone(1, SoakLoadKind.SLIDING, SLOT, 200);
    assertEquals(0, beyond());
    decidedAlone(1, SoakLoadKind.SLIDING, SLOT + 3, 1);
    assertEquals(0.5, beyond(), 1e-9);
  }

  @Test
  void anIntervalInWhichTheStoreForgotIsToldApart() {
    spent(0, SoakLoadKind.SLIDING, SLOT, 600);
    spent(1, SoakLoadKind.SLIDING, SLOT + 10, 306);
    oracle.lost((SLOT + 5) * 500_000, (SLOT + 6) * 500_000);
    assertEquals(51, oracle.worst().afterLoss(), 1e-9);
    assertEquals(0, beyond());
    spent(1, SoakLoadKind.SLIDING, SLOT + 10, 300);
    assertEquals(1, beyond(), 1e-9, "an interval that begins afterwards");
  }
}

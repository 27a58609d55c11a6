package io.weir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Priority;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadCurveTest {
  private static final int PERCENT = 10_000;

  @ParameterizedTest
  @CsvSource({
    "LOW, 0, 1000",
    "LOW, 60, 1000",
    "LOW, 61, 950",
    "LOW, 65, 750",
    "LOW, 70, 500",
    "LOW, 79, 50",
    "LOW, 80, 0",
    "LOW, 100, 0",
    "NORMAL, 0, 1000",
    "NORMAL, 80, 1000",
    "NORMAL, 85, 875",
    "NORMAL, 90, 750",
    "NORMAL, 100, 500",
    "CRITICAL, 0, 1000",
    "CRITICAL, 80, 1000",
    "CRITICAL, 100, 1000",
    "NONE, 100, 1000"
  })
  void eachPriorityHasItsCurve(Priority priority, int load, long permits) {
    assertEquals(permits, LoadCurve.of(priority).permits(1_000, load * PERCENT));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 90",
    "10, 90",
    "15, 75",
    "20, 60",
    "35, 45",
    "50, 30",
    "50.5, 29",
    "60, 20",
    "70, 10",
    "99, 10",
    "100, 10"
  })
  void linesJoinThePointsAndTheEndsHoldBeyondThem(double load, long permits) {
    LoadCurve curve = LoadCurve.parse(" 10:90, 20 : 60 ,50:30,70:10");
    assertEquals(permits, curve.permits(100, (int) (load * PERCENT)));
  }

  @ParameterizedTest
  @CsvSource({"1, 700000, 1", "3, 799999, 1", "3, 700000, 1", "7, 650000, 5", "3, 800000, 0"})
  void isRoundedDownButLeavesOneUntilThereIsNothing(long limit, int load, long permits) {
    assertEquals(permits, LoadCurve.of(Priority.LOW).permits(limit, load));
  }

  @Test
  void neverRisesAndTheLargestLimitFits() {
    for (Priority priority : Priority.values()) {
      long before = Policy.MAX_LIMIT;
      for (int load = 0; load <= 1_000_000; load += 1) {
        long now = LoadCurve.of(priority).permits(Policy.MAX_LIMIT, load);
        assertTrue(now >= 0 && now <= before, priority + " at " + load + ": " + now);
        before = now;
      }
    }
  }

  @Test
  void knowsWhereTheWholeLimitHolds() {
    LoadCurve low = LoadCurve.of(Priority.LOW);
    assertTrue(low.isWhole(600_000));
    assertFalse(low.isWhole(600_001));
    assertFalse(low.isWhole(1_000_000));
    assertFalse(LoadCurve.parse("0:100,100:99").isWhole(1));
    assertTrue(LoadCurve.of(Priority.CRITICAL).isWhole(1_000_000));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | must be points of load and percent",
        "60 | must be points of load and percent",
        "60:100, | must be points of load and percent",
        "60:100;80:0 | must be points of load and percent",
        "-1:100 | must be points of load and percent",
        "60.5:100 | must be points of load and percent",
        "60:1e2 | must be points of load and percent",
        "٦٠:100 | must be points of load and percent",
        "1000:100 | must be points of load and percent",
        "101:100 | loads must be 0 to 100, not 101",
        "60:101 | percents must be 0 to 100, not 101",
        "60:100,60:50 | loads must increase from point to point, not 60:50 after 60:100",
        "60:100,50:0 | loads must increase from point to point, not 50:0 after 60:100",
        "60:50,80:60 | the limit must not increase with the load, as from 60:50 to 80:60"
      })
  void saysWhatIsWrong(String text, String rule) {
    var mistake = assertThrows(IllegalArgumentException.class, () -> LoadCurve.parse(text));
    assertTrue(String.valueOf(mistake.getMessage()).startsWith(rule), mistake.getMessage());
  }

  @Test
  void isWrittenAsItIsRead() {
    assertEquals("60:100,80:0", LoadCurve.of(Priority.LOW).toString());
    assertEquals(LoadCurve.of(Priority.LOW), LoadCurve.parse(" 060:100, 80:00"));
    assertEquals(LoadCurve.of(Priority.LOW).hashCode(), LoadCurve.parse("60:100,80:0").hashCode());
    assertFalse(LoadCurve.of(Priority.LOW).equals(LoadCurve.of(Priority.NORMAL)));
  }
}

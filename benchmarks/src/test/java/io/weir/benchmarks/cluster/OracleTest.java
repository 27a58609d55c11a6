package io.weir.benchmarks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.annotation.Algorithm;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OracleTest {
  private static final long SECOND = 1_000_000;
  private static final Limit FIXED = Limit.perSecond(Algorithm.FIXED_WINDOW, 10, 1);
  private static final Limit SLIDING = Limit.perSecond(Algorithm.SLIDING_WINDOW, 10, 1);

  private final Admissions admissions = new Admissions();

  private void admit(long at, long times) {
    for (int i = 0; i < times; i++) {
      admissions.add(at, at, at / SECOND);
    }
  }

  private LimitOracle.Excess excess(Limit limit) {
    return new LimitOracle(admissions, limit, true).excess();
  }

  private static LimitOracle.Excess percent(double certain, double atMost) {
    return new LimitOracle.Excess(certain, atMost);
  }

  @Test
  void findsOneTooManyInAFullWindow() {
    admit(SECOND, 5);
    admit(2 * SECOND - 1, 5);
    admit(2 * SECOND, 10);
    assertEquals(percent(0, 0), excess(FIXED));
    admit(SECOND + 400_000, 1);
    assertEquals(percent(10, 10), excess(FIXED));
  }

  @Test
  void findsOneTooManyInAnyInterval() {
    admit(SECOND + 300_000, 10);
    admit(2 * SECOND + 300_000, 10);
    assertEquals(percent(0, 0), excess(SLIDING));
    admit(2 * SECOND + 299_999, 1);
    assertEquals(percent(10, 10), excess(SLIDING));
  }

  @Test
  void findsOnePlantedAmongManyAtRandom() {
    Random random = new Random(4);
    for (int window = 1; window < 500; window++) {
      for (int i = 0; i < 10; i++) {
        long asked = window * SECOND + random.nextInt(990_000);
        admissions.add(asked, asked + random.nextInt(10_000), window);
      }
    }
    assertEquals(0, excess(FIXED).percent());
    admissions.add(77 * SECOND + 5, 77 * SECOND + 9, 77);
    assertEquals(10, excess(FIXED).percent());
  }

  @Test
  void believesTheMarkWhereTheClockCannotTell() {
    admit(SECOND, 10);
    admissions.add(2 * SECOND - 10, 2 * SECOND + 10, 2);
    assertEquals(percent(0, 10), excess(FIXED));
    admissions.add(2 * SECOND - 10, 2 * SECOND + 10, 1);
    assertEquals(percent(10, 20), excess(FIXED));
  }

  @Test
  void believesTheClockWhereItCanTell() {
    admit(SECOND, 10);
    admissions.add(SECOND + 10, SECOND + 20, 2);
    assertEquals(percent(10, 10), excess(FIXED));
  }

  @Test
  void accusesNobodyOfWhatIsMarkedWithNeitherWindowButCountsIt() {
    admit(SECOND, 10);
    admissions.add(2 * SECOND - 10, 2 * SECOND + 10, 7);
    assertEquals(percent(0, 10), excess(FIXED));
    assertEquals(1, new LimitOracle(admissions, FIXED, true).unplaced());
    admissions.add(2 * SECOND - 10, 2 * SECOND + 10, 1);
    assertEquals(percent(10, 20), excess(FIXED));
    assertEquals(1, new LimitOracle(admissions, FIXED, true).unplaced());
  }

  @Test
  void accusesNobodyWithoutMarksOfWhatLiesAcrossAnEdge() {
    admit(SECOND, 10);
    admissions.add(2 * SECOND - 10, 2 * SECOND + 10, 1);
    assertEquals(percent(0, 10), new LimitOracle(admissions, FIXED, false).excess());
  }

  @Test
  void accusesNobodyOfWhatMayLieOutsideAnInterval() {
    admit(SECOND, 10);
    admissions.add(2 * SECOND - 10, 2 * SECOND + 10, 0);
    assertEquals(percent(0, 10), excess(SLIDING));
    admissions.add(SECOND + 10, 2 * SECOND - 1, 0);
    assertEquals(percent(10, 20), excess(SLIDING));
  }

  @Test
  void allowsABucketItsBurstAndWhatCameInSince() {
    admit(SECOND, 10);
    admit(SECOND + 500_000, 5);
    assertEquals(0, new LimitOracle(admissions, SLIDING, false).beyondBucket(0), 1e-9);
    admit(SECOND + 500_000, 1);
    assertEquals(10, new LimitOracle(admissions, SLIDING, false).beyondBucket(0), 1e-9);
  }

  @Test
  void measuresTheUseOfFullWindowsOnlyAndMakesNothingUp() {
    admit(SECOND - 1, 10);
    admit(SECOND, 9);
    admit(2 * SECOND, 12);
    admit(3 * SECOND, 1);
    List<Double> fixed = new LimitOracle(admissions, FIXED, true).used(500_000, 3_900_000);
    assertEquals(List.of(90.0, 100.0), fixed);
    List<Double> sliding = new LimitOracle(admissions, SLIDING, true).used(999_999, 3_000_000);
    assertEquals(List.of(100.0, 100.0), sliding);
  }
}

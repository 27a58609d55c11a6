package io.weir.internal.rules.anomalies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rules.anomaly.AnomalyAction;
import io.weir.seeds.Seeds;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Learns usual numbers of requests, and scores unusual ones. */
class BaselineTest {
  private static final int AN_HOUR = 60;
  private static final int A_DAY = 1_440;

  private Baseline baseline = Baseline.NONE;
  private long minute = 29_000_000;

  /** The next minutes have so many requests each; what is unusual is kept out. */
  private double spend(long requests, int minutes) {
    double score = 0;
    for (int i = 0; i < minutes; i++, minute++) {
      score = baseline.score(requests);
      baseline = baseline.with(requests, minute, score > ScoreThresholds.MONITOR);
    }
    return score;
  }

  private static AnomalyAction action(double score) {
    return ScoreThresholds.action(score, AnomalyAction.BLOCK);
  }

  @Test
  void fewerThanTenSamplesAllowEverything() {
    spend(10, 9);
    assertEquals(AnomalyAction.ALLOW, action(baseline.score(1_000_000)));
    spend(10, 1);
    assertEquals(AnomalyAction.BLOCK, action(baseline.score(1_000_000)));
  }

  @Test
  void onlyFasterThanUsualCounts() {
    spend(1_000, A_DAY);
    assertEquals(0, baseline.score(1));
    assertEquals(0, baseline.score(1_000), 0.2);
    assertTrue(baseline.score(26_000) > ScoreThresholds.THROTTLE);
  }

  /** With the tested value in the sample no score could exceed √(n−1), which is 3 for ten. */
  @Test
  void theTestedValueIsNoPartOfTheBaseline() {
    spend(10, A_DAY);
    String before = baseline.toString();
    double score = baseline.score(10_000);
    assertTrue(score > 9, () -> "only " + score);
    assertEquals(before, baseline.toString());
  }

  /** The textbook's rule read 0.0 there: the past burst had inflated the deviation. */
  @Test
  void aPastBurstDoesNotHideTheNextSurge() {
    spend(10, A_DAY);
    double first = spend(260, 10);
    spend(10, AN_HOUR);
    assertEquals(first, baseline.score(260), 0.2);
    assertTrue(first > ScoreThresholds.THROTTLE, () -> "only " + first);
  }

  @Test
  void anEvenCallerMayCallFourTimesAsOftenUntold() {
    spend(16, 2 * A_DAY);
    assertEquals(AnomalyAction.ALLOW, action(baseline.score(64)));
    assertEquals(AnomalyAction.MONITOR, action(baseline.score(80)));
    assertEquals(AnomalyAction.THROTTLE, action(baseline.score(160)));
    assertEquals(AnomalyAction.BLOCK, action(baseline.score(320)));
  }

  @Test
  void theFloorIsHigherUntilADayIsKnown() {
    spend(10, 20);
    assertEquals(AnomalyAction.ALLOW, action(baseline.score(260)));
    spend(10, A_DAY);
    assertEquals(AnomalyAction.BLOCK, action(baseline.score(260)));
  }

  @Test
  void anomaliesAreKeptOutOfTheBaseline() {
    spend(10, A_DAY);
    int before = baseline.samples();
    spend(260, 30);
    assertEquals(before, baseline.samples());
    assertMedian(10, 1);
  }

  @Test
  void aLevelThatStaysForADayIsTheNewBaseline() {
    spend(10, 3 * A_DAY);
    assertTrue(spend(260, A_DAY - 1) > ScoreThresholds.THROTTLE);
    spend(260, 2);
    assertEquals(0, baseline.score(260), 0.2);
    assertMedian(260, 26);
  }

  @Test
  void aSurgeOfAnHourIsNotANewLevelADayLater() {
    spend(10, 3 * A_DAY);
    spend(260, AN_HOUR);
    spend(10, 2 * A_DAY);
    assertTrue(baseline.score(260) > ScoreThresholds.THROTTLE);
  }

  @Test
  void whatHappensEveryFewMinutesIsNoSurpriseForEver() {
    for (int i = 0; i < A_DAY / 10 + 1; i++) {
      spend(10, 9);
      spend(260, 1);
    }
    assertFalse(baseline.score(260) > ScoreThresholds.MONITOR);
  }

  /** Not even a day of silence makes a candidate out of few minutes. */
  @Test
  void aDayWithRequestsInFewHoursIsLonger() {
    spend(10, A_DAY);
    spend(260, 5);
    minute += 2 * A_DAY;
    assertTrue(spend(260, 5) > ScoreThresholds.THROTTLE);
    for (int i = 0; i < 4; i++) {
      minute += A_DAY;
      spend(260, 5);
    }
    assertEquals(0, baseline.score(260), 0.2);
  }

  @Test
  void aSlowDriftIsFollowed() {
    spend(10, 7 * A_DAY);
    for (int i = 0; i < 28; i++) {
      assertFalse(spend(Math.round(10 * Math.pow(2, i / 7.0)), A_DAY) > ScoreThresholds.MONITOR);
    }
    assertTrue(baseline.median() > 80);
  }

  @Test
  void theBaselineForgetsHalfOfWhatItKnowsAfterAWeek() {
    spend(10, 30 * A_DAY);
    assertTrue(baseline.samples() <= 7 * A_DAY);
    assertTrue(baseline.samples() >= 7 * A_DAY / 2);
  }

  @Test
  void intervalsAreWhatTheCountsSay() {
    spend(16, 20);
    assertEquals(60.0 / 16, baseline.usual().averageInterval(), 0.01);
    assertEquals(0, baseline.usual().deviationOfIntervals(), 0.01);
    spend(64, 20);
    double average = 60.0 * 2 / (16 + 64);
    assertEquals(average, baseline.usual().averageInterval(), 0.01);
    double squares = (16 * 3.75 * 3.75 + 64 * 0.9375 * 0.9375) / (16 + 64);
    assertEquals(
        Math.sqrt(squares - average * average), baseline.usual().deviationOfIntervals(), 0.01);
    assertEquals(0, Baseline.NONE.usual().averageInterval());
  }

  @Test
  void theScaleEndsAt65536RequestsAMinute() {
    spend(10_000_000, A_DAY);
    assertMedian(55_109, 1);
  }

  @Test
  void aBaselineIsReadAsItWasWritten() {
    Seeds.each(
        50,
        random -> {
          Baseline each = Baseline.NONE;
          for (int i = 0; i < random.nextInt(2_000); i++) {
            each = each.with(1 + random.nextInt(2_000), 29_000_000 + i, random.nextInt(9) == 0);
          }
          Baseline read = Baseline.parse(each.toString()).orElseThrow();
          assertEquals(each.toString(), read.toString());
          assertEquals(each.score(5_000), read.score(5_000));
          assertEquals(
              each.with(7, 29_010_000, true).toString(), read.with(7, 29_010_000, true).toString());
        });
  }

  @Test
  void whatNobodyHasWrittenSoIsNoBaseline() {
    for (String text :
        new String[] {"x", "1", "64:1", "1:1 ", "1:1|", "1:1|5 1 1/1 1:1", "1:1|1 1+ 1/1 99:1"}) {
      assertEquals(Optional.empty(), Baseline.parse(text).map(Object::toString), text);
    }
    assertEquals("", Baseline.parse("").orElseThrow().toString());
  }

  @Test
  void nothingGoesFurtherThanItMay() {
    assertEquals(AnomalyAction.MONITOR, ScoreThresholds.action(99, AnomalyAction.MONITOR));
    assertEquals(AnomalyAction.THROTTLE, ScoreThresholds.action(99, AnomalyAction.THROTTLE));
    assertEquals(AnomalyAction.MONITOR, ScoreThresholds.action(2.1, AnomalyAction.BLOCK));
    assertEquals(AnomalyAction.ALLOW, ScoreThresholds.action(2, AnomalyAction.BLOCK));
  }

  private void assertMedian(long expected, long most) {
    long actual = baseline.median();
    assertTrue(Math.abs(actual - expected) <= most, () -> actual + " instead of " + expected);
  }
}

package io.weir.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.annotation.Algorithm;
import io.weir.store.Grant;
import org.junit.jupiter.api.Test;

/** Each algorithm by example: at this time so many are asked, and this is the answer. */
class TimetableTest {
  /** A minute that begins with the epoch's minutes, in microseconds. */
  private static final long NOON = 1_700_000_040L * 1_000_000;

  private static final long SECOND = 1_000_000;

  /** Seconds after noon, asked; granted, left, retry and reset in microseconds. */
  private record Row(double at, long asked, long granted, long left, long retry, long reset) {}

  @Test
  void aFixedWindowBeginsAgainWithEachMinuteOfTheClock() {
    play(
        Claims.of(Algorithm.FIXED_WINDOW, 60 * SECOND, 10),
        new Row(0, 0, 0, 10, 0, 0),
        new Row(30, 4, 4, 6, 0, 30 * SECOND),
        new Row(59, 6, 6, 0, SECOND, SECOND),
        new Row(59.999999, 1, 0, 0, 1, 1),
        new Row(60, 10, 10, 0, 60 * SECOND, 60 * SECOND));
  }

  @Test
  void aSlidingWindowGivesEachSlotBackOneSlotAfterItsWindow() {
    play(
        Claims.of(Algorithm.SLIDING_WINDOW, 60 * SECOND, 10),
        new Row(0.5, 4, 4, 6, 0, 60 * SECOND + SECOND / 2),
        new Row(30.25, 6, 6, 0, 60 * SECOND + SECOND * 3 / 4, 30 * SECOND + SECOND * 3 / 4),
        new Row(60.5, 1, 0, 0, SECOND / 2, SECOND / 2),
        new Row(60.999999, 5, 0, 0, 30 * SECOND + 1, 1),
        new Row(61, 4, 4, 0, 30 * SECOND, 30 * SECOND),
        new Row(91, 6, 6, 0, 61 * SECOND, 31 * SECOND));
  }

  @Test
  void aSlidingLogGivesEachPermitBackExactlyAWindowLater() {
    play(
        Claims.of(Algorithm.SLIDING_LOG, 60 * SECOND, 10),
        new Row(0.5, 4, 4, 6, 0, 60 * SECOND),
        new Row(30.25, 6, 6, 0, 60 * SECOND, 30 * SECOND + SECOND / 4),
        new Row(60.499999, 1, 0, 0, 1, 1),
        new Row(60.5, 5, 0, 4, 29 * SECOND + SECOND * 3 / 4, 29 * SECOND + SECOND * 3 / 4),
        new Row(60.5, 4, 4, 0, 29 * SECOND + SECOND * 3 / 4, 29 * SECOND + SECOND * 3 / 4));
  }

  @Test
  void aTokenBucketGrantsItsBurstAtOnceAndThenOneByOne() {
    play(
        Claims.of(Algorithm.TOKEN_BUCKET, 60 * SECOND, 60, 20),
        new Row(0, 20, 20, 0, 20 * SECOND, SECOND),
        new Row(0.5, 1, 0, 0, SECOND / 2, SECOND / 2),
        new Row(1, 1, 1, 0, SECOND, SECOND),
        new Row(6.25, 5, 5, 0, SECOND * 19 / 4, SECOND * 3 / 4),
        new Row(100, 0, 0, 20, 0, 0));
  }

  @Test
  void aTokenBucketRefillsAtTheMicrosecondAlthoughSevenDontDivideAMinute() {
    play(
        Claims.of(Algorithm.TOKEN_BUCKET, 60 * SECOND, 7, 7),
        new Row(0, 7, 7, 0, 60 * SECOND, 8_571_429),
        new Row(8.571428, 1, 0, 0, 1, 1),
        new Row(8.571429, 1, 1, 0, 8_571_429, 8_571_429),
        new Row(17.142857, 1, 0, 0, 1, 1),
        new Row(17.142858, 1, 1, 0, 8_571_428, 8_571_428),
        new Row(60, 5, 5, 0, 42_857_143, 8_571_429));
  }

  @Test
  void aLeakyBucketSpacesEvenly() {
    play(
        Claims.of(Algorithm.LEAKY_BUCKET, SECOND, 10, 1),
        new Row(0, 1, 1, 0, SECOND / 10, SECOND / 10),
        new Row(0.099999, 1, 0, 0, 1, 1),
        new Row(0.1, 1, 1, 0, SECOND / 10, SECOND / 10),
        new Row(5, 1, 1, 0, SECOND / 10, SECOND / 10),
        new Row(5, 2, 0, 0, SECOND, SECOND / 10));
  }

  @Test
  void aDebtIsChargedWhateverIsFree() {
    for (Algorithm algorithm : Algorithm.values()) {
      Claims limits = Claims.of(algorithm, 60 * SECOND, 10);
      BucketState state = limits.state(0);
      state.execute(limits.take(8), NOON);
      Grant grant = state.execute(limits.owe(5), NOON);
      assertEquals(0, grant.permits());
      assertEquals(0, grant.left());
      assertEquals(0, state.execute(limits.take(1), NOON + grant.retry() - 1).permits());
      assertEquals(1, state.execute(limits.take(1), NOON + grant.retry()).permits());
    }
  }

  private static void play(Claims limits, Row... rows) {
    BucketState state = limits.state(0);
    for (Row row : rows) {
      long now = NOON + Math.round(row.at * SECOND);
      Grant grant = state.execute(row.asked == 0 ? limits.look(1) : limits.take(row.asked), now);
      String answer = "granted, left, retry, reset at " + row.at;
      assertEquals(
          row.granted + " " + row.left + " " + row.retry + " " + row.reset,
          grant.permits() + " " + grant.left() + " " + grant.retry() + " " + grant.reset(),
          answer);
    }
  }
}

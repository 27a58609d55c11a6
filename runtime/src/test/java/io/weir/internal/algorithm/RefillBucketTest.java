package io.weir.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.seeds.Seeds;
import io.weir.store.Grant;
import java.time.LocalTime;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Buckets with their own refill: a worked example of a day, and give-backs. */
class RefillBucketTest {
  /** A midnight, in microseconds. */
  private static final long MIDNIGHT = 19_675L * 86_400 * 1_000_000;

  private static final long SECOND = 1_000_000;
  private static final long HOUR = 3_600 * SECOND;

  /** Time of day, asked (0: a peek for one); granted, left, retry and reset in minutes. */
  private record Row(String at, long asked, long granted, long left, long retry, long reset) {}

  @Test
  void aDayOfTenAtOnceOfWhichOneComesBackEachHour() {
    play(
        Claims.refilled(HOUR, 10, 1, false),
        new Row("00:00", 0, 0, 10, 0, 0), // full: the clock stands
        new Row("09:20", 1, 1, 9, 0, 60), // the first take starts it
        new Row("09:50", 9, 9, 0, 510, 30),
        new Row("10:19", 1, 0, 0, 1, 1),
        new Row("10:20", 1, 1, 0, 60, 60),
        new Row("11:00", 2, 0, 0, 80, 20), // two are there after two refills
        new Row("11:19", 1, 0, 0, 1, 1), // which a refusal doesn't delay
        new Row("12:25", 2, 2, 0, 115, 55), // 11:20 and 12:20
        new Row("13:30", 10, 0, 1, 530, 50), // the tenth at 22:20
        new Row("16:45", 1, 1, 3, 0, 35), // after a pause: 13:20 to 16:20 make four
        new Row("22:19", 0, 0, 8, 0, 1), // and 17:20 to 21:20 five more
        new Row("23:20", 0, 0, 10, 0, 0), // 22:20 and 23:20: full, and the clock stands
        new Row("23:47", 4, 4, 6, 0, 60)); // so the next one comes a whole hour later
  }

  @Test
  void aDayOfAStrictOneThatCallersMustPauseFor() {
    play(
        Claims.refilled(HOUR, 3, 2, true),
        new Row("09:00", 3, 3, 0, 120, 60),
        new Row("09:40", 1, 0, 0, 60, 60), // not 20: it waits anew
        new Row("10:20", 0, 0, 0, 20, 20), // a peek moves nothing
        new Row("10:30", 1, 0, 0, 60, 60),
        new Row("11:29", 3, 0, 0, 120, 60), // three come back after two refills
        new Row("12:29", 1, 1, 1, 0, 60), // a whole hour after the last refusal
        new Row("12:30", 2, 0, 1, 60, 60), // what doesn't fit is refused too
        new Row("13:30", 2, 2, 1, 60, 60), // full again: another clock
        new Row("13:40", 1, 1, 0, 50, 50),
        new Row("14:40", 0, 0, 2, 0, 50)); // the steps go on from 13:30
  }

  private static void play(Claims limits, Row... rows) {
    BucketState state = limits.state(0);
    for (Row row : rows) {
      long now = MIDNIGHT + LocalTime.parse(row.at).toNanoOfDay() / 1_000;
      Grant grant = state.execute(row.asked == 0 ? limits.look(1) : limits.take(row.asked), now);
      long minute = 60 * SECOND;
      assertEquals(
          row.granted + " " + row.left + " " + row.retry * minute + " " + row.reset * minute,
          grant.permits() + " " + grant.left() + " " + grant.retry() + " " + grant.reset(),
          "granted, left, retry, reset at " + row.at);
    }
  }

  @Test
  void aChangedLimitHoldsAtOnceAndWhatWasUsedStaysUsed() {
    Claims limits = Claims.refilled(HOUR, 10, 2, false);
    BucketState state = limits.state(0);
    state.execute(limits.take(6), MIDNIGHT);
    assertEquals(0, state.execute(limits.with(2, 5).take(1), MIDNIGHT + 1).permits());
    assertEquals(9, state.execute(limits.with(2, 15).take(9), MIDNIGHT + 2).permits());
    assertEquals(0, state.execute(limits.look(1), MIDNIGHT + 2 * HOUR).left(), "11 are used");
    assertEquals(1, state.execute(limits.look(1), MIDNIGHT + 3 * HOUR).left());
  }

  @Test
  void aChangedRefillBringsBackWhatEndsAfterItAndWhatWasUsedStaysUsed() {
    Claims free = Claims.refilled(HOUR, 10, 2, false);
    Claims premium = free.with(20, 100);
    BucketState state = free.state(0);
    state.execute(free.take(10), MIDNIGHT);
    assertEquals(
        92, state.execute(premium.look(1), MIDNIGHT + HOUR).left(), "a peek changes nothing");
    Grant upgraded = state.execute(premium.take(60), MIDNIGHT + HOUR);
    assertEquals(32, upgraded.left(), "2 came back by the refill before");
    assertEquals(HOUR, upgraded.reset());
    Grant refused = state.execute(free.take(1), MIDNIGHT + 3 * HOUR);
    assertEquals(0, refused.permits(), "28 are used");
    assertEquals(10 * HOUR, refused.retry(), "2 come back each hour from now on");
    assertEquals(5 * HOUR, state.execute(free.look(1), MIDNIGHT + 8 * HOUR).retry(), "18 are used");
  }

  @Test
  void whatIsGivenBackOfTheRunningStepIsCreditedInFull() {
    Claims limits = Claims.refilled(HOUR, 10, 3, false);
    BucketState state = limits.state(5_000);
    long stamp = state.execute(limits.take(4), MIDNIGHT).stamp();
    assertEquals(MIDNIGHT + HOUR, stamp, "the end of the step");
    assertEquals(7, state.execute(limits.back(stamp, 1), MIDNIGHT + 5).left());
    assertEquals(10, state.execute(limits.back(stamp, 3), MIDNIGHT + 7).left());
    long next = state.execute(limits.take(1), MIDNIGHT + 9).stamp();
    assertEquals(MIDNIGHT + HOUR + 9, next, "at 0 it is as new");
    assertEquals(10, state.execute(limits.back(next, 9), MIDNIGHT + 9).left(), "never more");
  }

  @Test
  void ofTheStepBeforeOnlyWhatWasStillUsedRightAfterItIsCredited() {
    Claims limits = Claims.refilled(HOUR, 10, 3, false);
    BucketState state = limits.state(5_000);
    long first = state.execute(limits.take(5), MIDNIGHT).stamp();
    long second = state.execute(limits.take(4), MIDNIGHT + HOUR).stamp(); // 2 + 4
    assertEquals(5, state.execute(limits.back(first, 1), MIDNIGHT + HOUR).left());
    assertEquals(6, state.execute(limits.back(first, 4), MIDNIGHT + HOUR).left(), "1 was left");
    assertEquals(6, state.execute(limits.back(first, 1), MIDNIGHT + HOUR).left(), "none is");
    state.execute(limits.take(6), MIDNIGHT + HOUR); // 10 in all
    assertEquals(3, state.execute(limits.back(first, 5), MIDNIGHT + 2 * HOUR).left(), "too old");
    assertEquals(7, state.execute(limits.back(second, 4), MIDNIGHT + 2 * HOUR).left());
  }

  @Test
  void aStepThatARefusalMadeLongerIsStillOneStep() {
    Claims limits = Claims.refilled(HOUR, 10, 3, true);
    BucketState state = limits.state(5_000);
    long first = state.execute(limits.take(8), MIDNIGHT).stamp();
    assertEquals(0, state.execute(limits.take(5), MIDNIGHT + HOUR / 2).permits());
    long longer = state.execute(limits.take(1), MIDNIGHT + HOUR).stamp();
    assertEquals(MIDNIGHT + HOUR * 3 / 2, longer);
    assertEquals(3, state.execute(limits.back(first, 2), MIDNIGHT + HOUR).left(), "all of it");
    long after = MIDNIGHT + HOUR * 3 / 2; // 7 − 3 are used
    assertEquals(7, state.execute(limits.back(first, 1), after).left());
    assertEquals(8, state.execute(limits.back(longer, 1), after).left());
    assertEquals(10, state.execute(limits.back(first, 5), after).left(), "2 were left");
  }

  @Test
  void aRefusalThatANodeTellsMovesTheStepForwardAndNeverBack() {
    Claims limits = Claims.refilled(HOUR, 3, 1, true);
    BucketState state = limits.state(5_000);
    state.execute(limits.take(3), MIDNIGHT);
    assertEquals(HOUR * 3 / 4, retry(limits, state, MIDNIGHT + HOUR / 4, 0));
    assertEquals(HOUR, retry(limits, state, MIDNIGHT + HOUR / 4, MIDNIGHT + HOUR / 4));
    assertEquals(HOUR, retry(limits, state, MIDNIGHT + HOUR / 4, MIDNIGHT + 1), "never back");
    assertEquals(
        HOUR / 2 + 7, retry(limits, state, MIDNIGHT + HOUR, MIDNIGHT + HOUR / 2 + 7), "later");
    assertEquals(
        HOUR, retry(limits, state, MIDNIGHT + HOUR, MIDNIGHT + 9 * HOUR), "none is to come");
    long refilled = MIDNIGHT + 2 * HOUR;
    assertEquals(0, retry(limits, state, refilled, refilled - 1), "too late for the last refill");
    assertEquals(HOUR, state.execute(limits.take(1), refilled).retry());
  }

  private static long retry(Claims limits, BucketState state, long now, long refusedAt) {
    return state.execute(limits.refused(refusedAt), now).retry();
  }

  @Test
  void aRefusalSaysNothingToAFullBucketOrToOneThatIsNotStrict() {
    Claims strict = Claims.refilled(HOUR, 3, 1, true);
    BucketState full = strict.state(0);
    full.execute(strict.refused(MIDNIGHT), MIDNIGHT);
    full.execute(strict.take(4), MIDNIGHT);
    assertTrue(full.expiresAt() <= MIDNIGHT);
    Claims lenient = Claims.refilled(HOUR, 3, 1, false);
    BucketState state = lenient.state(0);
    state.execute(lenient.take(3), MIDNIGHT);
    state.execute(lenient.take(1), MIDNIGHT + HOUR / 2);
    state.execute(lenient.refused(MIDNIGHT + HOUR / 2), MIDNIGHT + HOUR / 2);
    assertEquals(1, state.execute(lenient.take(1), MIDNIGHT + HOUR).permits());
  }

  /** Permits that several nodes hold, spend at once or late, and give back before or after. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nodesThatHoldSpendAndGiveBackNeverSpendMoreThanTheInvariantSays(boolean strict) {
    Seeds.each(
        200,
        random -> {
          long window = 10_000L + random.nextInt(10_000);
          long limit = 1L + random.nextInt(30);
          Claims limits = Claims.refilled(window, limit, 1 + random.nextInt((int) limit), strict);
          BucketState state = limits.state(100);
          record Held(long stamp, long endsAt) {}
          Deque<Held> held = new ArrayDeque<>();
          Deque<Long> open = new ArrayDeque<>(); // spent, and may yet be refunded
          Deque<Long> openAt = new ArrayDeque<>();
          Spent spent = new Spent();
          long now = MIDNIGHT;
          for (int i = 0; i < 400; i++) {
            now += random.nextInt(4) == 0 ? random.nextInt((int) window) : random.nextInt(500);
            switch (random.nextInt(6)) {
              case 0, 1 -> {
                Grant grant = state.execute(limits.lease(1, random.nextInt(9)), now);
                for (long n = 0; n < grant.permits(); n++) {
                  held.addLast(new Held(grant.stamp(), now + grant.life()));
                }
              }
              case 2 -> {
                if (!held.isEmpty()) {
                  Held one = random.nextBoolean() ? held.removeFirst() : held.removeLast();
                  state.execute(limits.back(one.stamp(), 1), now);
                }
              }
              case 3 -> {
                if (!open.isEmpty()) {
                  state.execute(limits.back(open.removeFirst(), 1), now);
                  openAt.removeFirst();
                }
              }
              default -> {
                Held one = held.pollFirst();
                if (one != null && now < one.endsAt()) {
                  if (random.nextInt(3) == 0) {
                    open.addLast(one.stamp());
                    openAt.addLast(now);
                  } else {
                    spent.add(now, 1);
                  }
                } else if (one != null) {
                  state.execute(limits.back(one.stamp(), 1), now);
                }
              }
            }
          }
          openAt.forEach(at -> spent.add(at, 1));
          spent.assertWithin(limits);
        });
  }
}

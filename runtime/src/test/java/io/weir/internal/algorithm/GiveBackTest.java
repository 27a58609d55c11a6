package io.weir.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.seeds.Seeds;
import io.weir.store.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A give-back credits what it was charged to, no more, and nothing that came later. */
class GiveBackTest {
  private static final long NOW = 1_700_000_040L * 1_000_000;
  private static final long WINDOW = 60_000_000;

  private record Taken(long time, long stamp, long permits) {}

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void leavesNoTraceWhenNobodyElseCame(Algorithm algorithm) {
    for (long later : new long[] {0, 1, 400_000, 5_000_000, 30_000_000}) {
      Claims limits = Claims.of(algorithm, WINDOW, 10);
      BucketState state = limits.state(0);
      long stamp = state.execute(limits.take(7), NOW).stamp();
      Grant after = state.execute(limits.back(stamp, 7), NOW + later);
      assertEquals(10, after.left(), "all are back after " + later);
      assertEquals(0, after.reset());
      assertTrue(state.expiresAt() <= NOW + later, "and it is as good as new");
    }
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void neverCreditsMoreThanItsSlotWasCharged(Algorithm algorithm) {
    Claims limits = Claims.of(algorithm, WINDOW, 10);
    BucketState state = limits.state(0);
    state.execute(limits.take(4), NOW);
    long later = NOW + WINDOW / 6;
    long stamp = state.execute(limits.take(2), later).stamp();
    long before = state.execute(limits.look(1), later).left();
    Grant once = state.copy().execute(limits.back(stamp, 2), later);
    Grant greedy = state.execute(limits.back(stamp, 1_000_000_000), later);
    assertEquals(before + 2, once.left());
    long most = algorithm == Algorithm.FIXED_WINDOW ? 10 : before + 2;
    assertEquals(most, greedy.left(), "the window is the slot of a fixed window");
    assertEquals(most, state.execute(limits.back(stamp, 1), later).left(), "and not again");
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void neverCreditsALaterWindow(Algorithm algorithm) {
    Claims limits = Claims.of(algorithm, WINDOW, 10);
    BucketState state = limits.state(0);
    long stamp = state.execute(limits.take(10), NOW).stamp();
    long later = NOW + WINDOW * 62 / 60;
    assertEquals(10, state.execute(limits.take(10), later).permits());
    assertEquals(0, state.execute(limits.back(stamp, 10), later).left());
    assertEquals(0, state.execute(limits.take(1), later + 1).permits());
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void ignoresStampsThatNobodyHas(Algorithm algorithm) {
    Claims limits = Claims.of(algorithm, WINDOW, 10);
    BucketState state = limits.state(0);
    long stamp = state.execute(limits.take(10), NOW).stamp();
    long[] strange = {stamp - 2, stamp + 2, 0, -1, Long.MIN_VALUE, Long.MAX_VALUE, NOW + 1};
    for (long other : strange) {
      assertEquals(0, state.execute(limits.back(other, 10), NOW).left(), "stamp " + other);
    }
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void whatIsSpentInTheEndStaysWithinTheLimit(Algorithm algorithm) {
    Seeds.each(
        80,
        random -> {
          Claims limits = Samples.limits(random, algorithm);
          BucketState state = limits.state(0);
          Arrivals arrivals = new Arrivals(random, limits.window());
          List<Taken> held = new ArrayList<>();
          Spent spent = new Spent();
          for (int i = 0; i < 200; i++) {
            long now = arrivals.next();
            Grant grant = state.execute(limits.take(Samples.cost(random, limits)), now);
            if (grant.permits() > 0) {
              held.add(new Taken(now, grant.stamp(), grant.permits()));
            }
            giveSomeBack(random, limits, state, now, held, spent);
          }
          held.forEach(taken -> spent.add(taken.time, taken.permits));
          spent.assertWithin(limits);
        });
  }

  private static void giveSomeBack(
      Random random, Claims limits, BucketState state, long now, List<Taken> held, Spent spent) {
    while (!held.isEmpty() && random.nextInt(3) == 0) {
      Taken taken = held.remove(random.nextInt(held.size()));
      long back = 1L + random.nextInt((int) taken.permits);
      state.execute(limits.back(taken.stamp, back), now);
      spent.add(taken.time, taken.permits - back);
    }
  }

  @Test
  void neverCreditsWhatHasDrainedToWhoCameToTheSameSlotAfterwards() {
    Claims limits = Claims.of(Algorithm.TOKEN_BUCKET, 1_000_000, 600);
    BucketState state = limits.state(0);
    long start = NOW / 16_666 * 16_666; // of a slot
    long first = state.execute(limits.take(8), start).stamp();
    long later = start + 14_000;
    state.execute(limits.take(8), later);
    assertEquals(592, state.execute(limits.back(first, 8), later).left());
    assertEquals(592, state.execute(limits.upTo(600), later).permits());
  }

  @Test
  void neverCreditsWhatHasDrainedToWhoCameToALaterSlot() {
    Claims limits = Claims.of(Algorithm.TOKEN_BUCKET, 1_000_000, 600);
    BucketState state = limits.state(0);
    long first = state.execute(limits.take(300), NOW).stamp();
    state.execute(limits.take(8), NOW + 20_000);
    assertEquals(592, state.execute(limits.back(first, 300), NOW + 500_000).left());
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 5_000})
  void whatDrainsWithinASlotIsNotCreditedEither(long minLife) {
    Seeds.each(
        60,
        random -> {
          int effectiveLimit = 60 + random.nextInt(2_000);
          int burst = random.nextBoolean() ? effectiveLimit : 60 + random.nextInt(2_000);
          Claims limits = Claims.of(Algorithm.TOKEN_BUCKET, 1_000_000, effectiveLimit, burst);
          BucketState state = limits.state(minLife);
          List<Taken> held = new ArrayList<>();
          Spent spent = new Spent();
          long now = NOW;
          for (int i = 0; i < 300; i++) {
            now += random.nextInt(3) == 0 ? 0 : random.nextInt(12_000);
            long wish = random.nextInt(10) == 0 ? burst : 1 + random.nextInt(16);
            Grant grant = state.execute(limits.upTo(wish), now);
            if (grant.permits() > 0) {
              held.add(new Taken(now, grant.stamp(), grant.permits()));
            }
            giveSomeBack(random, limits, state, now, held, spent);
          }
          held.forEach(taken -> spent.add(taken.time, taken.permits));
          spent.assertWithin(limits);
        });
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void overlappingRequestsAllGetTheirsBack(Algorithm algorithm) {
    Claims limits = Claims.of(algorithm, WINDOW, 20);
    BucketState state = limits.state(0);
    List<Long> stamps = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      stamps.add(state.execute(limits.take(1), NOW + i * 700_000L).stamp());
    }
    long left = 0;
    for (long stamp : stamps) {
      left = state.execute(limits.back(stamp, 1), NOW + 6_000_000).left();
    }
    boolean leaks = limits.leaks();
    assertTrue(left >= (leaks ? 19 : 20), "of a level less than one permit may be lost: " + left);
  }
}

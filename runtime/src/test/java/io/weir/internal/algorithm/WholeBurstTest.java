package io.weir.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.seeds.Seeds;
import io.weir.store.Grant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A bucket whose permits are leased gives one node alone all that a bucket holds. */
class WholeBurstTest {
  private static final long NOW = 1_700_000_040L * 1_000_000;
  private static final long MIN_LIFE = 5_000;
  private static final long SECOND = 1_000_000;
  private static final long DAY = 86_400 * SECOND;

  /** A limit and its window, and what a request costs. */
  record Terms(Claims limits, long cost) {
    long requests() {
      return limits.most() / cost;
    }

    @Override
    public String toString() {
      return limits.bucket().spec() + ", " + limits.burst() + " at once, cost " + cost;
    }
  }

  static List<Terms> table() {
    List<Terms> all = new ArrayList<>();
    for (long window : new long[] {100_000, SECOND, 60 * SECOND, 3_600 * SECOND + 7, DAY}) {
      for (long most = 1; most <= 20; most++) {
        for (long cost : new long[] {1, 2, 3, 5}) {
          if (cost <= most) {
            for (Algorithm each : Algorithm.values()) {
              all.add(new Terms(Claims.of(each, window, most), cost));
            }
            all.add(new Terms(Claims.of(Algorithm.TOKEN_BUCKET, window, 3, most), cost));
            all.add(new Terms(Claims.refilled(window, most, 1 + most / 3, false), cost));
          }
        }
      }
    }
    return all;
  }

  @Test
  void aFreshBucketIsWhole() {
    for (Terms each : table()) {
      takeAll(each, each.limits().state(MIN_LIFE), NOW + 1_234);
    }
  }

  @Test
  void aBucketIsWholeAfterEachIdleTime() {
    Seeds.each(
        2,
        random -> {
          for (Terms each : table()) {
            BucketState state = each.limits().state(MIN_LIFE);
            long now = NOW + Math.floorMod(random.nextLong(), each.limits().window());
            for (int times = 0; times < 3; times++) {
              for (long i = random.nextInt((int) each.requests()); i > 0; i--) {
                state.execute(each.limits().take(each.cost()), now);
                now += random.nextInt(10_000);
              }
              now = idle(each, state, now);
              takeAll(each, state, now);
            }
          }
        });
  }

  /** Waits as long as grants say, until nothing more comes back. */
  private static long idle(Terms terms, BucketState state, long begin) {
    long now = begin;
    for (Grant seen = look(terms, state, now); seen.reset() > 0; seen = look(terms, state, now)) {
      now += seen.reset();
    }
    assertEquals(terms.limits().most(), look(terms, state, now).left(), terms::toString);
    return now;
  }

  private static Grant look(Terms terms, BucketState state, long now) {
    return state.execute(terms.limits().look(1), now);
  }

  private static void takeAll(Terms terms, BucketState state, long begin) {
    // So close together that no fixed window ends between.
    long now = begin;
    for (long i = 0; i < terms.requests(); i++) {
      Grant grant = state.execute(terms.limits().take(terms.cost()), now);
      long left = terms.limits().most() - (i + 1) * terms.cost();
      assertEquals(terms.cost(), grant.permits(), () -> terms + " with " + grant);
      assertTrue(grant.left() >= left, () -> terms + " should have " + left + ": " + grant);
      now += 1;
    }
  }

  static List<Long> pauses() {
    return List.of(0L, MIN_LIFE / 2, MIN_LIFE, 250_000L);
  }

  /** Also where the requests come in several slots, at their ends and beginnings. */
  @ParameterizedTest
  @MethodSource("pauses")
  void aBurstIsWholeAcrossSlots(long pause) {
    for (long most = 1; most <= 20; most++) {
      Claims limits = Claims.of(Algorithm.TOKEN_BUCKET, 60 * SECOND, most);
      BucketState state = limits.state(MIN_LIFE);
      long now = NOW + SECOND - MIN_LIFE / 2;
      for (long i = 0; i < most; i++) {
        assertEquals(1, state.execute(limits.take(1), now).permits(), i + " of " + most);
        now += pause;
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"TOKEN_BUCKET", "LEAKY_BUCKET"})
  void whatIsRefundedAtOnceLeavesNothingBehind(Algorithm algorithm) {
    for (long most = 1; most <= 20; most++) {
      Claims limits = Claims.of(algorithm, DAY, most);
      BucketState state = limits.state(MIN_LIFE);
      Grant grant = state.execute(limits.take(most), NOW);
      assertEquals(most, state.execute(limits.back(grant.stamp(), most), NOW + 1).left());
    }
  }

  /** What drained ahead is taken off once: what was used before and what drains are exact. */
  @Test
  void whatHasDrainedAheadCountsUntilItHasReallyDrained() {
    Claims limits = Claims.of(Algorithm.TOKEN_BUCKET, 60 * SECOND, 600); // 10 a second and slot
    BucketState state = limits.state(MIN_LIFE);
    assertEquals(600 - 25, state.execute(limits.take(25), NOW).left(), "charged to second 1");
    assertEquals(600 - 26, state.execute(limits.take(1), NOW + SECOND).left(), "10 ahead");
    assertEquals(600 - 16, state.execute(limits.look(1), NOW + 2 * SECOND).left());
    assertEquals(600 - 17, state.execute(limits.take(1), NOW + 2 * SECOND).left());
    assertEquals(600 - 8, state.execute(limits.take(1), NOW + 3 * SECOND).left(), "8 ahead");
    assertEquals(600 - 9, state.execute(limits.take(1), NOW + 3 * SECOND).left());
    assertEquals(600 - 2, state.execute(limits.look(1), NOW + 4 * SECOND).left());
  }
}

package io.weir.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.seeds.Seeds;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Laws that hold for every algorithm and any sequence of claims. */
class BucketLawsTest {
  private static final int STEPS = 200;

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void agreesWithATwinThatForgetsNothing(Algorithm algorithm) {
    Seeds.each(
        30,
        random -> {
          Claims limits = Samples.limits(random, algorithm);
          BucketState state = limits.state(0);
          NaiveTwin twin = new NaiveTwin(limits);
          Arrivals arrivals = new Arrivals(random, limits.window());
          for (int i = 0; i < STEPS; i++) {
            long now = arrivals.next();
            long cost = Samples.cost(random, limits);
            long expected = cost <= twin.left(now) ? cost : 0;
            Grant grant = state.execute(limits.take(cost), now);
            assertEquals(expected, grant.permits(), "permits at step " + i);
            twin.take(now, expected);
            assertEquals(twin.left(now), grant.left(), "left at step " + i);
          }
        });
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void neverGrantsMoreThanItsDefinitionAllows(Algorithm algorithm) {
    Seeds.each(
        30,
        random -> {
          Claims limits = Samples.limits(random, algorithm);
          BucketState state = limits.state(0);
          Spent spent = new Spent();
          Arrivals arrivals = new Arrivals(random, limits.window());
          for (int i = 0; i < STEPS; i++) {
            long now = arrivals.next();
            long wish = Samples.cost(random, limits);
            spent.add(now, state.execute(anyClaim(random, limits, wish), now).permits());
          }
          spent.assertWithin(limits);
        });
  }

  private static Claim anyClaim(Random random, Claims limits, long wish) {
    return switch (random.nextInt(3)) {
      case 0 -> limits.take(wish);
      case 1 -> limits.upTo(wish);
      default -> limits.lease(wish, wish * 3);
    };
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void grantsExactlyWhenRetryHasPassedAndNotBefore(Algorithm algorithm) {
    for (long minLife : new long[] {0, 100}) {
      Seeds.each(
          20,
          random -> {
            Claims limits = Samples.limits(random, algorithm);
            BucketState state = limits.state(minLife);
            Arrivals arrivals = new Arrivals(random, limits.window());
            for (int i = 0; i < STEPS; i++) {
              long now = arrivals.next();
              long cost = Samples.cost(random, limits);
              Grant grant = state.execute(limits.take(cost), now);
              assertRetryIsExact(limits, state, now, cost, grant);
            }
          });
    }
  }

  private static void assertRetryIsExact(
      Claims limits, BucketState state, long now, long cost, Grant grant) {
    assertEquals(grant.left() >= cost, grant.retry() == 0, "retry 0 only where there is enough");
    if (cost > limits.most()) {
      assertEquals(limits.window(), grant.retry(), "what never fits waits for a window");
    } else if (grant.retry() > 0) {
      long then = now + grant.retry();
      assertEquals(cost, state.copy().execute(limits.take(cost), then).permits(), "at retry");
      assertEquals(0, state.copy().execute(limits.take(cost), then - 1).permits(), "before retry");
    }
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void hasMoreLeftExactlyWhenResetHasPassed(Algorithm algorithm) {
    for (long minLife : new long[] {0, 100}) {
      Seeds.each(
          20,
          random -> {
            Claims limits = Samples.limits(random, algorithm);
            BucketState state = limits.state(minLife);
            Arrivals arrivals = new Arrivals(random, limits.window());
            for (int i = 0; i < STEPS; i++) {
              long now = arrivals.next();
              Grant grant = state.execute(limits.upTo(Samples.cost(random, limits)), now);
              assertEquals(grant.left() == limits.most(), grant.reset() == 0);
              if (grant.reset() > 0) {
                long then = now + grant.reset();
                long more = state.copy().execute(limits.look(1), then).left();
                long same = state.copy().execute(limits.look(1), then - 1).left();
                assertTrue(more > grant.left(), "at reset");
                assertEquals(grant.left(), same, "before reset");
              }
            }
          });
    }
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void takingOneNTimesIsTakingNOnce(Algorithm algorithm) {
    Seeds.each(
        20,
        random -> {
          Claims limits = Samples.limits(random, algorithm);
          BucketState once = limits.state(0);
          BucketState often = limits.state(0);
          Arrivals arrivals = new Arrivals(random, limits.window());
          for (int i = 0; i < STEPS; i++) {
            long now = arrivals.next();
            long cost = Samples.cost(random, limits);
            long ones = 0;
            for (long n = 0; n < cost; n++) {
              ones += often.execute(limits.take(1), now).permits();
            }
            assertEquals(once.execute(limits.upTo(cost), now).permits(), ones);
            assertEquals(once.execute(limits.look(2), now), often.execute(limits.look(2), now));
          }
        });
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void aClockThatGoesBackNeitherMintsNorFreezes(Algorithm algorithm) {
    Seeds.each(
        20,
        random -> {
          Claims limits = Samples.limits(random, algorithm);
          BucketState jumpy = limits.state(0);
          BucketState steady = limits.state(0);
          Arrivals arrivals = new Arrivals(random, limits.window());
          for (int i = 0; i < STEPS; i++) {
            long now = arrivals.next();
            long cost = Samples.cost(random, limits);
            Grant expected = steady.execute(limits.take(cost), now);
            assertEquals(expected, jumpy.execute(limits.take(cost), now));
            long back = now - Math.floorMod(random.nextLong(), 3 * limits.window());
            Grant earlier = jumpy.execute(limits.look(1), back);
            assertEquals(expected.left(), earlier.left(), "left is that of the latest time");
          }
        });
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void equalsAFreshBucketFromFreshAtOn(Algorithm algorithm) {
    for (long minLife : new long[] {0, 100}) {
      Seeds.each(
          20,
          random -> {
            Claims limits = Samples.limits(random, algorithm);
            BucketState used = limits.state(minLife);
            Arrivals arrivals = new Arrivals(random, limits.window());
            // A bucket that leaks remembers a charge that has drained until its slot is over.
            long slot =
                limits.leaks()
                    ? limits.window() * limits.burst() / limits.effectiveLimit() / 30 + 1
                    : 0;
            long now = 0;
            for (int i = 0; i < 20; i++) {
              now = arrivals.next();
              Grant grant = used.execute(limits.take(Samples.cost(random, limits)), now);
              boolean full = grant.left() == limits.most();
              boolean fresh = used.expiresAt() <= now;
              assertTrue(full || !fresh, "fresh is full");
              assertTrue(fresh || !full || used.expiresAt() - now <= slot, "and soon after");
            }
            long fresh = used.expiresAt();
            if (minLife == 0 && !limits.leaks() && fresh > now) { // not so long ago
              long before = used.copy().execute(limits.look(1), fresh - 1).left();
              assertTrue(before < limits.most(), "not a microsecond earlier");
            }
            arrivals.moveTo(fresh);
            assertSameFuture(random, limits, used, limits.state(minLife), arrivals);
          });
    }
  }

  private static void assertSameFuture(
      Random random, Claims limits, BucketState one, BucketState other, Arrivals arrivals) {
    for (int i = 0; i < 50; i++) {
      long now = arrivals.next();
      long cost = Samples.cost(random, limits);
      Grant expected = other.execute(limits.take(cost), now);
      assertEquals(expected, one.execute(limits.take(cost), now), "step " + i);
    }
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void aCopyGoesItsOwnWay(Algorithm algorithm) {
    Seeds.each(
        20,
        random -> {
          Claims limits = Samples.limits(random, algorithm);
          BucketState original = limits.state(0);
          Arrivals arrivals = new Arrivals(random, limits.window());
          for (int i = 0; i < 30; i++) {
            original.execute(limits.take(Samples.cost(random, limits)), arrivals.next());
          }
          BucketState copy = original.copy();
          original.copy().execute(limits.owe(1_000), arrivals.next());
          assertSameFuture(random, limits, copy, original, arrivals);
        });
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void addsExtraOnlyWhereAllThatIsNeededIsMetAndAtMostAnEighthOfTheRest(Algorithm algorithm) {
    Claims limits = Claims.of(algorithm, 60_000_000, 100);
    BucketState state = limits.state(0);
    long now = 1_700_000_000_000_000L;
    assertEquals(20 + 10, state.execute(limits.lease(20, 90), now).permits(), "an eighth of 80");
    assertEquals(1 + 3, state.execute(limits.lease(1, 3), now).permits(), "less if less is asked");
    assertEquals(0, state.execute(limits.lease(70, 50), now).permits(), "66 are left");
    assertEquals(66, state.execute(limits.upTo(70), now).permits(), "as far as it goes");
    assertEquals(0, state.execute(limits.lease(0, 5), now).permits(), "an eighth of nothing");
  }
}

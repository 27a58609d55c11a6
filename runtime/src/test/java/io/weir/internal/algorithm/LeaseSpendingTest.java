package io.weir.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.seeds.Seeds;
import io.weir.store.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Leased permits may be spent at any time until their life ends, or be given back at any time, also
 * long after. However nodes go about it, what is spent is within the bound. The load flickers: many
 * small grabs in a few milliseconds, then nothing, so that grants pile up at the edges of slots.
 */
class LeaseSpendingTest {
  private static final long MIN_LIFE = 5_000;
  private static final long[] WINDOWS = {10_000, 50_000, 300_007, 1_000_000, 10_000_000};

  /** Permits that a node still holds. */
  private record Held(long from, long stamp, long endsAt, long permits) {}

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void staysWithinTheBoundWheneverPermitsAreSpent(Algorithm algorithm) {
    Seeds.each(
        120,
        random -> {
          long window = WINDOWS[random.nextInt(WINDOWS.length)];
          long limit = 1L + random.nextInt(random.nextBoolean() ? 20 : 300);
          long burst = random.nextBoolean() ? limit : 1L + random.nextInt((int) limit);
          flicker(random, Claims.of(algorithm, window, limit, burst));
        });
  }

  private static void flicker(Random random, Claims limits) {
    // A fixed window ends when it ends.
    long shortest = limits.bucket().spec().algorithm() == Algorithm.FIXED_WINDOW ? 1 : MIN_LIFE;
    BucketState state = limits.state(MIN_LIFE);
    Spent spent = new Spent();
    List<Held> held = new ArrayList<>();
    long now = 1_700_000_000_000_000L;
    long retry = 0;
    for (int i = 0; i < 400; i++) {
      now += random.nextInt(8) == 0 ? retry : pause(random, limits.window());
      Grant grant = state.execute(limits.lease(1L + random.nextInt(4), random.nextInt(300)), now);
      retry = grant.retry();
      if (grant.permits() > 0) {
        assertTrue(grant.life() >= shortest, "a grant can be used for a while");
        held.add(new Held(now, grant.stamp(), now + grant.life(), grant.permits()));
      }
      if (!held.isEmpty() && random.nextInt(3) == 0) {
        giveBack(random, limits, state, now, held.remove(random.nextInt(held.size())), spent);
      }
    }
    held.forEach(lease -> spend(random, lease, lease.permits, lease.endsAt, spent));
    spent.assertWithin(limits);
  }

  private static long pause(Random random, long window) {
    return switch (random.nextInt(20)) {
      case 0 -> Math.floorMod(random.nextLong(), window + window / 10);
      case 1, 2 -> random.nextInt((int) (window / 30));
      default -> random.nextInt(700);
    };
  }

  private static void giveBack(
      Random random, Claims limits, BucketState state, long now, Held lease, Spent spent) {
    long back = 1L + random.nextInt((int) lease.permits);
    spend(random, lease, lease.permits - back, Math.min(now, lease.endsAt), spent);
    state.execute(limits.back(lease.stamp, back), now);
  }

  /** Spends as a hostile schedule would: all at once, at the very beginning or at the very end. */
  private static void spend(Random random, Held lease, long permits, long end, Spent spent) {
    long last = Math.max(lease.from, end - 1);
    boolean late = random.nextInt(3) > 0;
    spent.add(late ? last : lease.from, permits);
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void grantsAllThereIsAlthoughTheLifeIsShort(Algorithm algorithm) {
    Claims limits = Claims.of(algorithm, 60_000_000, 600);
    BucketState state = limits.state(MIN_LIFE);
    long granted = 0;
    long start = 1_700_000_040L * 1_000_000;
    for (long now = start; now < start + 600_000_000; now += 50_000) {
      granted += state.execute(limits.upTo(10), now).permits();
    }
    assertTrue(granted >= 6_000 * 98 / 100, "98 % of ten minutes' worth, not " + granted);
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void whatIsGivenBackInItsSlotIsThereForOthers(Algorithm algorithm) {
    Claims limits = Claims.of(algorithm, 60_000_000, 600);
    BucketState state = limits.state(MIN_LIFE);
    long now = 1_700_000_040L * 1_000_000;
    Grant grant = state.execute(limits.take(600), now);
    assertEquals(0, state.execute(limits.take(1), now + 1).permits());
    long left = state.execute(limits.back(grant.stamp(), 600), now + 2).left();
    assertEquals(600, left);
  }
}

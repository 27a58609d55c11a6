package io.weir.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.seeds.Seeds;
import io.weir.store.Grant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Until when a state stays as it is, and when it is as good as new. */
class SteadyTest {
  private static final long NOW = 1_700_000_040L * 1_000_000;
  private static final long WINDOW = 60_000_000;

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void nothingChangesBeforeItsTime(Algorithm algorithm) {
    for (long minLife : new long[] {0, 5_000}) {
      Seeds.each(
          20,
          random -> {
            Claims limits = Claims.of(algorithm, WINDOW, 1 + random.nextInt(100));
            BucketState state = limits.state(minLife);
            Arrivals arrivals = new Arrivals(random, WINDOW);
            for (int i = 0; i < 100; i++) {
              long now = arrivals.next();
              Grant grant = state.execute(limits.upTo(1 + random.nextInt(5)), now);
              assertEquals(now, state.lastClaimAt());
              long until = state.steadyUntil();
              assertTrue(until >= now, "not in the past");
              if (until > now) {
                Grant last = state.copy().execute(limits.look(1), until - 1);
                assertEquals(grant.left(), last.left(), "left");
                assertEquals(grant.stamp(), last.stamp(), "stamp");
              }
            }
          });
    }
  }

  @Test
  void aFixedWindowIsSteadyUntilItEnds() {
    Claims limits = Claims.of(Algorithm.FIXED_WINDOW, WINDOW, 10);
    BucketState state = limits.state(0);
    state.execute(limits.take(1), NOW + 300);
    assertEquals(NOW + WINDOW, state.steadyUntil());
    state.execute(limits.take(1), NOW + WINDOW);
    assertEquals(NOW + 2 * WINDOW, state.steadyUntil());
  }

  @Test
  void aSlotThatDropsEndsItAndSoDoesOneThatBegins() {
    Claims limits = Claims.of(Algorithm.SLIDING_WINDOW, WINDOW, 10);
    BucketState exact = limits.state(0);
    exact.execute(limits.take(1), NOW + 300);
    assertEquals(NOW + 1_000_000, exact.steadyUntil());
    BucketState leased = limits.state(5_000);
    leased.execute(limits.take(1), NOW + 300);
    assertEquals(NOW + 995_000, leased.steadyUntil(), "from then on the next slot is charged");
    leased.execute(limits.take(1), NOW + 996_000);
    assertEquals(NOW + 1_000_000, leased.steadyUntil(), "and then an old one may drop");
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void isAsGoodAsNewFromThenOnAndNoSooner(Algorithm algorithm) {
    for (long minLife : new long[] {0, 5_000}) {
      Claims limits = Claims.of(algorithm, WINDOW, 10);
      BucketState state = limits.state(minLife);
      assertTrue(state.expiresAt() <= NOW);
      state.execute(limits.take(3), NOW + 7);
      state.execute(limits.take(2), NOW + 40_000_003);
      long fresh = state.expiresAt();
      assertEquals(10, state.copy().execute(limits.look(1), fresh).left());
      assertTrue(state.copy().execute(limits.look(1), fresh - 1).left() < 10);
      state.execute(limits.look(1), fresh + 5);
      assertTrue(state.expiresAt() <= fresh + 5, "and stays so");
    }
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void whatIsCondensedToNoGoodIsTheSameOnceMore(Algorithm algorithm) {
    Claims limits = Claims.of(algorithm, WINDOW, 10);
    BucketState state = limits.state(0);
    state.execute(limits.take(3), NOW);
    BucketState condensed = state.condensed();
    state.execute(limits.take(7), NOW);
    assertEquals(7, condensed.execute(limits.take(1), NOW + 5).left() + 1);
  }

  @Test
  void aLogIsExactUpToFourThousandEntriesAndHoldsNoMore() {
    Claims limits = Claims.of(Algorithm.SLIDING_LOG, WINDOW, 10_000);
    SlidingLog log = new SlidingLog(WINDOW, 0);
    for (int i = 0; i < 4_096; i++) {
      log.execute(limits.take(1), NOW + i);
    }
    assertEquals(4_096, log.entries());
    log.execute(limits.take(1), NOW + 4_096);
    assertEquals(1, log.entries(), "these were much closer than a 2,048th of a window");
  }

  @Test
  void aGrantLivesAWindowAtMost() {
    Claims limits = Claims.of(Algorithm.SLIDING_WINDOW, WINDOW, 10);
    assertEquals(10, limits.state(WINDOW).execute(limits.take(10), NOW).permits());
    String said =
        assertThrows(IllegalArgumentException.class, () -> limits.state(WINDOW + 1)).getMessage();
    assertEquals("minLifeMicros must be 0 up to the window of 60000000, not 60000001", said);
    assertThrows(IllegalArgumentException.class, () -> limits.state(-1));
  }

  @Test
  void aWindowHasSixtySlotsOrAsManyAsLastAsLongAsAGrant() {
    assertEquals(60, WindowSlotLayout.of(300_000, 0).count());
    assertEquals(60, WindowSlotLayout.of(300_000, 5_000).count());
    assertEquals(59, WindowSlotLayout.of(299_999, 5_000).count());
    assertEquals(1, WindowSlotLayout.of(9_999, 5_000).count());
    assertEquals(1, WindowSlotLayout.of(5_000, 5_000).count());
  }
}

package io.weir.internal.inprocess;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.seeds.Seeds;
import io.weir.store.Claim;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** At its bound the store may refuse too much, never too little. */
class MemoryBoundTest {
  private static final long MINUTE = 60_000_000;

  /** A store whose sets of entries are as full, by ten times as many callers, as one of 100,000. */
  private static final int FEW = 400;

  private static final int FEW_GROUPS = 32;

  /** In one of them strangers may by chance meet in few groups. */
  private static final int STORES = 6;

  private final HandTicker ticker = new HandTicker();
  private int strangers;

  /** One each day, for a million takes its time. */
  static List<Algorithm> turn() {
    return Seeds.today(List.of(Algorithm.values()), Algorithm.values().length);
  }

  @ParameterizedTest
  @MethodSource("turn")
  void aVictimStaysLimitedWhileAMillionOtherKeysCome(Algorithm algorithm) {
    InProcessStore store = new InProcessStore(ticker, 10_000);
    Asking asking = Asking.of(store, algorithm, 60 * MINUTE, 10);
    assertEquals(10, asking.take("victim", 10).permits());
    for (int i = 0; i < 1_000_000; i++) {
      ticker.advance(10);
      asking.take("other " + i);
      if (i % 100_000 == 0) {
        assertFalse(asking.take("victim"), "after " + i + " others");
        assertTrue(store.size() <= 10_000, "holds " + store.size());
      }
    }
    assertFalse(asking.take("victim"));
    assertEquals(10_000, store.size());
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void nobodyGetsMoreThanTheLimitByMovingInAndOut(Algorithm algorithm) {
    for (long seed : Seeds.of(4).toArray()) {
      Random random = new Random(seed);
      // One window from which no permit comes back: what is admitted is simply added up.
      Asking asking = Asking.of(new InProcessStore(ticker, 3), algorithm, 3_600 * MINUTE, 5);
      Map<String, Integer> admitted = new HashMap<>();
      for (int i = 0; i < 2_000; i++) {
        String key = "key " + random.nextInt(40);
        var grant = asking.take(key, 1 + random.nextInt(2));
        int sum = admitted.merge(key, (int) grant.permits(), Integer::sum);
        assertTrue(sum <= 5, "seed " + seed + ": " + key + " got " + sum);
        if (grant.permits() > 0 && random.nextInt(4) == 0) {
          asking.giveBack(key, grant);
          admitted.merge(key, (int) -grant.permits(), Integer::sum);
        }
      }
    }
  }

  @Test
  void whoMovesInTakesWithHimWhatHeUsedAmongTheOthers() {
    Asking asking = Asking.of(new InProcessStore(ticker, 1), Algorithm.SLIDING_LOG, MINUTE, 5);
    asking.take("first", 5);
    ticker.advance(30_000_000);
    assertEquals(5, asking.take("newcomer", 5).permits(), "in an overflow bucket");
    ticker.advance(30_000_000);
    assertFalse(asking.take("newcomer"), "the slot of the first is free now");
    assertEquals(1, asking.store().size());
    ticker.advance(29_999_999);
    assertFalse(asking.take("newcomer"));
    ticker.advance(1 + MINUTE / 4);
    assertEquals(5, asking.take("newcomer", 5).permits());
  }

  @Test
  void whoMovesInTakesAShortLogWithHimAlthoughTheOthersAreLong() {
    Asking asking = Asking.of(new InProcessStore(ticker, 1), Algorithm.SLIDING_LOG, MINUTE, 3_000);
    asking.take("first");
    ticker.advance(1_000_000);
    for (int i = 0; i < 3_000; i++) {
      assertTrue(asking.take("newcomer"), "in an overflow bucket");
      ticker.advance(19_000);
    }
    ticker.advance(2_000_000);
    assertEquals(0, asking.left("newcomer"), "the slot of the first is free now");
    ticker.advance(999_999);
    assertEquals(0, asking.left("newcomer"), "the first is a minute old");
    ticker.advance(1 + MINUTE / 4);
    long left = asking.left("newcomer");
    assertTrue(left > 700 && left < 800, left + " instead of a quarter's worth together");
  }

  /** A million callers and a store as it comes; in a short build as many for each entry. */
  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void oneStrangerInAThousandIsRefusedAtMostWhereTenTimesAsManyComeAsFit(Algorithm algorithm) {
    int fit = Seeds.deep() ? 100_000 : FEW;
    InProcessStore full = new InProcessStore(ticker, fit, Seeds.deep() ? 256 : FEW_GROUPS);
    Asking asking = Asking.of(full, algorithm, 1_440 * MINUTE, 10);
    assertAtMost(fit / 100, refused(asking, 10 * fit, 0));
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void strangersOfTheDaysBeforeLeaveTheirPlaceToOthers(Algorithm algorithm) {
    int refused = 0;
    for (int i = 0; i < STORES; i++) {
      InProcessStore full = new InProcessStore(ticker, FEW, FEW_GROUPS);
      Asking asking = Asking.of(full, algorithm, 1_440 * MINUTE, 10);
      refused += refused(asking, 4 * 10 * FEW, 144 * MINUTE / FEW);
    }
    assertAtMost(STORES * 4 * FEW / 100, refused);
  }

  private static void assertAtMost(int bound, int refused) {
    assertTrue(refused <= bound, refused + " strangers were refused, more than " + bound);
  }

  /** Counts those that are refused of so many callers who come once. */
  private int refused(Asking asking, int callers, long pause) {
    int refused = 0;
    for (int i = 0; i < callers; i++) {
      ticker.advance(pause);
      long burst = asking.spec().burstFor(asking.limit());
      Claim one = Claim.of(asking.bucket("stranger " + strangers++), 1, asking.limit(), burst);
      refused += asking.ask(one).permits() == 1 ? 0 : 1;
    }
    return refused;
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void aFloodOfStrangersGetsNoMoreThanItsEntriesHold(Algorithm algorithm) {
    Asking asking = Asking.of(new InProcessStore(ticker, 1, 4), algorithm, MINUTE, 5);
    asking.take("first");
    long admitted = IntStream.range(0, 100_000).filter(i -> asking.take("newcomer " + i)).count();
    // Of each set 31 with an entry of their own, and five permits by the entry that is shared. One
    // in some 2,000 newcomers has another's fingerprint, and its permits.
    assertTrue(admitted >= 4 * (31 + 5) && admitted <= 4 * 32 * 5, admitted + " were admitted");
  }

  @Test
  void aPlaceIsFreeAgainForWhoComesWhenItsBucketIsAsGoodAsNew() {
    InProcessStore store = new InProcessStore(ticker, 100);
    Asking asking = Asking.of(store, Algorithm.SLIDING_LOG, MINUTE, 5);
    for (int round = 0; round < 50; round++) {
      for (int i = 0; i < 100; i++) {
        assertEquals(5, asking.take("key " + round + "/" + i, 5).permits());
        assertFalse(asking.take("key " + round + "/" + i));
      }
      assertEquals(100, store.size());
      ticker.advance(MINUTE);
    }
  }
}

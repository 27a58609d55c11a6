package io.weir.internal.inprocess;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.seeds.Seeds;
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

  private final HandTicker ticker = new HandTicker();

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
    ticker.advance(1);
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
    ticker.advance(1_500_000);
    assertEquals(0, asking.left("newcomer"), "27 would be back of a whole log");
    ticker.advance(500_000);
    assertEquals(53, asking.left("newcomer"), "a second's worth together");
  }

  @Test
  void newcomersShareAFixedNumberOfOverflowBuckets() {
    Asking asking = Asking.of(new InProcessStore(ticker, 1), Algorithm.SLIDING_LOG, MINUTE, 5);
    asking.take("first");
    long admitted = IntStream.range(0, 100_000).filter(i -> asking.take("newcomer " + i)).count();
    assertEquals(256 * 5, admitted);
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

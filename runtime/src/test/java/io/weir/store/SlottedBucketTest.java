package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A bucket that is put together out of the sums of several nodes answers as one in memory. */
class SlottedBucketTest {
  private static final int SEEDS = 300;
  private static final int CLAIMS = 100;
  private static final int NODES = 3;
  private static final long MIN_LIFE = 5_000;

  private final BucketArithmetic arithmetic = BucketArithmetic.leasing(MIN_LIFE);

  /** Claims of an algorithm, or by the calendar. */
  enum Sequence {
    FIXED_WINDOW,
    SLIDING_WINDOW,
    SLIDING_LOG,
    CALENDAR;

    ClaimSequence of(Random random) {
      return this == CALENDAR
          ? new ClaimSequence(random)
          : new ClaimSequence(random, Algorithm.valueOf(name()));
    }
  }

  @ParameterizedTest
  @EnumSource(Sequence.class)
  void sumsOfSeveralNodesAnswerAsTheLiveBucket(Sequence sequence) {
    for (int seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      ClaimSequence claims = sequence.of(random);
      BucketSpec spec = claims.bucket.spec();
      LiveBucket live = arithmetic.fresh(spec);
      List<Map<Long, Long>> nodes = new ArrayList<>();
      for (int i = 0; i < NODES; i++) {
        nodes.add(new TreeMap<>());
      }
      for (int i = 0; i < CLAIMS; i++) {
        Claim claim = withoutFar(claims.next());
        SlottedBucket slotted = arithmetic.slotted(spec, claims.now);
        nodes.forEach(node -> node.forEach(slotted::charge));
        SortedMap<Long, Long> before = slotted.charges();
        Grant grant = slotted.execute(claim);
        assertEquals(live.execute(claim, claims.now), grant, "seed " + seed + ", claim " + i);
        SortedMap<Long, Long> change = new TreeMap<>(slotted.charges());
        before.forEach((slot, permits) -> change.merge(slot, -permits, Long::sum));
        change.forEach((slot, permits) -> add(slot, permits, nodes, random));
        claims.granted(grant);
      }
    }
  }

  /** Permits are taken by any node, and given back by those that have them. */
  private static void add(long slot, long permits, List<Map<Long, Long>> nodes, Random random) {
    if (permits >= 0) {
      nodes.get(random.nextInt(NODES)).merge(slot, permits, Long::sum);
      return;
    }
    long rest = -permits;
    for (Map<Long, Long> node : nodes) {
      long taken = Math.min(rest, node.getOrDefault(slot, 0L));
      node.merge(slot, -taken, Long::sum);
      rest -= taken;
    }
  }

  private static Claim withoutFar(Claim claim) {
    Claim.Builder same =
        Claim.builder(claim.bucket(), claim.effectiveLimit(), claim.burst())
            .needed(claim.needed())
            .atLeast(claim.atLeast())
            .extra(claim.extra())
            .giveBacks(
                claim.giveBacks().stream()
                    .filter(back -> back.permits() > 0)
                    .map(back -> new GiveBack(back.stamp(), back.permits()))
                    .toList())
            .debt(claim.debt())
            .usedAtLeast(claim.usedAtLeast());
    return claim.windowEnd() == 0
        ? same.build()
        : same.window(claim.windowBegin(), claim.windowEnd()).build();
  }

  @Test
  void countsSlotsUntilTheyAreOver() {
    Duration minute = Duration.ofMinutes(1);
    long now = 1_700_000_040_000_000L;
    for (Algorithm algorithm : List.of(Algorithm.SLIDING_WINDOW, Algorithm.SLIDING_LOG)) {
      BucketSpec spec = BucketSpec.builder("slots").algorithm(algorithm).window(minute).build();
      BucketId bucket = new BucketId(spec, Key.everybody());
      SlottedBucket first = arithmetic.slotted(spec, now);
      long stamp = first.execute(Claim.of(bucket, 3, 10, 10)).stamp();
      long slot = first.charges().firstKey();
      assertEquals(slot, first.slotOf(stamp));
      long until = first.countsUntil(slot);
      assertEquals(7, left(bucket, slot, until - 1), "a microsecond before, " + algorithm);
      assertEquals(10, left(bucket, slot, until), algorithm.name());
      assertTrue(arithmetic.slotted(spec, until - 1).firstSlot() <= slot, algorithm.name());
      assertTrue(arithmetic.slotted(spec, until).firstSlot() > slot, algorithm.name());
    }
  }

  private long left(BucketId bucket, long slot, long now) {
    SlottedBucket later = arithmetic.slotted(bucket.spec(), now);
    later.charge(slot, 3);
    return later.execute(Claim.peek(bucket, 1, 10, 10)).left();
  }

  @Test
  void aWindowToComeDoesntCountInThisOne() {
    Duration minute = Duration.ofMinutes(1);
    BucketSpec spec =
        BucketSpec.builder("fixed").algorithm(Algorithm.FIXED_WINDOW).window(minute).build();
    SlottedBucket bucket = arithmetic.slotted(spec, 1_700_000_040_000_000L);
    bucket.charge(bucket.firstSlot() + 1, 5);
    bucket.charge(bucket.firstSlot() - 1, 5);
    assertEquals(Map.of(), bucket.charges());
    bucket.charge(bucket.firstSlot(), 5);
    assertEquals(Map.of(bucket.firstSlot(), 5L), bucket.charges());
  }

  @Test
  void aLevelIsNoSumOfSlots() {
    BucketSpec level =
        BucketSpec.builder("level")
            .algorithm(Algorithm.TOKEN_BUCKET)
            .window(Duration.ofMinutes(1))
            .build();
    assertFalse(BucketArithmetic.isSlotted(level));
    assertThrows(IllegalArgumentException.class, () -> arithmetic.slotted(level, 1));
  }
}

package io.weir.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.seeds.Seeds;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The largest limits, windows, bursts and costs: nothing overflows, throws or mints. */
class ExtremesTest {
  private static final long NOW = 1_700_000_040L * 1_000_000;
  private static final long YEAR = 366L * 86_400 * 1_000_000;
  private static final long[] WINDOWS = {10_000, 999_983, 60_000_000, YEAR - 1, YEAR};
  private static final long[] AMOUNTS = {
    1, 2, 7, 1_000_000_000, 11_000_000_000L, 1L << 50, Long.MAX_VALUE / 2, Long.MAX_VALUE
  };

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void noCombinationThrowsOrLeavesItsRange(Algorithm algorithm) {
    for (long minLife : new long[] {0, 5_000}) {
      Seeds.each(
          300,
          random -> {
            long window = any(random, WINDOWS);
            BucketState state = Claims.of(algorithm, window, 1).state(minLife);
            long now = NOW;
            long stamp = 0;
            for (int i = 0; i < 40; i++) {
              now += random.nextInt(3) == 0 ? Math.floorMod(random.nextLong(), 2 * YEAR) : 1;
              Claims inForce =
                  Claims.of(algorithm, window, any(random, AMOUNTS), any(random, AMOUNTS));
              Claim claim = claim(random, inForce, stamp);
              Grant grant = state.execute(claim, now);
              assertInRange(inForce, claim, grant);
              long fresh = state.expiresAt() - now;
              // Counted from the end of a slot to come, and rounded up to the next one.
              assertTrue(fresh <= SaturatingMath.FOREVER + 3 * window, () -> "fresh in " + fresh);
              stamp = grant.stamp();
            }
          });
    }
  }

  private static Claim claim(Random random, Claims inForce, long stamp) {
    long needed = random.nextInt(4) == 0 ? 0 : any(random, AMOUNTS);
    long atLeast = random.nextBoolean() ? needed : 0;
    long extra = random.nextInt(3) == 0 ? any(random, AMOUNTS) : 0;
    long debt = random.nextInt(5) == 0 ? any(random, AMOUNTS) : 0;
    List<GiveBack> giveBacks =
        random.nextInt(3) == 0 ? List.of(new GiveBack(stamp, any(random, AMOUNTS))) : List.of();
    return Claim.builder(inForce.bucket(), inForce.effectiveLimit(), inForce.burst())
        .needed(needed)
        .atLeast(atLeast)
        .extra(extra)
        .giveBacks(giveBacks)
        .debt(debt)
        .build();
  }

  private static void assertInRange(Claims inForce, Claim claim, Grant grant) {
    assertTrue(grant.permits() >= 0 && grant.permits() <= inForce.most(), grant::toString);
    assertTrue(
        grant.permits() >= claim.atLeast() || grant.permits() == 0, "all of atLeast or nothing");
    assertTrue(grant.left() >= 0 && grant.left() <= inForce.most(), grant::toString);
    assertTrue(grant.life() >= 0, grant::toString);
    assertTrue(grant.retry() >= 0 && grant.retry() <= SaturatingMath.FOREVER, grant::toString);
    assertTrue(grant.reset() >= 0 && grant.reset() <= SaturatingMath.FOREVER, grant::toString);
  }

  private static long any(Random random, long[] values) {
    return values[random.nextInt(values.length)];
  }

  @Test
  void aBurstOfAThousandMillionDrainsAtOneAYearWithoutMinting() {
    Claims limits = Claims.of(Algorithm.TOKEN_BUCKET, YEAR, 1, 1_000_000_000);
    BucketState state = limits.state(0);
    assertEquals(1_000_000_000, state.execute(limits.take(1_000_000_000), NOW).permits());
    Grant refused = state.execute(limits.take(1), NOW);
    assertEquals(0, refused.permits());
    assertEquals(YEAR, refused.retry());
    assertEquals(
        SaturatingMath.FOREVER, state.execute(limits.look(1_000_000), NOW).retry(), "142 years");
    assertEquals(99, state.execute(limits.upTo(200), NOW + 100 * YEAR - 1).permits());
    assertEquals(1, state.execute(limits.upTo(200), NOW + 100 * YEAR).permits());
  }

  @Test
  void aThousandMillionAYearDoesNotDrift() {
    long limit = 1_000_000_000;
    Claims limits = Claims.of(Algorithm.TOKEN_BUCKET, YEAR, limit, 10);
    BucketState state = limits.state(0);
    long granted = state.execute(limits.take(10), NOW).permits();
    long now = NOW;
    for (int i = 0; i < 200_000; i++) {
      now += 31_007 + i % 13;
      granted += state.execute(limits.upTo(10), now).permits();
    }
    BigInteger drained =
        BigInteger.valueOf(now - NOW)
            .multiply(BigInteger.valueOf(limit))
            .divide(BigInteger.valueOf(YEAR));
    assertEquals(
        10 + drained.longValueExact(), granted + state.execute(limits.look(1), now).left());
  }

  @Test
  void aThousandMillionInTenMillisecondsIsNoZeroRate() {
    Claims limits = Claims.of(Algorithm.TOKEN_BUCKET, 10_000, 1_000_000_000, 1_000_000_000);
    BucketState state = limits.state(0);
    assertEquals(1_000_000_000, state.execute(limits.take(1_000_000_000), NOW).permits());
    assertEquals(100_000, state.execute(limits.upTo(1_000_000_000), NOW + 1).permits());
    assertEquals(1_000_000_000, state.execute(limits.look(1), NOW + 10_001).left());
  }

  @Test
  void debtsBeyondMeasureAddUpWithoutComingOutNegative() {
    for (Algorithm algorithm : Algorithm.values()) {
      Claims limits = Claims.of(algorithm, 60_000_000, 1_000_000_000);
      BucketState state = limits.state(0);
      for (int i = 0; i < 10_000; i++) {
        assertEquals(0, state.execute(limits.owe(Long.MAX_VALUE), NOW + i).left(), "debt " + i);
      }
      long justBefore = NOW + (limits.leaks() ? 59_999_999 : 19_000_000);
      assertEquals(0, state.execute(limits.look(1), justBefore).left(), algorithm::name);
    }
  }
}

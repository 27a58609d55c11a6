package io.weir.internal.writeback.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketSpec;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Times are in microseconds: flushes of 100 ms, grants that live 5 ms at least. */
class LeaseHorizonTest {
  private static final long FLUSH = 100_000;

  private final LeaseHorizon horizon = new LeaseHorizon(FLUSH, 5_000, true);

  @ParameterizedTest
  @CsvSource({
    "FIXED_WINDOW, 60000000, 100, 100, 1000000, ten flushes",
    "FIXED_WINDOW, 6000000, 100, 100, 600000, a tenth of a window",
    "SLIDING_WINDOW, 3600000000, 100, 100, 1000000, ten flushes",
    "SLIDING_WINDOW, 6000000, 100, 100, 100000, a sixtieth",
    "SLIDING_LOG, 6000000, 100, 100, 100000, a sixtieth",
    "SLIDING_WINDOW, 60000, 100, 100, 5000, a twelfth since grants live 5 ms",
    "SLIDING_WINDOW, 299999, 100, 100, 5084, a fifty-ninth",
    "SLIDING_WINDOW, 10000, 100, 100, 5000, a half",
    "TOKEN_BUCKET, 6000000, 100, 100, 100000, a sixtieth of the time that a full burst drains in",
    "TOKEN_BUCKET, 6000000, 100, 50, 50000, half as long",
    "TOKEN_BUCKET, 6000000, 100, 200, 100000, a window at most",
    "LEAKY_BUCKET, 6000000, 100, 1, 5000, the shortest life",
    "TOKEN_BUCKET, 3600000000, 100, 100, 1000000, ten flushes"
  })
  void aLeaseLastsTenFlushesOrASlot(
      Algorithm algorithm, long window, long effectiveLimit, long burst, long micros, String why) {
    BucketSpec spec =
        BucketSpec.builder("p")
            .algorithm(algorithm)
            .window(Duration.of(window, ChronoUnit.MICROS))
            .build();
    assertEquals(
        micros,
        horizon.horizon(spec, new BucketLimits(effectiveLimit, effectiveLimit, burst, 0)),
        why);
  }

  @Test
  void aGrantThatNeedNotLiveDividesAWindowIntoSixty() {
    BucketSpec spec =
        BucketSpec.builder("p")
            .algorithm(Algorithm.SLIDING_WINDOW)
            .window(Duration.ofMillis(60))
            .build();
    assertEquals(
        1_000, new LeaseHorizon(FLUSH, 0, true).horizon(spec, new BucketLimits(1, 1, 1, 0)));
  }

  @Test
  void ofARateComesWhatAHorizonTakesAndAFullBucketAtMost() {
    long rate = 7L * DemandMeter.PARTS;
    assertEquals(70, horizon.permits(10 * FLUSH, rate, 1_000));
    assertEquals(3, horizon.permits(FLUSH / 2, rate, 1_000));
    assertEquals(50, horizon.permits(10 * FLUSH, rate, 5), "five a flush");
    assertEquals(1, horizon.permits(FLUSH, DemandMeter.PARTS, 1_000));
    assertEquals(0, horizon.permits(FLUSH, DemandMeter.PARTS - 1, 1_000));
  }

  @Test
  void theLargestBurstOverTheLongestHorizonDoesNotOverflow() {
    LeaseHorizon longest = new LeaseHorizon(100 * FLUSH, 5_000, true);
    long burst = Policy.MAX_LIMIT + Policy.excess(Policy.MAX_LIMIT, Policy.MAX_LIMIT, 1_000);
    assertEquals(
        10 * Policy.MAX_LIMIT, longest.permits(1_000 * FLUSH, burst * DemandMeter.PARTS, burst));
  }

  @Test
  void toppingUpIsForLeasesOfTwoFlushesAndMore() {
    assertFalse(horizon.worthToppingUp(2 * FLUSH - 1));
    assertTrue(horizon.worthToppingUp(2 * FLUSH));
  }

  @Test
  void aLeaseIsIdleAfterAFlushOrAfterTenWhereNobodyMissesIt() {
    assertEquals(1, horizon.idleAfter(false, 1_000 * FLUSH));
    assertEquals(1, horizon.idleAfter(true, 100 * FLUSH - 1));
    assertEquals(10, horizon.idleAfter(true, 100 * FLUSH));
  }
}

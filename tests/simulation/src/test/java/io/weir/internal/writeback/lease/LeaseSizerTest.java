package io.weir.internal.writeback.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.store.BucketSpec;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

/** A node holds ten flushes' worth of its demand once that is earned. */
class LeaseSizerTest {
  private static final long FLUSH = 100_000;
  private static final long NOW = 5;
  private static final BucketLimits LIMITS = new BucketLimits(1_000, 1_000, 1_000, 0);
  private static final BucketSnapshot FRESH = sight(1_000);

  private final DemandMeter demand = new DemandMeter(0);
  private final LeaseSizer sizer = sizer(60_000_000);

  private static BucketSnapshot sight(long left) {
    return new BucketSnapshot(0, left, 1_000, 1_000, 0);
  }

  private LeaseSizer sizer(long window) {
    Duration length = Duration.of(window, ChronoUnit.MICROS);
    BucketSpec spec =
        BucketSpec.builder("p").algorithm(Algorithm.FIXED_WINDOW).window(length).build();
    LeaseHorizon horizon = new LeaseHorizon(FLUSH, 5_000, true);
    return new LeaseSizer(spec, horizon, demand, new FarLeaseSizer(spec, horizon));
  }

  private void ask(int requests, long permits) {
    for (int i = 0; i < requests; i++) {
      demand.note(permits);
    }
  }

  /** So many permits a flush, for so long that it is the rate. */
  private void steady(long permits) {
    ask(10, 0);
    for (int i = 0; i < 100; i++) {
      ask(1, permits);
      demand.tick();
    }
  }

  @Test
  void tenRequestsEarnALease() {
    ask(9, 1);
    assertEquals(0, sizer.extra(0, 0, LIMITS, FRESH));
    ask(1, 1);
    assertEquals(100, sizer.extra(0, 0, LIMITS, FRESH));
  }

  @Test
  void aLeaseThatWouldEndBeforeItArrivesIsNotWorthHaving() {
    assertTrue(sizer.isWorthLeasing(LIMITS, 10 * FLUSH - 1));
    assertFalse(sizer.isWorthLeasing(LIMITS, 10 * FLUSH), "ten flushes");
    assertTrue(sizer(FLUSH).isWorthLeasing(LIMITS, FLUSH / 10 - 1));
    assertFalse(sizer(FLUSH).isWorthLeasing(LIMITS, FLUSH / 10), "a tenth of the window");
  }

  @Test
  void whatAClaimItselfServesIsNoEvidenceOfARate() {
    ask(10, 1);
    assertEquals(0, sizer.extra(10, 0, LIMITS, FRESH));
    assertEquals(20, sizer.extra(8, 0, LIMITS, FRESH));
    demand.tick();
    assertEquals(75, sizer.extra(1, 0, LIMITS, FRESH), "by the rate, which has risen to 7.5");
    assertEquals(100, sizer.extra(0, 0, LIMITS, FRESH), "by the last flush");
  }

  @Test
  void whatIsHeldIsNotAskedForAgain() {
    steady(10);
    assertEquals(60, sizer.extra(0, 40, LIMITS, FRESH));
    assertEquals(2, sizer.extra(0, 98, LIMITS, FRESH));
    assertEquals(0, sizer.extra(0, 99, LIMITS, FRESH), "one isn't worth it");
  }

  @Test
  void leavesAloneWhatIsAboveTheLimit() {
    steady(10);
    assertEquals(40, sizer.extra(0, 0, LIMITS, sight(40)));
    assertEquals(15, sizer.extra(0, 0, new BucketLimits(1_000, 1_000, 1_000, 25), sight(40)));
    assertEquals(0, sizer.extra(0, 0, new BucketLimits(1_000, 1_000, 1_000, 39), sight(40)));
  }

  @Test
  void aWindowShorterThanAFlushHasNoLease() {
    steady(100);
    assertEquals(0, sizer(FLUSH - 1).extra(0, 0, LIMITS, FRESH));
    assertEquals(10, sizer(FLUSH).extra(0, 0, LIMITS, FRESH));
  }

  @Test
  void nobodyAsksForAFlushAndAllIsIdleOrForTenWherePlentyIsLeft() {
    ask(1, 1);
    demand.tick();
    assertFalse(sizer.idle(sight(499)));
    demand.tick();
    assertTrue(sizer.idle(sight(499)));
    assertFalse(sizer.idle(sight(500)));
    for (int i = 1; i < 10; i++) {
      assertFalse(sizer.idle(sight(500)));
      demand.tick();
    }
    assertTrue(sizer.idle(sight(500)));
  }

  @Test
  void keepsTwiceWhatItNeedsAndTenBeforeItGivesAnyBack() {
    steady(10);
    assertEquals(210, sizer.keep(210, LIMITS));
    assertEquals(100, sizer.keep(211, LIMITS));
    ask(1, 30);
    demand.tick();
    assertEquals(610, sizer.keep(610, LIMITS), "by the last flush, since it was more");
    assertEquals(300, sizer.keep(611, LIMITS));
  }

  @Test
  void fillsALeaseUpThatTwoFlushesWouldEmpty() {
    steady(10);
    long lasts = NOW + FLUSH + 1;
    assertTrue(sizer.wantsTopUp(new Lease(1, lasts, 19), LIMITS, NOW));
    assertFalse(sizer.wantsTopUp(new Lease(1, lasts, 20), LIMITS, NOW), "enough");
    assertFalse(sizer.wantsTopUp(new Lease(1, lasts, 0), LIMITS, NOW), "none to fill");
    assertFalse(sizer.wantsTopUp(new Lease(1, lasts - 1, 19), LIMITS, NOW), "it ends too soon");
    assertTrue(sizer(20 * FLUSH).wantsTopUp(new Lease(1, lasts, 19), LIMITS, NOW));
    assertFalse(sizer(20 * FLUSH - 10).wantsTopUp(new Lease(1, lasts, 19), LIMITS, NOW));
    demand.tick();
    assertFalse(sizer.wantsTopUp(new Lease(1, lasts, 1), LIMITS, NOW), "no request asks");
  }

  @Test
  void fillsUpOnlyWhatWasEarned() {
    for (int i = 0; i < 9; i++) {
      ask(1, 10);
      demand.tick();
    }
    assertFalse(sizer.wantsTopUp(new Lease(1, 2 * FLUSH, 5), LIMITS, NOW));
    ask(1, 10);
    demand.tick();
    assertTrue(sizer.wantsTopUp(new Lease(1, 2 * FLUSH, 5), LIMITS, NOW));
  }

  @Test
  void restsWhenNobodyAsksAndNoRateWouldMatter() {
    ask(1, 1);
    demand.tick();
    assertFalse(sizer.atRest());
    demand.tick();
    assertTrue(sizer.atRest(), "nothing was earned");
    steady(10);
    demand.tick();
    assertFalse(sizer.atRest());
    for (int i = 0; i < 20; i++) {
      demand.tick();
    }
    assertTrue(sizer.atRest(), "the rate has gone");
  }
}

package io.weir.internal.writeback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.internal.permits.RequestDecision;
import io.weir.internal.permits.RequestTerms;
import io.weir.internal.writeback.debt.RecoverableCharges;
import io.weir.internal.writeback.lease.BucketLimits;
import io.weir.internal.writeback.lease.BucketSnapshot;
import io.weir.internal.writeback.lease.RestingLease;
import io.weir.store.Grant;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A bucket at rest: what it keeps, and that it admits requests by the far lease it keeps. */
class CachedBucketTest {
  private static final long STAMP = 1L << 62 | 1L << 61 | 5L << 52 | 3_500_000_001L;
  private static final long END = 100 << 16;
  private static final long NOW = 1_000;
  private static final BucketLimits LIMITS = BucketLimits.of(Still.REQUEST);

  private final CacheContext context = Still.context();
  private final CachedBucket bucket = new CachedBucket();

  private static RestingLease lease(long stamp, int left, int size, long lowAt) {
    return new RestingLease(stamp, END, left, size, size > 0 ? Still.LIMIT : 0, 7, lowAt, null);
  }

  private static RestingLease lease(int left, int size) {
    return lease(STAMP, left, size, Long.MIN_VALUE / 2);
  }

  private void rest(RestingLease lease) {
    BucketSnapshot seen = new BucketSnapshot(0, 900, Still.LIMIT, Still.LIMIT, 50_001);
    RecoverableCharges none = new RecoverableCharges(Still.POLICY.spec().algorithm());
    assertTrue(bucket.rest(new RestingBucketState(seen, null, none, 16, 4, lease), context, NOW));
  }

  private static RequestTerms terms(long permits) {
    return new RequestTerms(Still.POLICY, permits, Still.LIMIT, Still.LIMIT, Still.LIMIT, 0);
  }

  private @Nullable Decision admit(long permits, long now) {
    return bucket.admit(terms(permits), Still.KEY, now);
  }

  private RestingBucketState activated() {
    ActiveBucket active = bucket.activate(Still.BUCKET, LIMITS, context);
    assertNotNull(active);
    return active.restingState(Still.NOW);
  }

  private @Nullable RestingLease kept() {
    return activated().lease();
  }

  @Test
  void admitsByItsLeaseWithoutComingIntoUse() {
    rest(lease(3, 5));
    Decision first = admit(2, NOW);
    assertNotNull(first);
    assertEquals(901, first.remaining(), "one here, 900 in the store");
    assertEquals(Duration.ofNanos(49_001_000), first.resetAfter());
    assertEquals(STAMP, RequestDecision.cast(first).stamp());
    assertNull(admit(2, NOW), "too few");
    assertNotNull(admit(1, END - 1));
    assertNull(bucket.active());
    assertEquals(lease(0, 5), kept(), "all five were spent");
  }

  @Test
  void admitsNothingOnceItsLeaseIsOver() {
    rest(lease(3, 5));
    assertFalse(bucket.wouldAdmit(terms(1), END));
    assertNull(admit(1, END));
    assertEquals(lease(3, 5), kept());
  }

  @Test
  void admitsNothingUnderALowerLimitThanThatOfItsLease() {
    rest(lease(3, 5));
    RequestTerms lower = new RequestTerms(Still.POLICY, 1, Still.LIMIT - 1, 999, 999, 0);
    assertFalse(bucket.wouldAdmit(lower, NOW));
    assertNull(bucket.admit(lower, Still.KEY, NOW));
    assertNull(bucket.spend(lower, NOW));
    RequestTerms higher = new RequestTerms(Still.POLICY, 1, Still.LIMIT + 1, 500, 500, 0);
    assertNotNull(bucket.admit(higher, Still.KEY, NOW), "whatever load makes of it");
    assertEquals(lease(2, 5), kept());
  }

  @Test
  void bucketsOfOneLimitShareWhatTheyKeepOfIt() {
    RestingExtrasInterner rarities = context.rarities();
    assertSame(rarities.of(null, null, 100), rarities.of(null, null, 100));
    assertNotSame(rarities.of(null, null, 100), rarities.of(null, null, 101));
    assertNull(rarities.of(null, null, 0));
    for (int i = 1; i <= 2_000; i++) {
      assertEquals(new RestingExtras(null, null, i), rarities.of(null, null, i), "however many");
    }
  }

  @Test
  void aGrantSaysTheSame() {
    rest(lease(3, 5));
    Grant grant = bucket.spend(terms(1), NOW);
    assertNotNull(grant);
    assertEquals(1, grant.permits());
    assertEquals(STAMP, grant.stamp());
    assertEquals(END - NOW, grant.life());
    assertEquals(902, grant.left());
    assertEquals(49_001, grant.reset());
    assertNull(bucket.spend(terms(3), NOW));
  }

  @Test
  void undoesAnAdmissionOfTheSameLease() {
    rest(lease(3, 5));
    assertNotNull(admit(2, NOW));
    assertFalse(bucket.undoAdmit(STAMP + (1L << 52), 2, NOW), "of another");
    assertTrue(bucket.undoAdmit(STAMP, 2, NOW));
    assertFalse(bucket.undoAdmit(STAMP, 1, END), "over");
    assertEquals(lease(3, 5), kept());
    assertFalse(bucket.undoAdmit(STAMP, 1, NOW), "in use");
  }

  @Test
  void whatIsSpentAtRestCountsTowardsALease() {
    rest(lease(60, 65));
    admit(1, NOW);
    admit(20, NOW);
    assertEquals(6, activated().earnings());
    rest(lease(60, 65));
    for (int i = 0; i < 8; i++) {
      admit(1, NOW);
    }
    assertEquals(10, activated().earnings(), "at most ten");
  }

  @Test
  void inUseItAdmitsNothingByItself() {
    rest(lease(3, 5));
    assertNotNull(bucket.activate(Still.BUCKET, LIMITS, context));
    assertNull(admit(1, NOW), "the active bucket has the lease");
  }

  @Test
  void evictedItAdmitsNothing() {
    rest(lease(3, 5));
    bucket.evict(Still.BUCKET, Still.ALLOWANCE, EvictionReason.TOO_MANY);
    assertNull(admit(1, NOW));
    assertNull(bucket.activate(Still.BUCKET, LIMITS, context));
  }

  @Test
  void afterALossNothingIsLeft() {
    rest(lease(3, 5));
    bucket.noteDataLoss(NOW);
    assertNull(admit(1, NOW));
    assertFalse(bucket.isWorthGivingBack(NOW));
    assertNull(kept());
    rest(lease(STAMP, 3, 5, NOW));
    bucket.noteDataLoss(NOW);
    assertNull(kept(), "however it was kept");
  }

  @Test
  void keepsAllOfWhatItCantPack() {
    RestingLease low = lease(STAMP, 3, 5, NOW);
    RestingLease large = lease(200, 300);
    RestingLease foreign = lease(1L << 62 | 1L << 40, 3, 5, Long.MIN_VALUE / 2);
    for (RestingLease each : new RestingLease[] {low, large, foreign}) {
      rest(each);
      assertTrue(bucket.isWorthGivingBack(NOW));
      assertNull(admit(1, NOW), "by the active bucket only");
      assertEquals(each, kept());
    }
  }

  @Test
  void onlyPermitsThatMayStillBeSpentAreWorthGivingBack() {
    rest(lease(3, 5));
    assertTrue(bucket.isWorthGivingBack(NOW));
    assertFalse(bucket.isWorthGivingBack(END), "over");
    assertNotNull(admit(3, NOW));
    assertFalse(bucket.isWorthGivingBack(NOW), "all spent");
    rest(lease(3, 5));
    bucket.activate(Still.BUCKET, LIMITS, context);
    assertFalse(bucket.isWorthGivingBack(NOW), "in use");
  }

  @Test
  void keepsWhatItsLastLeaseServed() {
    RestingLease over = lease(0, 0);
    rest(over);
    assertFalse(bucket.isWorthGivingBack(NOW));
    RestingLease kept = kept();
    assertNotNull(kept);
    assertEquals(7, kept.served());
    assertEquals(0, kept.size());
  }

  @Test
  void keepsTheRestOfWhatWasKnown() {
    rest(lease(3, 5));
    assertNotNull(admit(1, NOW));
    RestingBucketState history = activated();
    assertEquals(16, history.backoff());
    assertEquals(5, history.earnings());
    assertEquals(50_001, history.snapshot().resetAt());
    assertEquals(900, history.snapshot().left());
    assertEquals(lease(2, 5), history.lease());
  }
}

package io.weir.internal.writeback.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Far leases: what is left goes along with the next claim, and what was spent is reported once. */
class FarLeaseHolderTest {
  private static final long NOW = 100;
  private static final long END = 1_000;
  private static final long STAMP = 7;
  private static final BucketLimits LIMITS = new BucketLimits(100, 100, 100, 0);
  private static final BucketSpec SPEC =
      BucketSpec.builder("p")
          .algorithm(Algorithm.SLIDING_WINDOW)
          .window(Duration.ofMinutes(1))
          .build();

  private final FarLeaseSizer sizer = sizer();
  private final LeaseHolder holder = holder(sizer);

  private static FarLeaseSizer sizer() {
    return new FarLeaseSizer(SPEC, new LeaseHorizon(100_000, 5_000, true));
  }

  private static LeaseHolder holder(FarLeaseSizer sizer) {
    BucketSnapshot none = new BucketSnapshot(0, 0, 1, 1, 0);
    return new LeaseHolder(new FastPath(new BucketId(SPEC, Key.everybody()), none) {}, sizer);
  }

  private long addFar(long permits, long served, long endsAt, long now) {
    Grant grant = Grant.builder().granted(permits, STAMP, 1).far(true).build();
    return holder.add(grant, served, 100, endsAt, now);
  }

  private Lease far(long permits) {
    addFar(permits, 0, END, NOW);
    return holder.lease();
  }

  private void near(long permits, long stamp) {
    Grant grant = Grant.builder().granted(permits, stamp, 1).build();
    assertEquals(stamp, holder.add(grant, 0, 100, END, NOW));
  }

  @Test
  void whatIsLeftAndWhatWasSpentGoesAlong() {
    Lease lease = far(5);
    assertEquals(3, lease.spend(2, NOW));
    assertTrue(lease.withdraw(1, NOW), "for one that waited");
    holder.release();
    assertFalse(holder.hasGiveBacks(), "no reason to claim");
    assertTrue(holder.isEmpty());
    assertEquals(List.of(new GiveBack(STAMP, 2, 3)), holder.takeGiveBacks());
    assertEquals(List.of(), holder.takeGiveBacks(), "once");
  }

  @Test
  void itIsKeptUntilSomethingIsClaimed() {
    Lease lease = far(5);
    holder.trim(0, NOW);
    holder.releaseNear();
    holder.expire(END + 1);
    assertEquals(lease, holder.lease());
    assertTrue(holder.isEmpty(), "so that the bucket may rest");
    holder.releaseFar();
    assertEquals(List.of(new GiveBack(STAMP, 5)), holder.takeGiveBacks());
  }

  @Test
  void nearAndFarLeasesTakeEachOthersPlace() {
    near(3, 6);
    far(5);
    near(2, 4);
    assertEquals(2, holder.lease().permits());
    assertEquals(
        List.of(new GiveBack(6, 3), new GiveBack(STAMP, 5)), holder.takeGiveBacks(), "near first");
  }

  @Test
  void oneThatArrivesTooLateIsGivenBack() {
    addFar(5, 0, END, END);
    assertEquals(Lease.NONE, holder.lease());
    assertEquals(List.of(new GiveBack(STAMP, 5)), holder.takeGiveBacks());
  }

  @Test
  void whatWaitingRequestsGetIsReportedAsSpent() {
    long stamp = addFar(5, 2, END, NOW);
    assertEquals(stamp, holder.lease().stamp(), "their decisions name the lease");
    assertEquals(3, holder.lease().permits());
    holder.release();
    assertEquals(List.of(new GiveBack(STAMP, 3, 2)), holder.takeGiveBacks());
  }

  @Test
  void whatWaitingRequestsGetOfOneThatHasEndedIsReportedAtOnce() {
    long stamp = addFar(5, 2, NOW, NOW);
    assertEquals(Lease.NONE, holder.lease());
    assertEquals(List.of(new GiveBack(STAMP, 3, 2)), holder.takeGiveBacks());
    holder.refund(stamp, 1, NOW);
    assertEquals(List.of(), holder.takeGiveBacks(), "it counts as spent, in an unknown slot");
  }

  @Test
  void whatIsNotSpentForGoodStaysOpenAndItsRefundGoesToItsStamp() {
    sizer.setReports(false);
    long stamp = addFar(5, 2, NOW, NOW);
    assertEquals(List.of(new GiveBack(STAMP, 3)), holder.takeGiveBacks());
    holder.refund(stamp, 1, NOW);
    assertEquals(List.of(new GiveBack(STAMP, 1)), holder.takeGiveBacks());
  }

  @Test
  void aRefundOfTheLeaseInForceMayBeSpentAgain() {
    Lease lease = far(5);
    lease.spend(2, NOW);
    holder.refund(lease.stamp(), 1, NOW);
    assertEquals(4, lease.permits());
    holder.refund(lease.stamp(), 1, END);
    holder.release();
    assertEquals(List.of(new GiveBack(STAMP, 5)), holder.takeGiveBacks(), "even after its end");
  }

  @Test
  void aRefundAfterTheReportIsLostAndEndsFarLeasesForAWindow() {
    Lease lease = far(5);
    lease.spend(2, NOW);
    holder.release();
    holder.takeGiveBacks();
    assertTrue(sizer.permits(1, 0, LIMITS, NOW) > 0);
    holder.refund(lease.stamp(), 2, NOW);
    assertEquals(List.of(), holder.takeGiveBacks());
    assertEquals(0, sizer.permits(1, 0, LIMITS, NOW + 59_999_999));
    assertTrue(sizer.permits(1, 0, LIMITS, NOW + 60_000_000) > 0);
  }

  @Test
  void aRefundNeverReachesAnotherLeaseOfTheSlot() {
    Lease first = far(5);
    first.spend(2, NOW);
    holder.releaseFar();
    Lease second = far(5);
    assertNotEquals(first.stamp(), second.stamp());
    holder.refund(first.stamp(), 2, NOW);
    assertEquals(5, second.permits());
  }

  @Test
  void whereResponsesMayNotCountNothingIsReportedAndRefundsGoBack() {
    sizer.setReports(false);
    Lease lease = far(5);
    lease.spend(4, NOW);
    holder.release();
    holder.refund(lease.stamp(), 3, NOW);
    assertEquals(List.of(new GiveBack(STAMP, 4)), holder.takeGiveBacks());
  }

  @Test
  void aBucketAtRestKeepsIt() {
    Lease lease = far(5);
    lease.spend(2, NOW);
    RestingLease kept = holder.rest(NOW);
    assertNotNull(kept);
    assertEquals(Lease.NOTHING, lease.spend(1, NOW), "no request spends meanwhile");
    LeaseHolder next = holder(sizer());
    next.restore(kept);
    assertEquals(3, next.lease().permits());
    next.refund(lease.stamp(), 1, NOW);
    assertEquals(4, next.lease().permits());
    next.release();
    assertEquals(List.of(new GiveBack(STAMP, 4, 1)), next.takeGiveBacks());
    assertNull(holder(sizer()).rest(NOW), "most have nothing to keep");
  }

  @Test
  void aBucketAtRestKeepsWhatIsToGoAlongAndHowManyItServed() {
    far(5).spend(5, NOW);
    holder.release();
    RestingLease kept = holder.rest(NOW);
    assertNotNull(kept);
    FarLeaseSizer again = sizer();
    LeaseHolder next = holder(again);
    next.restore(kept);
    assertEquals(List.of(new GiveBack(STAMP, 0, 5)), next.takeGiveBacks());
    assertEquals(10, again.permits(1, 0, LIMITS, NOW), "twice as many");
  }

  @Test
  void nothingOfItMattersAfterALoss() {
    far(5);
    holder.release();
    far(3);
    holder.forgetFar();
    assertEquals(List.of(), holder.takeGiveBacks());
    assertEquals(Lease.NONE, holder.lease());
  }

  @Test
  void whoLeavesGivesItBack() {
    far(5);
    holder.release();
    holder.sendFar();
    assertTrue(holder.hasGiveBacks());
    assertEquals(List.of(new GiveBack(STAMP, 5)), holder.takeGiveBacks());
  }

  @Test
  void asksForWhatTheLastOneServed() {
    assertEquals(2, sizer.permits(1, 0, LIMITS, NOW), "at first");
    assertEquals(
        7, sizer.permits(1, 0, new BucketLimits(1_000, 1_000, 1_000, 0), NOW), "and of more");
    assertEquals(32, sizer.permits(1, 0, new BucketLimits(9_000, 9_000, 9_000, 0), NOW), "at most");
    far(5).spend(4, NOW);
    holder.release();
    assertEquals(4, sizer.permits(1, 0, LIMITS, NOW));
    far(30).spend(30, NOW);
    holder.release();
    assertEquals(32, sizer.permits(1, 0, LIMITS, NOW), "and no more");
    far(5);
    holder.release();
    assertEquals(2, sizer.permits(1, 0, LIMITS, NOW), "of no use");
  }

  @Test
  void asksForNoneWhereItDoesNoGood() {
    assertEquals(2, sizer.permits(32, 31, LIMITS, NOW));
    assertEquals(0, sizer.permits(33, 0, LIMITS, NOW), "a herd");
    assertEquals(0, sizer.permits(1, 32, LIMITS, NOW), "hot");
    assertEquals(0, sizer.permits(1, 0, new BucketLimits(15, 15, 15, 0), NOW), "small");
    assertEquals(
        0, sizer.permits(1, 0, new BucketLimits(110, 110, 110, 10), NOW), "above the limit");
    sizer.learn(25, 100, NOW);
    assertEquals(2, sizer.permits(1, 0, LIMITS, NOW), "a quarter is left");
    sizer.learn(24, 100, NOW);
    assertEquals(0, sizer.permits(1, 0, LIMITS, NOW), "low");
  }

  @Test
  void existsOnlyWhereItLastsAndWhereItIsWanted() {
    assertTrue(on(Algorithm.SLIDING_WINDOW, 60, 100_000, true));
    assertTrue(on(Algorithm.FIXED_WINDOW, 60, 750_000, true));
    assertFalse(on(Algorithm.FIXED_WINDOW, 60, 750_001, true), "an eighth is ten flushes");
    assertFalse(on(Algorithm.SLIDING_WINDOW, 59, 100_000, true));
    assertFalse(on(Algorithm.SLIDING_WINDOW, 60, 100_000, false), "switched off");
    assertFalse(on(Algorithm.TOKEN_BUCKET, 60, 100_000, true));
    assertFalse(on(Algorithm.SLIDING_LOG, 60, 100_000, true));
  }

  private static boolean on(Algorithm algorithm, int seconds, long flush, boolean wanted) {
    BucketSpec spec =
        BucketSpec.builder("p").algorithm(algorithm).window(Duration.ofSeconds(seconds)).build();
    return new FarLeaseSizer(spec, new LeaseHorizon(flush, 5_000, wanted)).isOn();
  }
}

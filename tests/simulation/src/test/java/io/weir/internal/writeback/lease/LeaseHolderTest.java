package io.weir.internal.writeback.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
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

/** A permit is in the lease or on its way back, whatever comes in whichever order. */
class LeaseHolderTest {
  private static final long NOW = 100;
  private static final long END = 1_000;

  private static final BucketSpec SPEC =
      BucketSpec.builder("p")
          .algorithm(Algorithm.SLIDING_WINDOW)
          .window(Duration.ofMinutes(1))
          .build();

  private final FarLeaseSizer farSizer =
      new FarLeaseSizer(SPEC, new LeaseHorizon(100_000, 5_000, true));
  private final FastPath fastPath =
      new FastPath(new BucketId(SPEC, Key.everybody()), new BucketSnapshot(0, 0, 1, 1, 0)) {};
  private final LeaseHolder holder = new LeaseHolder(fastPath, farSizer);

  private Lease add(long permits, long stamp, long endsAt) {
    add(Grant.builder().granted(permits, stamp, 1).build(), 0, endsAt, NOW);
    return holder.lease();
  }

  private void add(Grant grant, long served, long endsAt, long now) {
    assertEquals(grant.stamp(), holder.add(grant, served, 1, endsAt, now));
  }

  private void assertHolds(long permits, long stamp, long endsAt, GiveBack... giveBacks) {
    assertEquals(permits, holder.lease().permits());
    assertEquals(stamp, holder.lease().stamp());
    assertEquals(endsAt, holder.lease().endsAt());
    assertEquals(giveBacks.length > 0, holder.hasGiveBacks());
    assertEquals(List.of(giveBacks), holder.takeGiveBacks());
  }

  @Test
  void whatIsGrantedIsALease() {
    assertTrue(holder.isEmpty());
    add(5, 3, END);
    assertFalse(holder.isEmpty());
    assertHolds(5, 3, END);
  }

  @Test
  void aGrantOfNothingChangesNothing() {
    Lease lease = add(5, 3, END);
    assertSame(lease, add(0, 4, END));
    assertHolds(5, 3, END);
  }

  @Test
  void ofOneSlotGrantsAddUpAndEndWithTheEarlier() {
    Lease lease = add(5, 3, END);
    assertSame(lease, add(2, 3, END), "the same end");
    assertSame(lease, add(2, 3, END + 1), "the end that is known is the earlier");
    assertHolds(9, 3, END);
    assertNotSame(lease, add(2, 3, END - 1));
    assertHolds(11, 3, END - 1);
    assertEquals(Lease.NOTHING, lease.spend(1, NOW), "nothing is left in the other");
  }

  @Test
  void aNewerSlotTakesThePlaceOfAnOlder() {
    add(5, 3, END);
    add(2, 4, END + 100);
    assertHolds(2, 4, END + 100, new GiveBack(3, 5));
  }

  @Test
  void anOlderSlotGoesBackAtOnceUnlessTheLeaseHasEnded() {
    add(5, 3, END);
    add(2, 2, END);
    assertHolds(5, 3, END, new GiveBack(2, 2));
    add(Grant.builder().granted(4, 2, 1).build(), 0, END + 100, END);
    assertHolds(4, 2, END + 100, new GiveBack(3, 5));
  }

  @Test
  void whatWaitingRequestsGetIsNeitherLeasedNorGivenBack() {
    Grant grant = Grant.builder().granted(5, 4, 1).build();
    add(grant, 3, END, NOW);
    assertHolds(2, 4, END);
    add(grant, 5, END, NOW);
    assertHolds(2, 4, END);
    assertFalse(holder.goesBack(grant, END, NOW));
    assertTrue(holder.goesBack(grant, NOW, NOW));
    add(grant, 3, NOW, NOW);
    assertHolds(2, 4, END, new GiveBack(4, 2));
  }

  @Test
  void whatIsDeadOnArrivalGoesBackAtOnce() {
    add(5, 3, END);
    add(Grant.builder().granted(2, 4, 1).build(), 0, NOW, NOW);
    assertHolds(5, 3, END, new GiveBack(4, 2));
    add(2, 4, NOW + 1);
    assertHolds(2, 4, NOW + 1, new GiveBack(3, 5));
  }

  @Test
  void whatIsPutBackServesTheNextIfItsLeaseLives() {
    Lease lease = add(5, 3, END);
    lease.spend(2, NOW);
    holder.refund(3, 2, END - 1);
    assertHolds(5, 3, END);
    holder.refund(3, 1, END);
    holder.refund(2, 1, NOW);
    assertHolds(5, 3, END, new GiveBack(2, 1), new GiveBack(3, 1));
  }

  @Test
  void aLeaseIsGivenUpWhenItsSlotHasEnded() {
    add(5, 3, END);
    holder.expire(END - 1);
    assertHolds(5, 3, END);
    holder.expire(END);
    assertSame(Lease.NONE, holder.lease());
    assertEquals(List.of(new GiveBack(3, 5)), holder.takeGiveBacks());
    assertTrue(holder.isEmpty());
    holder.expire(END);
    holder.release();
    assertTrue(holder.isEmpty(), "once");
  }

  @Test
  void whatIsOnItsWayBackIsNotNothing() {
    add(5, 3, END);
    holder.release();
    assertFalse(holder.isEmpty());
    assertTrue(holder.hasGiveBacks());
  }

  @Test
  void givesUpWhatIsHeldBeyondWhatToKeep() {
    Lease lease = add(5, 3, END);
    holder.trim(5, NOW);
    holder.trim(6, NOW);
    assertHolds(5, 3, END);
    holder.trim(4, NOW);
    assertHolds(4, 3, END, new GiveBack(3, 1));
    assertSame(lease, holder.lease());
    assertEquals(0, lease.used(), "which no request asked for");
    holder.trim(0, END);
    assertHolds(4, 3, END);
  }
}

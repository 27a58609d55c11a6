package io.weir.internal.writeback;

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

  private final LeaseHolder stock =
      new LeaseHolder(
          new FastPath(
              new BucketId(
                  BucketSpec.builder("p")
                      .algorithm(Algorithm.SLIDING_WINDOW)
                      .window(Duration.ofMinutes(1))
                      .build(),
                  Key.everybody()),
              new StoreSnapshot(0, 0, 1, 1, 0)) {});

  private Lease bank(long permits, long stamp, long endsAt) {
    stock.bank(Grant.builder().granted(permits, stamp, 1).build(), endsAt, NOW);
    return stock.lease();
  }

  private void assertHolds(long permits, long stamp, long endsAt, GiveBack... giveBacks) {
    assertEquals(permits, stock.lease().permits());
    assertEquals(stamp, stock.lease().stamp());
    assertEquals(endsAt, stock.lease().endsAt());
    assertEquals(giveBacks.length > 0, stock.hasBacks());
    assertEquals(List.of(giveBacks), stock.takeBacks());
  }

  @Test
  void whatIsGrantedIsALease() {
    assertTrue(stock.isEmpty());
    bank(5, 3, END);
    assertFalse(stock.isEmpty());
    assertHolds(5, 3, END);
  }

  @Test
  void aGrantOfNothingChangesNothing() {
    Lease lease = bank(5, 3, END);
    assertSame(lease, bank(0, 4, END));
    assertHolds(5, 3, END);
  }

  @Test
  void ofOneSlotGrantsAddUpAndEndWithTheEarlier() {
    Lease lease = bank(5, 3, END);
    assertSame(lease, bank(2, 3, END), "the same end");
    assertSame(lease, bank(2, 3, END + 1), "the end that is known is the earlier");
    assertHolds(9, 3, END);
    assertNotSame(lease, bank(2, 3, END - 1));
    assertHolds(11, 3, END - 1);
    assertEquals(Lease.NOTHING, lease.spend(1, NOW), "nothing is left in the other");
  }

  @Test
  void aNewerSlotTakesThePlaceOfAnOlder() {
    bank(5, 3, END);
    bank(2, 4, END + 100);
    assertHolds(2, 4, END + 100, new GiveBack(3, 5));
  }

  @Test
  void anOlderSlotGoesBackAtOnceUnlessTheLeaseHasEnded() {
    bank(5, 3, END);
    bank(2, 2, END);
    assertHolds(5, 3, END, new GiveBack(2, 2));
    stock.bank(Grant.builder().granted(4, 2, 1).build(), END + 100, END);
    assertHolds(4, 2, END + 100, new GiveBack(3, 5));
  }

  @Test
  void whatIsDeadOnArrivalGoesBackAtOnce() {
    bank(5, 3, END);
    stock.bank(Grant.builder().granted(2, 4, 1).build(), NOW, NOW);
    assertHolds(5, 3, END, new GiveBack(4, 2));
    bank(2, 4, NOW + 1);
    assertHolds(2, 4, NOW + 1, new GiveBack(3, 5));
  }

  @Test
  void whatIsPutBackServesTheNextIfItsLeaseLives() {
    Lease lease = bank(5, 3, END);
    lease.spend(2, NOW);
    stock.putBack(3, 2, END - 1);
    assertHolds(5, 3, END);
    stock.putBack(3, 1, END);
    stock.putBack(2, 1, NOW);
    assertHolds(5, 3, END, new GiveBack(2, 1), new GiveBack(3, 1));
  }

  @Test
  void aLeaseIsGivenUpWhenItsSlotHasEnded() {
    bank(5, 3, END);
    stock.expire(END - 1);
    assertHolds(5, 3, END);
    stock.expire(END);
    assertSame(Lease.NONE, stock.lease());
    assertEquals(List.of(new GiveBack(3, 5)), stock.takeBacks());
    assertTrue(stock.isEmpty());
    stock.expire(END);
    stock.release();
    assertTrue(stock.isEmpty(), "once");
  }

  @Test
  void whatIsOnItsWayBackIsNotNothing() {
    bank(5, 3, END);
    stock.release();
    assertFalse(stock.isEmpty());
    assertTrue(stock.hasBacks());
  }

  @Test
  void givesUpWhatIsHeldBeyondWhatToKeep() {
    Lease lease = bank(5, 3, END);
    stock.trim(5, NOW);
    stock.trim(6, NOW);
    assertHolds(5, 3, END);
    stock.trim(4, NOW);
    assertHolds(4, 3, END, new GiveBack(3, 1));
    assertSame(lease, stock.lease());
    assertEquals(0, lease.used(), "which nobody asked for");
    stock.trim(0, END);
    assertHolds(4, 3, END);
  }
}

package io.weir.internal.writeback.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Outcome;
import io.weir.Policy;
import io.weir.internal.permits.RequestDecision;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.BucketId;
import io.weir.store.Grant;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The answers of the lease and of the store's last answer: the lease comes first. */
class FastPathTest {
  private static final long NOW = 1_000;
  private static final long END = 5_000;
  private static final long WINDOW = 60_000_000;
  private static final Key KEY = Key.of("caller");
  private static final Policy POLICY =
      Policy.builder("p").limit(20).window(Duration.ofMinutes(1)).build();

  private final FastPath fastPath =
      new FastPath(
          new BucketId(POLICY.spec(), KEY), new BucketSnapshot(NOW - 100, 7, 20, 20, 9_000)) {};

  private static RequestTerms terms(long permits) {
    return terms(permits, 20);
  }

  private static RequestTerms terms(long permits, long effectiveLimit) {
    return new RequestTerms(POLICY, permits, 20, effectiveLimit, effectiveLimit, 0);
  }

  private Lease lease(long permits) {
    Lease lease = new Lease(3, END, permits);
    fastPath.setLease(lease);
    return lease;
  }

  private void refuses(CachedRefusal... known) {
    fastPath.setRefusals(known);
  }

  private static CachedRefusal refusal(long cost, long retryAt) {
    return new CachedRefusal(2_000, cost, 20, 20, 0, retryAt, retryAt + 50, null);
  }

  private static long retry(@Nullable Grant refused) {
    assertNotNull(refused);
    assertEquals(0, refused.permits());
    return refused.retry();
  }

  @Test
  void admitsByTheLeaseAndTellsWhatIsLeftHereAndInTheStore() {
    Lease lease = lease(5);
    Decision decision = fastPath.admit(terms(2), KEY, NOW);
    assertNotNull(decision);
    assertEquals(Outcome.ADMITTED, decision.outcome());
    assertEquals(3 + 7, decision.remaining());
    assertEquals(3, RequestDecision.cast(decision).stamp());
    assertEquals(Duration.ofMillis(8), decision.resetAfter());
    assertEquals(3, lease.permits());
    fastPath.setSnapshot(new BucketSnapshot(NOW, 18, 20, 20, 9_000));
    Decision next = fastPath.admit(terms(1), KEY, NOW);
    assertNotNull(next);
    assertEquals(20, next.remaining(), "never more than a fresh bucket has");
  }

  @Test
  void admitsNobodyWhereOthersWaitOrTooFewAreLeftOrItHasEnded() {
    Lease lease = lease(5);
    assertNull(fastPath.admit(terms(6), KEY, NOW));
    assertNull(fastPath.admit(terms(5), KEY, END));
    fastPath.setHasWaiters(true);
    assertNull(fastPath.admit(terms(1), KEY, NOW));
    assertEquals(5, lease.permits());
  }

  @Test
  void wouldAdmitWhatItAdmits() {
    lease(5);
    assertTrue(fastPath.wouldAdmit(terms(5), NOW));
    assertFalse(fastPath.wouldAdmit(terms(6), NOW));
    assertFalse(fastPath.wouldAdmit(terms(5), END));
    fastPath.setHasWaiters(true);
    assertFalse(fastPath.wouldAdmit(terms(5), NOW));
  }

  @Test
  void putsBackOnlyWhatIsOfTheSameSlot() {
    Lease lease = lease(5);
    lease.spend(2, NOW);
    assertFalse(fastPath.undoAdmit(4, 2, NOW));
    assertEquals(3, lease.permits());
    assertTrue(fastPath.undoAdmit(3, 2, NOW));
    assertEquals(5, lease.permits());
    lease.seal();
    assertFalse(fastPath.undoAdmit(3, 2, NOW));
  }

  @Test
  void aGrantOfTheLeaseLastsAsLongAsTheLease() {
    lease(5);
    Grant spent = fastPath.spend(terms(2), NOW);
    assertEquals(Grant.builder().granted(2, 3, END - NOW).left(3 + 7).reset(8_000).build(), spent);
    assertEquals(
        Grant.builder().granted(1, 3, END - NOW).left(2 + 7).reset(8_000).build(),
        fastPath.spendUncounted(terms(1), NOW));
    assertNull(fastPath.spend(terms(3), NOW));
    assertNull(fastPath.spendUncounted(terms(3), NOW));
  }

  @Test
  void whatIsBorrowedNamesNoSlot() {
    Grant grantBorrowed = fastPath.grantBorrowed(terms(2), NOW);
    assertEquals(
        Grant.builder().granted(2, FastPath.BORROWED, 0).left(7).reset(8_000).build(),
        grantBorrowed);
  }

  @Test
  void aGrantOfTheStoreNamesItsStampAndCountsWhatOtherWaitingRequestsGet() {
    lease(5);
    assertEquals(
        Grant.builder().granted(2, 4, 0).left(5 + 7 + 1).reset(8_000).build(),
        fastPath.grantOfStore(terms(2), 4, 1, NOW));
  }

  @Test
  void refusesNothingThatItKnowsNothingOf() {
    assertNull(fastPath.refuse(terms(1), NOW));
    refuses(refusal(3, 4_000));
    assertNull(fastPath.refuse(terms(2), NOW), "fewer may be there");
    assertFalse(fastPath.isRefused(terms(2), NOW));
  }

  @Test
  void refusesUntilItIsTimeToLookAgain() {
    refuses(refusal(3, 4_000));
    assertEquals(3_000, retry(fastPath.refuse(terms(3), NOW)));
    assertEquals(2_001, retry(fastPath.refuse(terms(3), 1_999)));
    assertTrue(fastPath.isRefused(terms(3), 1_999));
    assertNull(fastPath.refuse(terms(3), 2_000));
    assertFalse(fastPath.isRefused(terms(3), 2_000));
  }

  @Test
  void whatTheLeaseHoldsIsNotMissing() {
    refuses(refusal(3, 4_000));
    lease(2);
    assertNull(fastPath.refuse(terms(2), NOW));
    assertNull(fastPath.refuse(terms(4), NOW));
    assertFalse(fastPath.isRefused(terms(4), NOW));
    assertEquals(3_000, retry(fastPath.refuse(terms(5), NOW)));
    assertTrue(fastPath.isRefused(terms(5), NOW));
    refuses(refusal(1, 4_000));
    assertNull(fastPath.refuse(terms(2), NOW), "it holds them all");
  }

  @Test
  void tellsTheSoonestTimeThatIsPromised() {
    refuses(refusal(3, 4_000), refusal(5, 6_000));
    assertEquals(3_000, retry(fastPath.refuse(terms(3), NOW)));
    assertEquals(5_000, retry(fastPath.refuse(terms(4), NOW)), "three are no promise of four");
    refuses(refusal(5, 3_500), refusal(3, 4_000));
    assertEquals(2_500, retry(fastPath.refuse(terms(3), NOW)));
    refuses(refusal(3, 4_000), refusal(5, 3_500));
    assertEquals(2_500, retry(fastPath.refuse(terms(3), NOW)));
  }

  @Test
  void asksWhereItIsRefusedButNobodyKnowsForHowLong() {
    refuses(refusal(3, 4_000));
    assertNull(fastPath.refuse(terms(4), NOW));
    assertTrue(fastPath.isRefused(terms(4), NOW));
    Grant refused = fastPath.refuseForAWindow(terms(4), NOW);
    assertEquals(Grant.refused(3, WINDOW, 8_000), refused);
    assertNull(fastPath.refuseForAWindow(terms(2), NOW));
    assertNull(fastPath.refuse(terms(3, 10), NOW), "by fewer it may be later");
    assertTrue(fastPath.isRefused(terms(3, 10), NOW));
    assertFalse(fastPath.isRefused(terms(3, 21), NOW), "by more it may be there");
  }

  @Test
  void whoIsRefusedIsToldThatFewerAreLeftThanItWants() {
    lease(2);
    refuses(refusal(3, 4_000));
    Grant refused = fastPath.refuse(terms(6), NOW);
    assertNull(refused, "no promise of four");
    Grant five = fastPath.refuse(terms(5), NOW);
    assertNotNull(five);
    assertEquals(4, five.left(), "others have put some back meanwhile");
    assertEquals(3_050, five.reset());
    fastPath.setSnapshot(new BucketSnapshot(NOW, 1, 20, 20, 9_000));
    Grant fewer = fastPath.refuse(terms(5), NOW);
    assertNotNull(fewer);
    assertEquals(3, fewer.left());
    Decision decision = fastPath.refusedBy(refusal(3, 4_000), terms(5), KEY, NOW);
    assertEquals(Outcome.REFUSED, decision.outcome());
    assertEquals(3, decision.remaining());
    assertEquals(Duration.ofMillis(3), decision.retryAfter());
  }

  @Test
  void aLookIsToldWhenItWouldBeMetOnlyIfItWouldNot() {
    lease(2);
    assertEquals(Grant.refused(5, 0, 8_000), fastPath.peeked(terms(5), NOW, 3, 77));
    assertEquals(Grant.refused(5, 77, 8_000), fastPath.peeked(terms(6), NOW, 3, 77));
    assertEquals(Grant.refused(20, 0, 8_000), fastPath.peeked(terms(6), NOW, 19, 77));
    assertEquals(Grant.refused(9, 0, 8_000), fastPath.takeNothing(terms(6), NOW));
  }

  @Test
  void aLookIsAnsweredByWhatWasHeardLately() {
    Grant seen = Grant.refused(7, 0, 8_000);
    assertEquals(seen, fastPath.peek(terms(7), NOW, 101));
    assertNull(fastPath.peek(terms(7), NOW, 100), "that was too long ago");
    assertNull(fastPath.peek(terms(8), NOW, 101), "the time is unknown");
    lease(2);
    assertEquals(Grant.refused(9, 0, 8_000), fastPath.peek(terms(9), NOW, 100));
    refuses(refusal(8, 4_000));
    assertEquals(3_000, retry(fastPath.peek(terms(10), NOW, 100)));
  }
}

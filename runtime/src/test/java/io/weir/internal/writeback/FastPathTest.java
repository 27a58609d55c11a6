package io.weir.internal.writeback;

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

/** What a wish is told by the lease and by what the store said: the lease first. */
class FastPathTest {
  private static final long NOW = 1_000;
  private static final long END = 5_000;
  private static final long WINDOW = 60_000_000;
  private static final Key KEY = Key.of("caller");
  private static final Policy POLICY =
      Policy.builder("p").limit(20).window(Duration.ofMinutes(1)).build();

  private final FastPath answers =
      new FastPath(
          new BucketId(POLICY.spec(), KEY), new StoreSnapshot(NOW - 100, 7, 20, 20, 9_000)) {};

  private static RequestTerms requestTerms(long permits) {
    return requestTerms(permits, 20);
  }

  private static RequestTerms requestTerms(long permits, long effectiveLimit) {
    return new RequestTerms(POLICY, permits, 20, effectiveLimit, effectiveLimit, 0);
  }

  private Lease lease(long permits) {
    Lease lease = new Lease(3, END, permits);
    answers.lease(lease);
    return lease;
  }

  private void refuses(CachedRefusal... known) {
    answers.refuses(known);
  }

  private static CachedRefusal refusal(long cost, long retryAt) {
    return new CachedRefusal(2_000, cost, 20, 20, 0, retryAt, retryAt + 50);
  }

  private static long retry(@Nullable Grant refused) {
    assertNotNull(refused);
    assertEquals(0, refused.permits());
    return refused.retry();
  }

  @Test
  void admitsByTheLeaseAndTellsWhatIsLeftHereAndInTheStore() {
    Lease lease = lease(5);
    Decision decision = answers.admit(requestTerms(2), KEY, NOW);
    assertNotNull(decision);
    assertEquals(Outcome.ADMITTED, decision.outcome());
    assertEquals(3 + 7, decision.remaining());
    assertEquals(3, RequestDecision.cast(decision).stamp());
    assertEquals(Duration.ofMillis(8), decision.resetAfter());
    assertEquals(3, lease.permits());
    answers.saw(new StoreSnapshot(NOW, 18, 20, 20, 9_000));
    Decision next = answers.admit(requestTerms(1), KEY, NOW);
    assertNotNull(next);
    assertEquals(20, next.remaining(), "never more than a fresh bucket has");
  }

  @Test
  void admitsNobodyWhereOthersWaitOrTooFewAreLeftOrItHasEnded() {
    Lease lease = lease(5);
    assertNull(answers.admit(requestTerms(6), KEY, NOW));
    assertNull(answers.admit(requestTerms(5), KEY, END));
    answers.crowded(true);
    assertNull(answers.admit(requestTerms(1), KEY, NOW));
    assertEquals(5, lease.permits());
  }

  @Test
  void wouldAdmitWhatItAdmits() {
    lease(5);
    assertTrue(answers.wouldAdmit(requestTerms(5), NOW));
    assertFalse(answers.wouldAdmit(requestTerms(6), NOW));
    assertFalse(answers.wouldAdmit(requestTerms(5), END));
    answers.crowded(true);
    assertFalse(answers.wouldAdmit(requestTerms(5), NOW));
  }

  @Test
  void putsBackOnlyWhatIsOfTheSameSlot() {
    Lease lease = lease(5);
    lease.spend(2, NOW);
    assertFalse(answers.unspend(4, 2, NOW));
    assertEquals(3, lease.permits());
    assertTrue(answers.unspend(3, 2, NOW));
    assertEquals(5, lease.permits());
    lease.seal();
    assertFalse(answers.unspend(3, 2, NOW));
  }

  @Test
  void aGrantOfTheLeaseLastsAsLongAsTheLease() {
    lease(5);
    Grant spent = answers.spend(requestTerms(2), NOW);
    assertEquals(Grant.builder().granted(2, 3, END - NOW).left(3 + 7).reset(8_000).build(), spent);
    assertEquals(
        Grant.builder().granted(1, 3, END - NOW).left(2 + 7).reset(8_000).build(),
        answers.take(requestTerms(1), NOW));
    assertNull(answers.spend(requestTerms(3), NOW));
    assertNull(answers.take(requestTerms(3), NOW));
    assertNotNull(spent);
    assertEquals(END, FastPath.endsAt(spent, NOW));
  }

  @Test
  void whatIsLentOrNothingDoesNotEnd() {
    Grant lent = answers.lent(requestTerms(2), NOW);
    assertEquals(
        Grant.builder().granted(2, FastPath.BORROWED, 0).left(7).reset(8_000).build(), lent);
    assertEquals(NodeClock.NEVER, FastPath.endsAt(lent, NOW));
    assertEquals(NodeClock.NEVER, FastPath.endsAt(Grant.builder().granted(0, 3, 10).build(), NOW));
  }

  @Test
  void refusesNothingThatItKnowsNothingOf() {
    assertNull(answers.refuse(requestTerms(1), NOW));
    refuses(refusal(3, 4_000));
    assertNull(answers.refuse(requestTerms(2), NOW), "fewer may be there");
    assertFalse(answers.lacks(requestTerms(2), NOW));
  }

  @Test
  void refusesUntilItIsTimeToLookAgain() {
    refuses(refusal(3, 4_000));
    assertEquals(3_000, retry(answers.refuse(requestTerms(3), NOW)));
    assertEquals(2_001, retry(answers.refuse(requestTerms(3), 1_999)));
    assertTrue(answers.lacks(requestTerms(3), 1_999));
    assertNull(answers.refuse(requestTerms(3), 2_000));
    assertFalse(answers.lacks(requestTerms(3), 2_000));
  }

  @Test
  void whatTheLeaseHoldsIsNotMissing() {
    refuses(refusal(3, 4_000));
    lease(2);
    assertNull(answers.refuse(requestTerms(2), NOW));
    assertNull(answers.refuse(requestTerms(4), NOW));
    assertFalse(answers.lacks(requestTerms(4), NOW));
    assertEquals(3_000, retry(answers.refuse(requestTerms(5), NOW)));
    assertTrue(answers.lacks(requestTerms(5), NOW));
    refuses(refusal(1, 4_000));
    assertNull(answers.refuse(requestTerms(2), NOW), "it holds them all");
  }

  @Test
  void tellsTheSoonestTimeThatIsPromised() {
    refuses(refusal(3, 4_000), refusal(5, 6_000));
    assertEquals(3_000, retry(answers.refuse(requestTerms(3), NOW)));
    assertEquals(
        5_000, retry(answers.refuse(requestTerms(4), NOW)), "three are no promise of four");
    refuses(refusal(5, 3_500), refusal(3, 4_000));
    assertEquals(2_500, retry(answers.refuse(requestTerms(3), NOW)));
    refuses(refusal(3, 4_000), refusal(5, 3_500));
    assertEquals(2_500, retry(answers.refuse(requestTerms(3), NOW)));
  }

  @Test
  void asksWhereItIsRefusedButNobodyKnowsForHowLong() {
    refuses(refusal(3, 4_000));
    assertNull(answers.refuse(requestTerms(4), NOW));
    assertTrue(answers.lacks(requestTerms(4), NOW));
    Grant refused = answers.refuseForAWindow(requestTerms(4), NOW);
    assertEquals(Grant.refused(3, WINDOW, 8_000), refused);
    assertNull(answers.refuseForAWindow(requestTerms(2), NOW));
    assertNull(answers.refuse(requestTerms(3, 10), NOW), "by fewer it may be later");
    assertTrue(answers.lacks(requestTerms(3, 10), NOW));
    assertFalse(answers.lacks(requestTerms(3, 21), NOW), "by more it may be there");
  }

  @Test
  void whoIsRefusedIsToldThatFewerAreLeftThanItWants() {
    lease(2);
    refuses(refusal(3, 4_000));
    Grant refused = answers.refuse(requestTerms(6), NOW);
    assertNull(refused, "no promise of four");
    Grant five = answers.refuse(requestTerms(5), NOW);
    assertNotNull(five);
    assertEquals(4, five.left(), "others have put some back meanwhile");
    assertEquals(3_050, five.reset());
    answers.saw(new StoreSnapshot(NOW, 1, 20, 20, 9_000));
    Grant fewer = answers.refuse(requestTerms(5), NOW);
    assertNotNull(fewer);
    assertEquals(3, fewer.left());
    Decision decision = answers.refuse(refusal(3, 4_000), requestTerms(5), KEY, NOW);
    assertEquals(Outcome.REFUSED, decision.outcome());
    assertEquals(3, decision.remaining());
    assertEquals(Duration.ofMillis(3), decision.retryAfter());
  }

  @Test
  void aLookIsToldWhenItWouldBeMetOnlyIfItWouldNot() {
    lease(2);
    assertEquals(Grant.refused(5, 0, 8_000), answers.left(requestTerms(5), NOW, 3, 77));
    assertEquals(Grant.refused(5, 77, 8_000), answers.left(requestTerms(6), NOW, 3, 77));
    assertEquals(Grant.refused(20, 0, 8_000), answers.left(requestTerms(6), NOW, 19, 77));
    assertEquals(Grant.refused(9, 0, 8_000), answers.passedOver(requestTerms(6), NOW));
  }

  @Test
  void aLookIsAnsweredByWhatWasHeardLately() {
    Grant seen = Grant.refused(7, 0, 8_000);
    assertEquals(seen, answers.peek(requestTerms(7), NOW, 101));
    assertNull(answers.peek(requestTerms(7), NOW, 100), "that was too long ago");
    assertNull(answers.peek(requestTerms(8), NOW, 101), "nobody knows when");
    lease(2);
    assertEquals(Grant.refused(9, 0, 8_000), answers.peek(requestTerms(9), NOW, 100));
    refuses(refusal(8, 4_000));
    assertEquals(3_000, retry(answers.peek(requestTerms(10), NOW, 100)));
  }
}

package io.weir.writeback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Offer;
import io.weir.Outcome;
import io.weir.Policy;
import io.weir.store.Bucket;
import io.weir.store.Grant;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a wish is told by the lease and by what the store said: the lease first. */
class AnswersTest {
  private static final long NOW = 1_000;
  private static final long END = 5_000;
  private static final long WINDOW = 60_000_000;
  private static final Key KEY = Key.of("caller");
  private static final Policy POLICY =
      Policy.builder("p").limit(20).window(Duration.ofMinutes(1)).build();

  private final Answers answers =
      new Answers(new Bucket(POLICY.shape(), KEY), new Sight(NOW - 100, 7, 20, 20, 9_000)) {};

  private static Offer offer(long permits) {
    return offer(permits, 20);
  }

  private static Offer offer(long permits, long capacity) {
    return new Offer(POLICY, permits, 20, capacity, capacity, 0);
  }

  private Lease lease(long permits) {
    Lease lease = new Lease(3, END, permits);
    answers.lease(lease);
    return lease;
  }

  private void refuses(Refusal... known) {
    answers.refuses(known);
  }

  private static Refusal refusal(long cost, long retryAt) {
    return new Refusal(2_000, cost, 20, 20, 0, retryAt, retryAt + 50);
  }

  private static long retry(@Nullable Grant refused) {
    assertNotNull(refused);
    assertEquals(0, refused.permits());
    return refused.retry();
  }

  @Test
  void admitsByTheLeaseAndTellsWhatIsLeftHereAndInTheStore() {
    Lease lease = lease(5);
    Decision decision = answers.admit(offer(2), KEY, NOW);
    assertNotNull(decision);
    assertEquals(Outcome.ADMITTED, decision.outcome());
    assertEquals(3 + 7, decision.remaining());
    assertEquals(3, decision.stamp());
    assertEquals(Duration.ofMillis(8), decision.resetAfter());
    assertEquals(3, lease.permits());
    answers.saw(new Sight(NOW, 18, 20, 20, 9_000));
    Decision next = answers.admit(offer(1), KEY, NOW);
    assertNotNull(next);
    assertEquals(20, next.remaining(), "never more than a fresh bucket has");
  }

  @Test
  void admitsNobodyWhereOthersWaitOrTooFewAreLeftOrItHasEnded() {
    Lease lease = lease(5);
    assertNull(answers.admit(offer(6), KEY, NOW));
    assertNull(answers.admit(offer(5), KEY, END));
    answers.crowded(true);
    assertNull(answers.admit(offer(1), KEY, NOW));
    assertEquals(5, lease.permits());
  }

  @Test
  void wouldAdmitWhatItAdmits() {
    lease(5);
    assertTrue(answers.wouldAdmit(offer(5), NOW));
    assertFalse(answers.wouldAdmit(offer(6), NOW));
    assertFalse(answers.wouldAdmit(offer(5), END));
    answers.crowded(true);
    assertFalse(answers.wouldAdmit(offer(5), NOW));
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
    Grant spent = answers.spend(offer(2), NOW);
    assertEquals(new Grant(2, 3, END - NOW, 3 + 7, 0, 8_000), spent);
    assertEquals(new Grant(1, 3, END - NOW, 2 + 7, 0, 8_000), answers.take(offer(1), NOW));
    assertNull(answers.spend(offer(3), NOW));
    assertNull(answers.take(offer(3), NOW));
    assertNotNull(spent);
    assertEquals(END, Answers.endsAt(spent, NOW));
  }

  @Test
  void whatIsLentOrNothingDoesNotEnd() {
    Grant lent = answers.lent(offer(2), NOW);
    assertEquals(new Grant(2, Answers.BORROWED, 0, 7, 0, 8_000), lent);
    assertEquals(NodeClock.NEVER, Answers.endsAt(lent, NOW));
    assertEquals(NodeClock.NEVER, Answers.endsAt(new Grant(0, 3, 10, 0, 0, 0), NOW));
  }

  @Test
  void refusesNothingThatItKnowsNothingOf() {
    assertNull(answers.refuse(offer(1), NOW));
    refuses(refusal(3, 4_000));
    assertNull(answers.refuse(offer(2), NOW), "fewer may be there");
    assertFalse(answers.lacks(offer(2), NOW));
  }

  @Test
  void refusesUntilItIsTimeToLookAgain() {
    refuses(refusal(3, 4_000));
    assertEquals(3_000, retry(answers.refuse(offer(3), NOW)));
    assertEquals(2_001, retry(answers.refuse(offer(3), 1_999)));
    assertTrue(answers.lacks(offer(3), 1_999));
    assertNull(answers.refuse(offer(3), 2_000));
    assertFalse(answers.lacks(offer(3), 2_000));
  }

  @Test
  void whatTheLeaseHoldsIsNotMissing() {
    refuses(refusal(3, 4_000));
    lease(2);
    assertNull(answers.refuse(offer(2), NOW));
    assertNull(answers.refuse(offer(4), NOW));
    assertFalse(answers.lacks(offer(4), NOW));
    assertEquals(3_000, retry(answers.refuse(offer(5), NOW)));
    assertTrue(answers.lacks(offer(5), NOW));
    refuses(refusal(1, 4_000));
    assertNull(answers.refuse(offer(2), NOW), "it holds them all");
  }

  @Test
  void tellsTheSoonestTimeThatIsPromised() {
    refuses(refusal(3, 4_000), refusal(5, 6_000));
    assertEquals(3_000, retry(answers.refuse(offer(3), NOW)));
    assertEquals(5_000, retry(answers.refuse(offer(4), NOW)), "three are no promise of four");
    refuses(refusal(5, 3_500), refusal(3, 4_000));
    assertEquals(2_500, retry(answers.refuse(offer(3), NOW)));
    refuses(refusal(3, 4_000), refusal(5, 3_500));
    assertEquals(2_500, retry(answers.refuse(offer(3), NOW)));
  }

  @Test
  void asksWhereItIsRefusedButNobodyKnowsForHowLong() {
    refuses(refusal(3, 4_000));
    assertNull(answers.refuse(offer(4), NOW));
    assertTrue(answers.lacks(offer(4), NOW));
    Grant refused = answers.refuseForAWindow(offer(4), NOW);
    assertEquals(new Grant(0, 0, 0, 3, WINDOW, 8_000), refused);
    assertNull(answers.refuseForAWindow(offer(2), NOW));
    assertNull(answers.refuse(offer(3, 10), NOW), "by fewer it may be later");
    assertTrue(answers.lacks(offer(3, 10), NOW));
    assertFalse(answers.lacks(offer(3, 21), NOW), "by more it may be there");
  }

  @Test
  void whoIsRefusedIsToldThatFewerAreLeftThanItWants() {
    lease(2);
    refuses(refusal(3, 4_000));
    Grant refused = answers.refuse(offer(6), NOW);
    assertNull(refused, "no promise of four");
    Grant five = answers.refuse(offer(5), NOW);
    assertNotNull(five);
    assertEquals(4, five.left(), "others have put some back meanwhile");
    assertEquals(3_050, five.reset());
    answers.saw(new Sight(NOW, 1, 20, 20, 9_000));
    Grant fewer = answers.refuse(offer(5), NOW);
    assertNotNull(fewer);
    assertEquals(3, fewer.left());
    Decision decision = answers.refuse(refusal(3, 4_000), offer(5), KEY, NOW);
    assertEquals(Outcome.REFUSED, decision.outcome());
    assertEquals(3, decision.remaining());
    assertEquals(Duration.ofMillis(3), decision.retryAfter());
  }

  @Test
  void aLookIsToldWhenItWouldBeMetOnlyIfItWouldNot() {
    lease(2);
    assertEquals(new Grant(0, 0, 0, 5, 0, 8_000), answers.left(offer(5), NOW, 3, 77));
    assertEquals(new Grant(0, 0, 0, 5, 77, 8_000), answers.left(offer(6), NOW, 3, 77));
    assertEquals(new Grant(0, 0, 0, 20, 0, 8_000), answers.left(offer(6), NOW, 19, 77));
    assertEquals(new Grant(0, 0, 0, 9, 0, 8_000), answers.passedOver(offer(6), NOW));
  }

  @Test
  void aLookIsAnsweredByWhatWasHeardLately() {
    Grant seen = new Grant(0, 0, 0, 7, 0, 8_000);
    assertEquals(seen, answers.peek(offer(7), NOW, 101));
    assertNull(answers.peek(offer(7), NOW, 100), "that was too long ago");
    assertNull(answers.peek(offer(8), NOW, 101), "nobody knows when");
    lease(2);
    assertEquals(new Grant(0, 0, 0, 9, 0, 8_000), answers.peek(offer(9), NOW, 100));
    refuses(refusal(8, 4_000));
    assertEquals(3_000, retry(answers.peek(offer(10), NOW, 100)));
  }
}

package io.weir.internal.writeback.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Policy;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The store's answers are remembered as long as they are useful. */
class CachedAnswersTest {
  private static final long FLUSH = 100_000;
  private static final long NOW = 7;
  private static final long LONG = 60_000_000;
  private static final Policy POLICY =
      Policy.builder("p").limit(10).window(Duration.ofMinutes(1)).build();
  private static final BucketId BUCKET = new BucketId(POLICY.spec(), Key.everybody());

  private final FastPath fastPath = new FastPath(BUCKET, new BucketSnapshot(0, 10, 10, 10, 0)) {};
  private final CachedAnswers view = new CachedAnswers(fastPath, 0);

  private static RequestTerms terms(long effectiveLimit, long burst) {
    return new RequestTerms(POLICY, 1, 10, effectiveLimit, burst, 0);
  }

  private void hear(long needed, long atLeast, long granted, long left, long retry, long now) {
    Claim claim = Claim.builder(BUCKET, 10, 10).needed(needed).atLeast(atLeast).build();
    view.learn(
        claim,
        Grant.builder().granted(granted, 1, 50).left(left).retry(retry).reset(900).build(),
        false,
        now,
        now,
        FLUSH);
  }

  private void refuse(long cost, long now) {
    hear(cost, cost, 0, 0, LONG, now);
  }

  private List<Long> costs() {
    return Arrays.stream(fastPath.refusals()).map(CachedRefusal::cost).toList();
  }

  @Test
  void whatALeaseHoldsIsNoPartOfAPromiseThatOutlivesIt() {
    RequestTerms three = new RequestTerms(POLICY, 3, 10, 10, 10, 0);
    refuse(2, NOW); // of three permits, as the lease holds one
    fastPath.setLease(new Lease(1, NOW + LONG / 2, 1));
    assertNull(fastPath.findRefusal(three, NOW + 1), "then it lacks three, whose time is unknown");
    assertTrue(fastPath.isRefused(three, NOW + 1));
    fastPath.setLease(new Lease(1, NOW + 2 * LONG, 1));
    assertNotNull(fastPath.findRefusal(three, NOW + 1));
  }

  @Test
  void aSlowerAnswerBreaksNoPromiseOfAFasterOne() {
    hear(3, 3, 0, 0, FLUSH / 2, NOW);
    long promised = fastPath.refusals()[0].retryAt();
    hear(2, 2, 0, 0, FLUSH / 2, NOW + 300);
    RequestTerms two = new RequestTerms(POLICY, 2, 10, 10, 10, 0);
    assertNotNull(fastPath.findRefusal(two, promised - 1));
    assertNull(fastPath.findRefusal(two, promised), "then the store is asked");
  }

  @Test
  void whatIsGrantedIsMissingFromThePromisesBeforeIt() {
    RequestTerms five = new RequestTerms(POLICY, 5, 10, 10, 10, 0);
    hear(5, 5, 0, 4, FLUSH / 2, NOW); // by then there are five
    assertNotNull(fastPath.findRefusal(five, NOW + 1));
    hear(2, 2, 2, 2, LONG, NOW + 2); // but two of them were taken
    assertNull(fastPath.findRefusal(five, NOW + 3), "it is unknown when there are five again");
  }

  @Test
  void seesWhatTheAnswerSays() {
    hear(1, 1, 1, 9, 0, NOW);
    assertEquals(new BucketSnapshot(NOW, 9, 10, 10, NOW + 900), fastPath.snapshot());
    assertEquals(0, fastPath.refusals().length);
  }

  @Test
  void aRefusalIsRememberedForAFlushAndEachFurtherOneTwiceAsLongUpToSixteen() {
    long now = NOW;
    for (long flushes : new long[] {1, 2, 4, 8, 16, 16}) {
      refuse(1, now);
      assertEquals(flushes * FLUSH, view.backoff());
      assertEquals(1, fastPath.refusals().length);
      assertEquals(now + flushes * FLUSH, fastPath.refusals()[0].until());
      now += flushes * FLUSH;
    }
    hear(1, 1, 1, 5, 0, now);
    assertEquals(0, view.backoff(), "a grant ends it");
  }

  @Test
  void goesOnFromWhatWasRememberedLast() {
    CachedAnswers patient = new CachedAnswers(fastPath, 4 * FLUSH);
    Claim claim = Claim.of(BUCKET, 1, 10, 10);
    patient.learn(
        claim,
        Grant.builder().granted(0, 1, 50).retry(LONG).reset(900).build(),
        false,
        NOW,
        NOW,
        FLUSH);
    assertEquals(8 * FLUSH, patient.backoff());
  }

  @Test
  void aStoreFarAwayIsAskedSoonerThanACallerIsPromised() {
    long sentAt = NOW;
    long now = sentAt + 50_000;
    Claim claim = Claim.of(BUCKET, 1, 10, 10);
    Grant grant = Grant.builder().granted(0, 1, 50).retry(80_000).reset(80_000).build();
    view.learn(claim, grant, false, sentAt, now, FLUSH);
    CachedRefusal refusal = fastPath.refusals()[0];
    assertTrue(refusal.until() <= sentAt + 80_000, "" + refusal);
    assertTrue(refusal.retryAt() >= now + 80_000, "" + refusal);
    Grant sooner = Grant.builder().granted(0, 1, 50).retry(8_000).reset(8_000).build();
    view.learn(claim, sooner, false, sentAt, now, FLUSH);
    assertEquals(now + 1, fastPath.refusals()[0].until(), "requests that it answers are refused");
  }

  @Test
  void aGrantWhosePermitsGoBackIsNoRefusal() {
    Claim claim = Claim.builder(BUCKET, 10, 10).needed(3).atLeast(1).build();
    Grant grant = Grant.builder().granted(3, 1, 50).retry(LONG).reset(900).build();
    view.learn(claim, grant, true, NOW, NOW, FLUSH);
    assertEquals(0, fastPath.refusals().length);
    assertEquals(0, view.backoff());
    view.learn(claim, grant, false, NOW, NOW, FLUSH);
    assertEquals(1, fastPath.refusals().length);
  }

  @Test
  void aGrantThatLeavesTooLittleIsRememberedForAFlush() {
    refuse(1, NOW);
    refuse(1, NOW);
    hear(3, 1, 2, 0, LONG, NOW);
    assertEquals(FLUSH, view.backoff());
    refuse(1, NOW);
    hear(0, 1, 0, 0, LONG, NOW);
    assertEquals(FLUSH, view.backoff(), "who needed nothing wasn't refused");
  }

  @Test
  void anAnswerThatNeitherGrantsNorRefusesLeavesThePatience() {
    refuse(1, NOW);
    hear(0, 0, 0, 4, 0, NOW);
    assertEquals(FLUSH, view.backoff());
    assertEquals(0, fastPath.refusals().length, "but what is refuted is dropped");
  }

  @Test
  void looksAgainBeforeThereArePermitsAndPromisesNoneTooEarly() {
    hear(1, 1, 0, 0, 50_000, NOW);
    CachedRefusal refusal = fastPath.refusals()[0];
    assertEquals(NOW + 50_000 - 50 - 1, refusal.until(), "a thousandth less");
    assertEquals(NOW + 50_000 + 50 + 1, refusal.retryAt(), "a thousandth more");
    hear(1, 1, 0, 0, LONG, NOW);
    CachedRefusal longer = fastPath.refusals()[0];
    assertEquals(NOW + 2 * FLUSH, longer.until());
    assertEquals(NOW + LONG + 200 + 1, longer.retryAt(), "of what is remembered");
    assertEquals(NOW + 900, longer.resetAt());
  }

  @Test
  void aRefusalIsForAtLeastOnePermit() {
    hear(0, 0, 0, 0, LONG, NOW);
    assertEquals(List.of(1L), costs());
  }

  @Test
  void remembersFourAndTheNewestOfEachKind() {
    for (long cost = 1; cost <= 5; cost++) {
      refuse(cost, NOW);
    }
    assertEquals(List.of(5L, 4L, 3L, 2L), costs());
    refuse(3, NOW);
    assertEquals(List.of(3L, 5L, 4L, 2L), costs());
  }

  @Test
  void dropsWhatIsOverOrRefuted() {
    refuse(5, NOW); // for a flush
    refuse(3, NOW); // for two
    hear(9, 9, 0, 3, LONG, NOW + FLUSH - 1);
    assertEquals(List.of(9L, 5L), costs(), "three are left, so the other is refuted");
    refuse(7, NOW + FLUSH);
    assertEquals(List.of(7L, 9L), costs(), "the first has expired");
  }

  @Test
  void knowsWhenAnybodyWouldBeRefused() {
    assertFalse(view.isEmpty(NOW));
    refuse(2, NOW);
    assertFalse(view.isEmpty(NOW));
    refuse(1, NOW);
    assertTrue(view.isEmpty(NOW));
    assertTrue(view.isEmpty(NOW + 2 * FLUSH - 1));
    assertFalse(view.isEmpty(NOW + 2 * FLUSH));
  }

  @Test
  void isOverWhenNothingIsRemembered() {
    assertTrue(view.isOver(NOW, FLUSH));
    refuse(1, NOW);
    assertFalse(view.isOver(NOW + FLUSH - 1, FLUSH));
    assertTrue(view.isOver(NOW + FLUSH, FLUSH));
    view.learnPeek(terms(10, 10), Grant.refused(4, 0, 80), NOW + FLUSH);
    assertFalse(view.isOver(NOW + 17 * FLUSH - 1, FLUSH));
    assertTrue(view.isOver(NOW + 17 * FLUSH, FLUSH));
  }

  @Test
  void aLookIsRememberedForSixteenFlushesAndItsOwnCapacity() {
    assertNull(view.peeked(terms(10, 10), NOW, FLUSH));
    view.learnPeek(terms(20, 30), Grant.refused(4, 0, 80), NOW);
    assertEquals(
        new BucketSnapshot(NOW, 4, 20, 30, NOW + 80), view.peeked(terms(20, 30), NOW + 5, FLUSH));
    assertNull(view.peeked(terms(21, 30), NOW, FLUSH));
    assertNull(view.peeked(terms(20, 31), NOW, FLUSH));
    assertNotNull(view.peeked(terms(20, 30), NOW + 16 * FLUSH - 1, FLUSH));
    assertNull(view.peeked(terms(20, 30), NOW + 16 * FLUSH, FLUSH));
  }
}

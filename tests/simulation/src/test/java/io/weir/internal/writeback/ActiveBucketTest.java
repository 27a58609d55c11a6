package io.weir.internal.writeback;

import static io.weir.internal.writeback.Bench.answer;
import static io.weir.internal.writeback.Bench.fixed;
import static io.weir.internal.writeback.Bench.request;
import static io.weir.internal.writeback.Bench.sliding;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The order of requests at one bucket, the contents of its claims, and the state that it keeps. */
class ActiveBucketTest {
  private final Bench bench = new Bench();
  private final Policy policy = fixed(10_000);

  private CompletableFuture<List<Optional<Grant>>> ask(String key, long permits) {
    return bench.ask(request(policy, key, permits));
  }

  private static @Nullable Decision decideNow(Bench at, Policy policy, String key, long permits) {
    return at.node.decideNow(request(policy, key, permits).terms(), Key.of(key));
  }

  private long claims(String key) {
    return bench.store.claims().stream()
        .filter(each -> each.bucket().equals(request(policy, key, 1).bucket()))
        .count();
  }

  /** So busy that it has a lease. */
  private void busy(String key) {
    for (int i = 0; i < 50; i++) {
      bench.take(request(policy, key, 1));
      bench.passMillis(2);
    }
  }

  /** Two batches are under way, so that a request made now stays in the queue. */
  private void occupy() {
    bench.store.manner = HandStore.Manner.BY_HAND;
    ask("one", 1);
    ask("other", 1);
  }

  @Test
  void decidesAtOnceByTheLease() {
    assertNull(decideNow(bench, policy, "key", 1), "nothing is known");
    busy("key");
    long before = bench.take(request(policy, "key", 1)).left();
    int exchanges = bench.told.exchanges;
    Decision decision = decideNow(bench, policy, "key", 2);
    assertNotNull(decision);
    assertTrue(decision.admitted());
    assertEquals(before - 2, decision.remaining());
    assertEquals(exchanges, bench.told.exchanges);
  }

  @Test
  void decidesAtOnceByWhatTheStoreSaid() {
    Policy few = fixed(5);
    bench.take(request(few, "key", 5));
    assertNull(decideNow(bench, few, "key", 1), "it was granted, so more may be there");
    Grant refused = bench.take(request(few, "key", 1));
    Decision decision = decideNow(bench, few, "key", 1);
    assertNotNull(decision);
    assertFalse(decision.admitted());
    assertEquals(Duration.ofNanos(refused.retry() * 1_000), decision.retryAfter());
  }

  @Test
  void nobodyIsServedBeforeThoseWhoWait() {
    busy("key");
    long held = bench.take(request(policy, "key", 1)).left() - storesLeft("key");
    assertTrue(held > 0);
    occupy();
    CompletableFuture<List<Optional<Grant>>> first = ask("key", held + 1);
    CompletableFuture<List<Optional<Grant>>> second = ask("key", 1);
    assertNull(decideNow(bench, policy, "key", 1));
    assertFalse(first.isDone() || second.isDone());
    bench.store.manner = HandStore.Manner.AT_ONCE;
    bench.store.answer();
    assertEquals(held + 1, answer(first).orElseThrow().permits());
    assertEquals(1, answer(second).orElseThrow().permits());
    assertNotNull(decideNow(bench, policy, "key", 1), "and then it is as before");
  }

  private long storesLeft(String key) {
    Claim peek = Claim.peek(request(policy, key, 1).bucket(), 1, 10_000, 10_000);
    return answer(bench.store.execute(List.of(peek)).toCompletableFuture()).orElseThrow().left();
  }

  @Test
  void theLeaseIsSpentAgainOnceThoseWhoWaitedAreGone() {
    busy("key");
    bench.store.manner = HandStore.Manner.FAILS;
    assertEquals(Optional.empty(), answer(ask("key", 5_000)));
    assertNotNull(decideNow(bench, policy, "key", 1));
    for (int i = 0; i < 5; i++) {
      ask("other", 1); // until the store is known to be away
    }
    assertEquals(Optional.empty(), answer(ask("key", 5_000)));
    assertNotNull(decideNow(bench, policy, "key", 1));
  }

  @Test
  void whoHasWaitedForTheTimeOutIsNotAskedFor() {
    bench.take(request(policy, "first", 1));
    bench.store.manner = HandStore.Manner.LOSES_ANSWERS;
    ask("one", 1);
    ask("other", 1);
    CompletableFuture<List<Optional<Grant>>> waits = ask("key", 1);
    bench.passMillis(49);
    assertFalse(waits.isDone());
    bench.passMillis(1);
    assertEquals(Optional.empty(), answer(waits));
    assertEquals(0, claims("key"));
  }

  @Test
  void whoCameAfterAClaimThatWasLostIsAskedForAtOnce() {
    bench.store.manner = HandStore.Manner.LOSES_ANSWERS;
    CompletableFuture<List<Optional<Grant>>> first = ask("key", 1);
    bench.passMillis(20);
    CompletableFuture<List<Optional<Grant>>> second = ask("key", 2);
    bench.store.manner = HandStore.Manner.AT_ONCE;
    bench.passMillis(29);
    assertFalse(first.isDone() || second.isDone());
    bench.passMillis(1);
    assertEquals(Optional.empty(), answer(first));
    assertEquals(2, answer(second).orElseThrow().permits());
  }

  @Test
  void asMuchAheadAsIsNeededIsStillAClaim() {
    for (int i = 0; i < 9; i++) {
      bench.take(request(policy, "key", 1));
    }
    assertEquals(90, bench.take(request(policy, "key", 90)).permits());
    Claim claim = bench.store.lastClaim();
    assertEquals(List.of(90L, 90L), List.of(claim.needed(), claim.extra()));
  }

  @Test
  void asMuchOwedAsIsNeededIsStillAClaim() {
    bench.node.owe(request(policy, "key", 7));
    assertEquals(7, bench.take(request(policy, "key", 7)).permits());
    assertEquals(7, bench.store.lastClaim().debt());
  }

  @Test
  void whoCannotBeToldWhenIsRefusedForAWindowAfterSixClaims() {
    Policy few = fixed(20);
    BucketRequest plain = request(few, "key", 1);
    BucketRequest less =
        new BucketRequest(new RequestTerms(few, 1, 20, 10, 10, 0), plain.bucket(), false);
    bench.store.execute(List.of(request(few, "key", 20).debt()));
    bench.store.manner = HandStore.Manner.BY_HAND;
    bench.ask(plain);
    CompletableFuture<List<Optional<Grant>>> byFewer = bench.ask(less);
    CompletableFuture<List<Optional<Grant>>> two = bench.ask(request(few, "key", 2));
    bench.store.manner = HandStore.Manner.AT_ONCE;
    int before = bench.store.claims().size();
    bench.store.answer();
    assertEquals(60_000_000, answer(byFewer).orElseThrow().retry());
    assertEquals(60_000_000, answer(two).orElseThrow().retry());
    assertEquals(6, bench.store.claims().size() - before);
  }

  @Test
  void permitsOfASlotThatHasEndedRideOnTheNextClaim() {
    Policy minute = sliding(10_000);
    bench.passMillis(30);
    for (int i = 0; i < 48; i++) {
      bench.take(request(minute, "key", 1));
      bench.passMillis(20);
    }
    long stamp = bench.take(request(minute, "key", 1)).stamp();
    bench.passMillis(15); // 5 ms into the next slot, and 25 ms before the flush
    bench.take(request(minute, "key", 1));
    List<GiveBack> giveBacks = bench.store.lastClaim().giveBacks();
    assertEquals(1, giveBacks.size());
    assertEquals(stamp, giveBacks.get(0).stamp());
  }

  @Test
  void aDebtOfAWindowThatIsOverDoesNotRideOnTheNextClaim() {
    bench.passMillis(30);
    bench.take(request(policy, "key", 1));
    bench.passMillis(59_910);
    bench.take(request(policy, "key", 1));
    bench.node.owe(request(policy, "key", 5));
    bench.passMillis(65);
    bench.take(request(policy, "key", 1));
    assertEquals(0, bench.store.lastClaim().debt());
  }

  @Test
  void patienceOutlivesARest() {
    Policy few = sliding(10);
    bench.take(request(few, "key", 10));
    assertEquals(0, bench.take(request(few, "key", 1)).permits());
    bench.passMillis(2_000);
    assertEquals(0, bench.node.busy());
    assertEquals(0, bench.take(request(few, "key", 1)).permits());
    int before = bench.told.exchanges;
    bench.passMillis(399);
    assertEquals(0, bench.take(request(few, "key", 1)).permits());
    assertEquals(before, bench.told.exchanges, "the second refusal is remembered for four flushes");
    bench.passMillis(1);
    bench.take(request(few, "key", 1));
    assertEquals(before + 1, bench.told.exchanges);
  }

  @Test
  void givesBackWhatIsMoreThanItNeedsAnyLonger() {
    for (int i = 0; i < 200; i++) {
      bench.take(request(policy, "key", 2));
      bench.passMillis(5);
    }
    long giveBacks = bench.store.giveBacks;
    for (int i = 0; i < 40; i++) {
      bench.take(request(policy, "key", 1));
      bench.passMillis(100);
    }
    assertTrue(
        bench.store.giveBacks - giveBacks > 100, "back " + (bench.store.giveBacks - giveBacks));
  }

  @Test
  void whatHasToldAllMakesRoomForOthersThatAreEvicted() {
    Bench small = new Bench(10);
    Policy limit = sliding(100);
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < 15; i++) {
        small.node.owe(request(limit, "debtor" + round + "." + i, 1));
      }
      small.passMillis(1_000);
    }
    assertEquals(75, small.store.claims().stream().mapToLong(Claim::debt).sum());
  }

  @Test
  void aLateAnswerForABucketThatWasEvictedGoesBackAtOnce() {
    Bench small = new Bench(1);
    Policy limit = sliding(100);
    small.store.manner = HandStore.Manner.BY_HAND;
    small.ask(request(limit, "key", 5));
    small.passMillis(60);
    small.store.manner = HandStore.Manner.AT_ONCE;
    for (int i = 0; i < 20; i++) {
      small.take(request(limit, "flood" + i, 1));
    }
    small.passMillis(1_000);
    assertEquals(0, small.store.giveBacks);
    small.store.answer();
    assertEquals(5, small.store.giveBacks);
  }

  @Test
  void whatIsSpentFromALeaseIsEvidenceForTheNextClaim() {
    for (int i = 0; i < 10; i++) {
      bench.take(request(policy, "key", 1));
    }
    assertEquals(90, bench.store.lastClaim().extra());
    int before = bench.told.exchanges;
    bench.take(request(policy, "key", 60));
    assertEquals(before, bench.told.exchanges);
    bench.take(request(policy, "key", 40));
    Claim claim = bench.store.lastClaim();
    assertEquals(10, claim.needed());
    assertEquals(1_000, claim.extra(), "a hundred beside those ten in this flush");
  }

  @Test
  void whoIsRefusedAtOnceHasAskedToo() {
    Policy few = fixed(100);
    bench.take(request(few, "key", 100));
    bench.take(request(few, "key", 1));
    for (int i = 0; i < 8; i++) {
      Decision refused = decideNow(bench, few, "key", 1);
      assertTrue(refused != null && !refused.admitted());
    }
    bench.passMillis(60_000);
    bench.take(request(few, "key", 1));
    bench.take(request(few, "key", 1));
    assertEquals(10, bench.store.lastClaim().extra(), "it has earned a lease");
  }

  @Test
  void whoseGrantsAreAlwaysOverIsToldSoAfterSixClaims() {
    bench.store.spoils =
        answers ->
            answers.stream()
                .map(
                    each ->
                        each.map(
                            it ->
                                Grant.builder()
                                    .granted(it.permits(), it.stamp(), 0)
                                    .left(9)
                                    .build()))
                .toList();
    assertEquals(Optional.empty(), answer(ask("key", 1)));
    assertEquals(6, bench.told.exchanges);
    bench.passMillis(1_000);
    assertEquals(6, bench.store.giveBacks, "none of them is kept");
  }

  @Test
  void aClaimThatFailedIsNotMadeAgainForWhoWaitedForIt() {
    bench.store.manner = HandStore.Manner.FAILS;
    assertEquals(Optional.empty(), answer(ask("key", 1)));
    assertEquals(1, bench.store.batches.size());
  }

  @Test
  void whoIsQueuedWhenTheStoreIsGivenUpIsToldSoAtOnce() {
    busy("key");
    bench.store.manner = HandStore.Manner.FAILS;
    ask("a", 1);
    ask("b", 1);
    bench.store.manner = HandStore.Manner.LOSES_ANSWERS;
    ask("one", 1);
    ask("other", 1);
    bench.passMillis(10);
    CompletableFuture<List<Optional<Grant>>> queued = ask("key", 5_000);
    bench.passMillis(39);
    assertFalse(queued.isDone());
    assertNull(decideNow(bench, policy, "key", 1), "it came first");
    bench.passMillis(1);
    assertEquals(Optional.empty(), answer(queued));
    assertNotNull(decideNow(bench, policy, "key", 1));
  }

  @Test
  void aChargeIsToldThatTheStoreWasGivenUpAndIsOwedAllTheSame() {
    CompletableFuture<?> charge =
        bench.node.charge(request(policy, "debtor", 5)).toCompletableFuture();
    bench.store.manner = HandStore.Manner.FAILS;
    for (String key : List.of("a", "b", "c")) {
      ask(key, 1);
    }
    assertFalse(charge.isDone());
    bench.passMillis(100);
    assertTrue(charge.isCompletedExceptionally());
    bench.store.manner = HandStore.Manner.AT_ONCE;
    bench.passMillis(1_000);
    assertEquals(5, bench.store.claims().stream().mapToLong(Claim::debt).sum());
  }
}

package io.weir.internal.writeback;

import static io.weir.internal.writeback.Bench.fixed;
import static io.weir.internal.writeback.Bench.request;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.LocalBucketView;
import io.weir.internal.writeback.HandStore.Manner;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.testkit.virtual.VirtualClock;
import io.weir.testkit.virtual.VirtualScheduler;
import io.weir.testkit.virtual.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Late isn't away: what a store says after the time-out (50 ms here) is as true as before it. */
class LateAnswerTest {
  private final Bench bench = new Bench();
  private final Policy policy = fixed(100);
  private final BucketRequest one = request(policy, "key", 1);

  /** Another node takes all that is left. */
  private void drain() {
    Bench other = new Bench(bench);
    assertEquals(100, other.take(request(policy, "key", 100)).permits());
  }

  private LocalBucketView view(long share) {
    return bench.node.localView(one, share);
  }

  private long debt(int batch) {
    return bench.store.batches.get(batch).stream().mapToLong(Claim::debt).sum();
  }

  @Test
  void aLateRefusalIsRemembered() {
    drain();
    bench.store.manner = Manner.BY_HAND;
    bench.ask(one);
    bench.passMillis(60);
    bench.store.answer();
    int asked = bench.store.batches.size();
    assertEquals(0, bench.take(one).permits(), "without asking");
    assertEquals(asked, bench.store.batches.size());
  }

  @Test
  void anAnswerThatANewerOneOvertookTellsNothing() {
    bench.store.manner = Manner.BY_HAND;
    bench.ask(request(policy, "key", 100)); // takes all
    bench.passMillis(60);
    bench.ask(one); // is refused
    Runnable granted = bench.store.takeHeld();
    bench.store.answer();
    assertEquals(0, bench.take(one).permits());
    granted.run();
    assertEquals(1, bench.take(one).permits(), "of the late grant");
    assertEquals(99, bench.takes(policy, "key", 100));
    assertEquals(0, bench.take(one).permits(), "and then it is still known to be empty");
  }

  @Test
  void aDebtThatIsAnsweredLateIsToldOnce() {
    bench.take(one);
    bench.store.manner = Manner.BY_HAND;
    bench.node.owe(request(policy, "key", 7));
    bench.passMillis(100); // the flush reports it
    int told = bench.store.batches.size();
    assertEquals(7, debt(told - 1));
    bench.passMillis(80);
    bench.store.answer();
    bench.store.manner = Manner.AT_ONCE;
    bench.passMillis(1_000);
    assertEquals(91, bench.take(one).left(), "one before, seven owed, one now");
  }

  @Test
  void aDebtWhoseAnswerIsLostIsToldAgainAfterTwiceTheTimeOut() {
    bench.take(one);
    bench.store.manner = Manner.LOSES_ANSWERS;
    bench.node.owe(request(policy, "key", 7));
    bench.passMillis(160); // the flush reported it a time-out ago
    bench.store.manner = Manner.AT_ONCE;
    bench.take(one);
    assertEquals(0, bench.store.lastClaim().debt(), "its answer may still come");
    bench.passMillis(50);
    assertEquals(83, bench.take(one).left(), "charged twice: too much rather than too little");
  }

  /** Within the time in which all nodes report what they have, or others take it meanwhile. */
  @Test
  void aDebtWhoseAnswerMayYetComeIsToldAtOnceToOtherData() {
    bench.store.begin(0, "first");
    bench.take(one);
    bench.passMillis(130);
    bench.node.owe(request(policy, "key", 7));
    bench.store.manner = Manner.LOSES_ANSWERS;
    bench.ask(one); // carries it
    bench.passMillis(60);
    int told = bench.store.batches.size();
    bench.store.manner = Manner.AT_ONCE;
    bench.store.wipe(0, "second");
    bench.passMillis(20); // a flush asks which data there is
    assertEquals(8, debt(told), "with what had been granted");
  }

  /** With the breaker open no request waits for it, but it learns later what was admitted. */
  @Test
  void aStoreThatAnswersLateHearsOfDebtsThoughNobodyWaitsForIt() {
    bench.take(one);
    bench.store.manner = Manner.BY_HAND;
    for (int i = 0; i < 3; i++) {
      bench.ask(one);
      bench.passMillis(50);
    }
    assertEquals(Optional.empty(), Bench.answer(bench.ask(one)), "no request waits");
    bench.node.owe(request(policy, "key", 7));
    int before = bench.store.batches.size();
    bench.passMillis(100);
    assertEquals(before, bench.store.batches.size(), "it may be away");
    bench.store.answer();
    bench.passMillis(100);
    assertEquals(before + 1, bench.store.batches.size());
    Claim claim = bench.store.lastClaim();
    assertEquals(7, claim.debt());
    assertEquals(0, claim.needed() + claim.extra());
    assertEquals(Optional.empty(), Bench.answer(bench.ask(request(policy, "other", 1))));
  }

  @Test
  void whatTheStoreGrantedCountsTowardsTheShareOfADegradedNode() {
    bench.take(request(policy, "key", 30));
    assertEquals(30, view(33).granted());
    LocalBucketView full = view(30);
    Grant refusal = full.refusal().orElseThrow();
    assertEquals(0, refusal.permits());
    assertTrue(refusal.retry() > 59_000_000 && refusal.retry() < 60_200_000, "" + refusal);
    bench.passMillis(60_100);
    assertEquals(LocalBucketView.NOTHING, view(30), "in the next window");
  }

  @Test
  void aDebtIsNoGrant() {
    bench.node.owe(request(policy, "key", 7));
    bench.passMillis(100);
    bench.take(request(policy, "key", 3));
    assertEquals(3, view(50).granted());
  }

  @Test
  void anEmptyBucketStaysRefusedUntilItsRetryThoughItIsAskedForSooner() {
    drain();
    assertEquals(0, bench.take(one).permits());
    bench.store.manner = Manner.LOSES_ANSWERS;
    bench.passMillis(3_000); // it would be asked again by now
    assertTrue(view(33).refusal().isPresent());
    bench.passMillis(54_000);
    assertTrue(view(33).refusal().isPresent(), "though the last request is long ago");
    bench.passMillis(4_000);
    assertFalse(view(33).refusal().isPresent());
  }

  /** Three nodes, and the others go on taking what a store that answers slowly has left. */
  @Test
  void ofWhatTheStoreHadLeftAMomentAgoANodeAdmitsItsPart() {
    Bench other = new Bench(bench);
    other.take(request(policy, "key", 80));
    bench.take(request(policy, "key", 2));
    bench.store.manner = Manner.LOSES_ANSWERS;
    bench.node.owe(request(policy, "key", 1));
    assertFalse(view(33).refusal().isPresent(), "two of 18");
    bench.node.owe(request(policy, "key", 1));
    assertTrue(view(33).refusal().isPresent(), "no third");
    bench.passMillis(2_100);
    assertFalse(view(33).refusal().isPresent(), "six of 18, where no request is answered any more");
    bench.node.owe(request(policy, "key", 4));
    assertTrue(view(33).refusal().isPresent());
  }

  @Test
  void whatTheStoreIsBeingToldIsOfThatPartToo() {
    Bench other = new Bench(bench);
    other.take(request(policy, "key", 80));
    bench.take(request(policy, "key", 2));
    bench.store.manner = Manner.BY_HAND;
    bench.node.owe(request(policy, "key", 2));
    assertTrue(view(33).refusal().isPresent(), "two of 18 and no third");
    bench.passMillis(100);
    assertEquals(2, bench.store.lastClaim().debt(), "it is on its way");
    assertTrue(view(33).refusal().isPresent());
  }

  @Test
  void whatWasLeftOfAWindowThatIsOverBoundsNothing() {
    for (Algorithm algorithm : List.of(Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW)) {
      Policy second =
          Policy.builder("second")
              .limit(100)
              .window(Duration.ofSeconds(1))
              .algorithm(algorithm)
              .build();
      Bench node = new Bench();
      new Bench(node).take(request(second, "key", 95));
      node.take(request(second, "key", 1));
      node.store.manner = Manner.LOSES_ANSWERS;
      for (int i = 0; i < 24; i++) { // all the time, so that it is remembered
        node.passMillis(50);
        node.node.localView(request(second, "key", 1), 33);
      }
      node.node.owe(request(second, "key", 1));
      assertFalse(
          node.node.localView(request(second, "key", 1), 33).refusal().isPresent(), "" + algorithm);
    }
  }

  /** The processor was busy: then the answer may have arrived without having been read. */
  @Test
  void aTimerThatIsLateLeavesTheAnswerAsMuchMoreTime() {
    Sleepy sleepy = new Sleepy();
    sleepy.bench.store.manner = Manner.BY_HAND;
    CompletableFuture<List<Optional<Grant>>> waiting = sleepy.bench.ask(one);
    sleepy.asleepForMillis(70); // 20 ms longer than the time-out
    assertFalse(waiting.isDone());
    sleepy.bench.passMillis(19);
    assertFalse(waiting.isDone());
    sleepy.bench.store.answer();
    assertEquals(1, Bench.answer(waiting).orElseThrow().permits());
  }

  @Test
  void butAtMostAsMuchAsTheTimeOut() {
    Sleepy sleepy = new Sleepy();
    sleepy.bench.store.manner = Manner.LOSES_ANSWERS;
    CompletableFuture<List<Optional<Grant>>> waiting = sleepy.bench.ask(one);
    sleepy.asleepForMillis(1_000);
    assertFalse(waiting.isDone());
    sleepy.bench.passMillis(50);
    assertEquals(Optional.empty(), Bench.answer(waiting));
  }

  /** A machine whose timers may be late. */
  private static final class Sleepy {
    private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
    private final VirtualClock clock = new VirtualClock(time, 0, 0, 0);
    private long wakesAt = Long.MIN_VALUE;
    final Bench bench = new Bench(time, clock, new VirtualScheduler(time, clock, this::whenAwake));

    private void whenAwake(Runnable work) {
      if (time.now() < wakesAt) {
        time.at(wakesAt, () -> whenAwake(work));
      } else {
        work.run();
      }
    }

    void asleepForMillis(long millis) {
      wakesAt = time.now() + millis * 1_000;
      bench.passMillis(millis);
    }
  }
}

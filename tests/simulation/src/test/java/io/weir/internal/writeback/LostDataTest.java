package io.weir.internal.writeback;

import static io.weir.internal.writeback.Bench.fixed;
import static io.weir.internal.writeback.Bench.request;
import static io.weir.internal.writeback.Bench.sliding;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.Ticker;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.testkit.virtual.VirtualScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nodes report to a store that lost its data what it had charged; it grants nothing meanwhile. */
@ExtendWith(Hushed.class)
class LostDataTest {
  private final Bench bench = new Bench();
  private final Policy policy = sliding(100);

  @BeforeEach
  void begin() {
    bench.store.begin(0, "first");
  }

  private void wipe() {
    bench.store.wipe(0, "second");
  }

  private List<Claim> claims(String key) {
    return bench.store.claims().stream()
        .filter(
            each ->
                each.bucket().encodedKey().equals(request(policy, key, 1).bucket().encodedKey()))
        .toList();
  }

  private long told(String key) {
    return claims(key).stream().mapToLong(Claim::debt).sum();
  }

  /** Long enough for all nodes to have reported. */
  private void waitForAll() {
    bench.passMillis(400);
  }

  @Test
  void isToldWhatItHadChargedToABucketInUse() {
    bench.take(request(policy, "key", 30));
    wipe();
    waitForAll();
    assertEquals(30, told("key"));
    bench.passMillis(5_000);
    assertEquals(30, told("key"), "once, since it was answered");
    assertEquals(70, bench.takes(policy, "key", 100));
  }

  @Test
  void isToldOfBucketsAtRestWithoutBringingThemIntoUse() {
    bench.takes(policy, "one", 3);
    bench.takes(policy, "other", 4);
    bench.passMillis(5_000);
    assertEquals(0, bench.node.busy());
    wipe();
    waitForAll();
    assertEquals(3, told("one"));
    assertEquals(4, told("other"));
    assertEquals(0, bench.node.busy());
    bench.passMillis(5_000);
    assertEquals(3, told("one"), "once, since it was answered");
    assertEquals(97, bench.takes(policy, "one", 200));
  }

  @Test
  void whatABucketAtRestIsToldByIsWhatWasInForceLast() {
    bench.takes(policy, "key", 3);
    bench.passMillis(5_000);
    wipe();
    waitForAll();
    Claim claim = claims("key").get(claims("key").size() - 1);
    assertEquals(List.of(0L, 0L, 3L), List.of(claim.needed(), claim.extra(), claim.debt()));
    assertEquals(100, claim.effectiveLimit());
    assertEquals(100, claim.burst());
  }

  @Test
  void whatNoLongerCountsIsNotTold() {
    Policy minute = fixed(100);
    bench.takes(minute, "key", 5);
    bench.takes(policy, "key", 7);
    bench.passMillis(61_000);
    wipe();
    waitForAll();
    assertEquals(7, bench.store.claims().stream().mapToLong(Claim::debt).sum());
    bench.passMillis(40_000);
    bench.store.wipe(0, "third");
    waitForAll();
    assertEquals(7, bench.store.claims().stream().mapToLong(Claim::debt).sum());
  }

  @Test
  void grantsNothingUntilAllNodesHaveHadTheTimeToTell() {
    bench.take(request(policy, "key", 30));
    wipe();
    bench.passMillis(100);
    assertEquals(Optional.empty(), Bench.answer(bench.ask(request(policy, "key", 1))));
    bench.passMillis(249);
    assertEquals(Optional.empty(), Bench.answer(bench.ask(request(policy, "key", 1))));
    bench.passMillis(2);
    assertEquals(1, bench.take(request(policy, "key", 1)).permits());
  }

  @Test
  void whoSettlesHearsOfItBeforeTheNextFlush() {
    bench.take(request(policy, "key", 30));
    wipe();
    assertEquals(Optional.empty(), Bench.answer(bench.ask(request(policy, "key", 1))));
    assertEquals(30, told("key"), "at once");
    assertEquals(List.of(), bench.told.failures);
  }

  @Test
  void leasesAreSpentMeanwhile() {
    Policy wide = sliding(10_000);
    for (int i = 0; i < 100; i++) {
      bench.take(request(wide, "busy", 1));
      bench.passMillis(2);
    }
    wipe();
    bench.passMillis(100);
    assertEquals(1, bench.take(request(wide, "busy", 1)).permits());
  }

  @Test
  void isToldAgainOnceItHasLostThatToo() {
    bench.take(request(policy, "used", 30));
    bench.takes(policy, "rests", 5);
    bench.passMillis(5_000);
    bench.take(request(policy, "used", 10));
    wipe();
    bench.passMillis(150);
    bench.store.wipe(0, "third");
    waitForAll();
    assertEquals(80, told("used"));
    assertEquals(10, told("rests"));
    assertEquals(60, bench.takes(policy, "used", 100));
    assertEquals(95, bench.takes(policy, "rests", 100));
  }

  @Test
  void isToldUntilItAnswers() {
    bench.take(request(policy, "used", 30));
    bench.takes(policy, "rests", 5);
    bench.passMillis(5_000);
    bench.take(request(policy, "used", 10));
    wipe();
    bench.store.manner = HandStore.Manner.FAILS;
    bench.passMillis(100);
    long used = told("used");
    long rests = told("rests");
    assertTrue(used >= 40 && rests >= 5);
    bench.store.manner = HandStore.Manner.AT_ONCE;
    bench.passMillis(1_000);
    assertEquals(40, told("used") - used);
    assertEquals(5, told("rests") - rests);
    bench.passMillis(2_000);
    assertEquals(5, told("rests") - rests);
    assertEquals(95, bench.takes(policy, "rests", 100));
  }

  @Test
  void aBucketThatComesIntoUseTellsItItself() {
    bench.takes(policy, "key", 5);
    bench.passMillis(5_000);
    wipe();
    bench.store.manner = HandStore.Manner.BY_HAND;
    bench.passMillis(100);
    assertEquals(5, told("key"), "by a reminder that isn't answered");
    bench.node.owe(request(policy, "key", 2));
    bench.store.manner = HandStore.Manner.AT_ONCE;
    bench.passMillis(150);
    assertEquals(5 + 5 + 2, told("key"), "too many, and never too few");
  }

  @Test
  void aBucketThatIsToBeToldAndComesIntoUseTellsItInPlaceOfTheReminder() {
    bench.takes(policy, "key", 5);
    bench.passMillis(5_000);
    wipe();
    bench.store.manner = HandStore.Manner.FAILS;
    bench.passMillis(100);
    long before = told("key");
    bench.node.owe(request(policy, "key", 2));
    bench.store.manner = HandStore.Manner.AT_ONCE;
    bench.passMillis(1_000);
    assertEquals(7, told("key") - before);
    assertEquals(93, bench.takes(policy, "key", 100));
  }

  @Test
  void onlyThePartitionThatLostItIsTold() {
    bench.store.partitions = bucket -> bucket.encodedKey().contains("east") ? 1 : 0;
    bench.store.begin(1, "east");
    bench.takes(policy, "east used", 3);
    bench.takes(policy, "west used", 4);
    bench.takes(policy, "east rests", 5);
    bench.takes(policy, "west rests", 6);
    bench.passMillis(5_000);
    bench.takes(policy, "east used", 1);
    bench.takes(policy, "west used", 1);
    bench.store.wipe(1, "east again");
    waitForAll();
    assertEquals(4, told("east used"));
    assertEquals(5, told("east rests"));
    assertEquals(0, told("west used"));
    assertEquals(0, told("west rests"));
  }

  @Test
  void whoWaitsForACallThatFindsOtherDataIsAnsweredWithNothing() {
    bench.take(request(policy, "key", 1));
    wipe();
    CompletableFuture<?> charge =
        bench.node.charge(request(policy, "key", 2)).toCompletableFuture();
    assertFalse(charge.isDone());
    assertEquals(Optional.empty(), Bench.answer(bench.ask(request(policy, "key", 1))));
    assertTrue(charge.isCompletedExceptionally());
    waitForAll();
    assertEquals(3, told("key"), "what was granted and what is owed");
  }

  @Test
  void anAnswerOfDataThatIsGoneIsNotUsed() {
    bench.take(request(policy, "other", 1));
    bench.store.manner = HandStore.Manner.BY_HAND;
    CompletableFuture<List<Optional<Grant>>> waiting = bench.ask(request(policy, "key", 5));
    wipe();
    bench.store.manner = HandStore.Manner.AT_ONCE;
    bench.ask(request(policy, "second", 1)); // which hears of it first
    bench.passMillis(6);
    bench.store.answer();
    assertEquals(Optional.empty(), Bench.answer(waiting));
    waitForAll();
    assertEquals(100, bench.takes(policy, "key", 200));
  }

  @Test
  void nothingIsBorrowedForAWindowAfterwards() {
    Policy ahead = Bench.policy(100).window(Duration.ofSeconds(10)).overshoot(10).build();
    bench.take(request(ahead, "first", 1));
    bench.passMillis(10_500);
    wipe();
    bench.passMillis(2_000);
    bench.store.manner = HandStore.Manner.BY_HAND;
    assertFalse(bench.ask(request(ahead, "cold", 1)).isDone());
  }

  @Test
  void aPartitionWithoutBucketsIsNeverAskedAgain() {
    bench.store.begin(0, "data");
    bench.take(request(policy, "key", 1));
    bench.store.gone.add(0);
    bench.passMillis(200);
    int asked = bench.store.known.size();
    bench.passMillis(2_000);
    assertEquals(asked, bench.store.known.size());
  }

  @Test
  void aPartitionWithoutBucketsIsNotProbedEither() {
    bench.store.tells = false;
    for (int i = 0; i < 3; i++) {
      bench.ask(request(policy, "key" + i, 1));
    }
    bench.store.gone.add(0);
    bench.passMillis(500);
    int asked = bench.store.known.size();
    bench.passMillis(2_000);
    assertEquals(asked, bench.store.known.size());
  }

  @Test
  void anIdleNodeHearsThatTheStoreAnswers() {
    bench.store.begin(0, "data");
    bench.take(request(policy, "key", 1));
    bench.passMillis(3_000);
    int answers = bench.told.answers;
    bench.passMillis(1_000);
    assertTrue(bench.told.answers >= answers + 10, "by each flush and heartbeat");
  }

  @Test
  void aStoreThatCannotTellIsAskedOnce() {
    bench.store.epochs.clear();
    bench.take(request(policy, "key", 1));
    bench.passMillis(2_000);
    assertEquals(1, bench.store.known.size());
  }

  @Test
  void aStoreThatCanIsAskedWithEachFlush() {
    bench.take(request(policy, "key", 1));
    bench.passMillis(1_000);
    assertEquals(11, bench.store.known.size());
    assertEquals("first", bench.store.known.get(10).id());
  }

  @Test
  void whoIsQueuedWhenItIsFoundOutIsToldSoAtOnce() {
    bench.take(request(policy, "first", 1));
    bench.passMillis(90);
    bench.store.manner = HandStore.Manner.BY_HAND;
    bench.ask(request(policy, "one", 1));
    bench.ask(request(policy, "other", 1));
    CompletableFuture<List<Optional<Grant>>> queued = bench.ask(request(policy, "key", 1));
    wipe();
    bench.passMillis(11);
    assertFalse(queued.isDone());
    bench.store.manner = HandStore.Manner.AT_ONCE;
    bench.store.answer();
    assertEquals(Optional.empty(), Bench.answer(queued));
    waitForAll();
    assertEquals(0, claims("key").size(), "and no request asked for it");
  }

  @Test
  void aClaimThatIsFilledWhileTheLossIsHeardOfIsSentAgain() {
    Interrupting clock = new Interrupting(bench.clock);
    WriteBackSettings settings =
        new WriteBackSettings(Bench.FLUSH, Bench.TIMEOUT, 1_000, 3, "second node", true);
    VirtualScheduler scheduler = new VirtualScheduler(bench.time);
    WriteBackCache node =
        new WriteBackCache(bench.store, settings, clock, scheduler, new Bench.Told());
    node.take(List.of(request(policy, "rests", 5)));
    bench.passMillis(5_000);
    bench.store.wipe(0, "second");
    waitForAll(); // each claim checks from now on whether nodes still report
    node.take(List.of(request(policy, "used", 30)));
    bench.passMillis(200);
    long rests = told("rests");
    long used = told("used");
    bench.store.wipe(0, "third");
    bench.store.tellsByHand = true;
    bench.passMillis(100);
    clock.whenFilling(bench.store::answer);
    node.owe(request(policy, "used", 1)); // in use from now on
    bench.passMillis(100);
    assertTrue(clock.hasInterrupted());
    bench.store.tellsByHand = false;
    waitForAll();
    assertEquals(List.of(31L, 5L), List.of(told("used") - used, told("rests") - rests));
  }

  /** A clock that does something once when it is read to fill a batch. */
  private static final class Interrupting implements Ticker {
    private final Ticker ticker;
    private @Nullable Runnable action;
    private boolean interrupted;

    Interrupting(Ticker ticker) {
      this.ticker = ticker;
    }

    void whenFilling(Runnable action) {
      this.action = action;
    }

    boolean hasInterrupted() {
      return interrupted;
    }

    @Override
    public long nanoTime() {
      Runnable next = action;
      if (next != null && isFilling()) {
        action = null;
        interrupted = true;
        next.run();
      }
      return ticker.nanoTime();
    }

    private static boolean isFilling() {
      return StackWalker.getInstance()
          .walk(all -> all.anyMatch(each -> each.getClassName().endsWith(".BatchComposer")));
    }

    @Override
    public long epochMicros() {
      return ticker.epochMicros();
    }
  }
}

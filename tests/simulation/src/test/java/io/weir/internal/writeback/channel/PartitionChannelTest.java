package io.weir.internal.writeback.channel;

import static io.weir.internal.writeback.Bench.answer;
import static io.weir.internal.writeback.Bench.request;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.internal.clock.ExtendableTimeout;
import io.weir.internal.clock.NodeClock;
import io.weir.internal.clock.SafeScheduler;
import io.weir.internal.writeback.Bench;
import io.weir.internal.writeback.HandStore;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.testkit.virtual.VirtualClock;
import io.weir.testkit.virtual.VirtualScheduler;
import io.weir.testkit.virtual.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a batch leaves, and what becomes of those that can't be sent. */
class PartitionChannelTest {
  private final Bench bench = new Bench();
  private final Policy policy = Bench.fixed(1_000);

  private void ask(String... keys) {
    for (String key : keys) {
      bench.ask(request(policy, key, 1));
    }
  }

  private int batches() {
    return bench.store.batches.size();
  }

  private void passMicros(long micros) {
    bench.pass(Duration.ofNanos(micros * 1_000));
  }

  /** One batch is under way, with three claims. */
  private void three() {
    bench.store.manner = HandStore.Manner.BY_HAND;
    ask("one", "other", "a", "b", "c");
    assertEquals(2, batches());
    bench.store.takeHeld().run();
    bench.store.takeHeld().run();
    assertEquals(3, batches());
    assertEquals(3, bench.store.batches.get(2).size());
  }

  @Test
  void aSettleLeavesBesideAnotherIfItCarriesAsMuch() {
    three();
    ask("d", "e");
    assertEquals(3, batches());
    ask("f");
    assertEquals(4, batches());
    assertEquals(3, bench.store.batches.get(3).size());
  }

  @Test
  void aSmallerOneIsNotKeptBackForLongerThanARoundTripTakes() {
    three();
    ask("d");
    passMicros(4_999);
    assertEquals(3, batches());
    passMicros(1);
    assertEquals(4, batches());
    bench.store.answer();
    passMicros(10_000);
    three2();
  }

  private void three2() {
    ask("g");
    assertEquals(5, batches(), "nothing else is under way");
    passMicros(5_000);
    ask("h");
    assertEquals(6, batches(), "the other has had the time");
    ask("i");
    assertEquals(6, batches(), "no more than two");
    passMicros(10_000);
    assertEquals(6, batches());
  }

  @Test
  void aStoreThatDoesNotTellWhichDataItHasIsAskedAgainFourTimesASecond() {
    bench.store.tells = false;
    List<CompletableFuture<?>> waiting = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      waiting.add(bench.ask(request(policy, "key" + i, 1)));
    }
    assertTrue(waiting.stream().allMatch(CompletableFuture::isDone), "it is known to be away");
    assertEquals(Optional.empty(), answer(bench.ask(request(policy, "key", 1))), "at once");
    int asked = bench.store.known.size();
    bench.passMillis(249);
    assertEquals(asked, bench.store.known.size());
    bench.passMillis(1);
    assertEquals(asked + 1, bench.store.known.size());
    bench.passMillis(250);
    assertEquals(asked + 2, bench.store.known.size());
    bench.store.tells = true;
    bench.passMillis(250);
    assertEquals(1, bench.take(request(policy, "key", 1)).permits());
    assertEquals(0, batches() - 1, "and nothing was sent before");
  }

  @Test
  void whoChargesWhileTheStoreIsAwayIsToldSoAtOnce() {
    bench.store.manner = HandStore.Manner.FAILS;
    ask("a", "b", "c");
    CompletableFuture<?> charge =
        bench.node.charge(request(policy, "key", 1)).toCompletableFuture();
    assertTrue(charge.isCompletedExceptionally());
  }

  @Test
  void whatIsNotAnsweredInAnAnswerIsAnsweredWithNothing() {
    bench.store.spoils = answers -> List.of(Optional.empty());
    assertEquals(Optional.empty(), answer(bench.ask(request(policy, "key", 1))));
    assertEquals(List.of(), bench.told.failures, "the others may be right");
    bench.store.manner = HandStore.Manner.BY_HAND;
    CompletableFuture<List<Optional<Grant>>> late = bench.ask(request(policy, "key", 1));
    bench.passMillis(50);
    assertEquals(Optional.empty(), answer(late));
    CompletableFuture<List<Optional<Grant>>> next = bench.ask(request(policy, "key", 1));
    bench.store.takeHeld().run();
    assertFalse(next.isDone(), "it was about the one before");
  }

  @Test
  void anAnswerOfTheWrongLengthIsNone() {
    bench.store.spoils = answers -> List.of();
    assertEquals(Optional.empty(), answer(bench.ask(request(policy, "key", 1))));
    assertEquals("no answer", bench.told.failures.get(0).getMessage());
  }

  @Test
  void tellsHowLongASettleTook() {
    bench.store.manner = HandStore.Manner.BY_HAND;
    bench.passMillis(1_000);
    ask("key");
    bench.passMillis(7);
    bench.store.answer();
    assertEquals(7_000_000, bench.told.lastTook);
  }

  /** A channel by itself. */
  private static final class Alone {
    final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
    final VirtualClock clock = new VirtualClock(time, 0, 0, 0);
    final HandStore store = new HandStore(clock);
    final Bench.Told told = new Bench.Told();
    final NodeClock nodeClock = new NodeClock(clock);
    final List<Integer> losses = new ArrayList<>();
    final SafeStoreListener listener = new SafeStoreListener(told);
    final PartitionChannel channel =
        new PartitionChannel(
            0,
            store,
            nodeClock,
            new ExtendableTimeout(nodeClock::micros, 50_000),
            100_000,
            new SafeScheduler(new VirtualScheduler(time), listener::failed),
            listener,
            (partition, queue) -> losses.add(partition));
  }

  /** Asks for one permit, or can't. */
  private static final class Hand implements ClaimSource {
    final @Nullable RuntimeException mistake;
    int departures;
    int stays;

    Hand(@Nullable RuntimeException mistake) {
      this.mistake = mistake;
    }

    @Override
    public SentClaim nextClaim(long now, AfterUnlock after) {
      departures++;
      if (mistake != null) {
        throw mistake;
      }
      Claim peek = request(Bench.fixed(5), "hand", 1).claim();
      return new ProbeClaim(peek);
    }

    @Override
    public void storeUnavailable(AfterUnlock after) {
      stays++;
      if (mistake != null) {
        throw mistake;
      }
    }
  }

  @Test
  void theMistakeOfOneIsReportedAndKeepsNobodyElse() {
    Alone alone = new Alone();
    IllegalStateException mistake = new IllegalStateException("mistake");
    Hand bad = new Hand(mistake);
    Hand good = new Hand(null);
    alone.channel.enqueue(bad);
    alone.channel.enqueue(good);
    alone.channel.pump();
    assertEquals(1, bad.departures);
    assertEquals(1, bad.stays, "it isn't left waiting");
    assertEquals(1, good.departures);
    assertEquals(2, alone.told.failures.size());
    assertTrue(alone.told.failures.stream().allMatch(each -> each == mistake));
    assertEquals(1, alone.store.batches.size());
  }

  /** A claim whose grant can't be taken in. */
  private record Clumsy(RuntimeException mistake) implements ClaimSource, SentClaim {
    @Override
    public SentClaim nextClaim(long now, AfterUnlock after) {
      return this;
    }

    @Override
    public void storeUnavailable(AfterUnlock after) {}

    @Override
    public Claim claim() {
      return request(Bench.fixed(5), "clumsy", 1).claim();
    }

    @Override
    public @Nullable ClaimSource answered(
        Grant grant, SentBatch batch, boolean late, AfterUnlock after) {
      throw mistake;
    }

    @Override
    public @Nullable ClaimSource namedOtherWindow(
        SentBatch batch, boolean late, AfterUnlock after) {
      throw mistake;
    }

    @Override
    public @Nullable ClaimSource unanswered(SentBatch batch, AfterUnlock after) {
      throw mistake;
    }
  }

  @Test
  void whoCannotTakeItsGrantKeepsNobodyElseFromIt() {
    Alone alone = new Alone();
    IllegalStateException mistake = new IllegalStateException("mistake");
    Hand hand = new Hand(null);
    alone.channel.enqueue(new Clumsy(mistake));
    alone.channel.enqueue(hand);
    alone.channel.pump();
    assertEquals(1, hand.departures);
    assertEquals(List.of(mistake), alone.told.failures);
    assertTrue(alone.channel.end().isDone());
  }

  @Test
  void endsWhenAllThatIsQueuedIsSentAndAnswered() {
    Alone alone = new Alone();
    Hand hand = new Hand(null);
    alone.store.manner = HandStore.Manner.BY_HAND;
    alone.channel.enqueue(hand);
    CompletableFuture<Void> end = alone.channel.end();
    assertEquals(1, hand.departures);
    assertFalse(end.isDone());
    alone.store.answer();
    assertTrue(end.isDone());
    alone.time.run(Duration.ofSeconds(1));
    assertEquals(1, alone.time.happened(), "the alarm found nothing and isn't set again");
    assertEquals(List.of(), alone.told.failures);
  }

  @Test
  void whoIsQueuedWhileTheStoreIsAwayIsToldSo() {
    Alone alone = new Alone();
    alone.store.manner = HandStore.Manner.FAILS;
    for (int i = 0; i < 3; i++) {
      alone.channel.enqueue(new Hand(null));
      alone.channel.pump();
    }
    assertFalse(alone.channel.open());
    Hand late = new Hand(null);
    alone.channel.enqueue(late);
    alone.channel.pump();
    assertEquals(0, late.departures);
    assertEquals(1, late.stays);
    assertEquals(3, alone.told.failures.size());
  }

  @Test
  void takesTurnsAndCountsThoseThatWaitForTheirs() {
    ClaimQueue turns = new ClaimQueue();
    assertTrue(turns.isEmpty());
    assertNull(turns.poll());
    assertEquals(0, turns.size());
    Hand one = new Hand(null);
    Hand other = new Hand(null);
    turns.add(one);
    turns.add(other);
    assertEquals(2, turns.size());
    assertFalse(turns.isEmpty());
    assertSame(one, turns.poll());
    assertEquals(1, turns.size());
    assertSame(other, turns.poll());
    assertTrue(turns.isEmpty());
  }
}

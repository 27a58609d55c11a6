package io.weir.internal.writeback.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.clock.ExtendableTimeout;
import io.weir.internal.clock.NodeClock;
import io.weir.internal.clock.SafeScheduler;
import io.weir.internal.writeback.Bench;
import io.weir.internal.writeback.HandStore;
import io.weir.internal.writeback.Hushed;
import io.weir.simulation.ForwardingStore;
import io.weir.store.Epoch;
import io.weir.testkit.virtual.VirtualClock;
import io.weir.testkit.virtual.VirtualScheduler;
import io.weir.testkit.virtual.VirtualTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The epoch of a partition, and the quarantine after a loss. Times in microseconds. */
@ExtendWith(Hushed.class)
class EpochTrackerTest {
  private static final long FLUSH = 100_000;
  private static final long TIMEOUT = 50_000;

  /** Two flushes and a time-out, and a thousandth more, for clocks differ. */
  private static final long WAIT = 250_251;

  private static final Epoch FIRST = new Epoch("first", 3, 0, false);
  private static final Epoch SECOND = new Epoch("second", 0, 0, true);

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final VirtualClock clock = new VirtualClock(time, 0, 0, 0);
  private final Told told = new Told();
  private final Bench.Told events = new Bench.Told();
  private final NodeClock nodeClock = new NodeClock(clock);
  private final SafeStoreListener listener = new SafeStoreListener(events);
  private final Asked store = new Asked(clock);
  private final EpochTracker epochs =
      new EpochTracker(
          7,
          store,
          nodeClock,
          new ExtendableTimeout(nodeClock::micros, TIMEOUT),
          FLUSH,
          new SafeScheduler(new VirtualScheduler(time), listener::failed),
          listener,
          told);

  /** Answers when the test wants. */
  private static final class Asked extends ForwardingStore {
    final List<Epoch> known = new ArrayList<>();
    final List<CompletableFuture<@Nullable Epoch>> answers = new ArrayList<>();
    boolean broken;

    Asked(VirtualClock clock) {
      super(new HandStore(clock));
    }

    @Override
    @SuppressWarnings("NullAway") // a store that answers nothing is a mistake to live with
    public CompletionStage<Epoch> epoch(int partition, Epoch last) {
      assertEquals(7, partition);
      known.add(last);
      if (broken) {
        throw new IllegalStateException("broken");
      }
      answers.add(new CompletableFuture<>());
      return answers.get(answers.size() - 1);
    }
  }

  private final class Told implements EpochTracker.Listener {
    @Override
    public long silentMicros() {
      return ExtendableTimeout.UNKNOWN;
    }

    final List<Throwable> silences = new ArrayList<>();
    Optional<Error> mistake = Optional.empty();
    int answers;
    int lateAnswers;
    int losses;

    @Override
    public void epochAnswered() {
      answers++;
    }

    @Override
    public void epochAnsweredLate() {
      lateAnswers++;
    }

    @Override
    public void epochUnanswered(Throwable why) {
      silences.add(why);
    }

    @Override
    public void dataLost() {
      assertTrue(
          epochs.isRecovering(), "nothing is sent before all is known that is to be reported");
      assertTrue(epochs.inQuarantine());
      losses++;
      mistake.ifPresent(
          error -> {
            throw error;
          });
    }
  }

  private void answer(@Nullable Epoch epoch) {
    store.answers.get(store.answers.size() - 1).complete(epoch);
  }

  private void hear(Epoch epoch) {
    epochs.ask();
    answer(epoch);
  }

  private void pass(long micros) {
    time.runUntil(time.now() + micros);
  }

  private void assertWaits(long micros) {
    pass(micros - 1);
    assertTrue(epochs.inQuarantine());
    pass(1);
    assertFalse(epochs.inQuarantine());
  }

  @Test
  void knowsNothingBeforeItIsTold() {
    assertFalse(epochs.isKnown());
    assertEquals(Epoch.NONE, epochs.epoch());
    assertFalse(epochs.isCurrent(Epoch.NONE));
    assertFalse(epochs.inQuarantine());
    epochs.ask();
    assertEquals(List.of(Epoch.NONE), store.known);
    answer(FIRST);
    assertTrue(epochs.isKnown());
    assertEquals(FIRST, epochs.epoch());
    assertTrue(epochs.isCurrent(FIRST));
    assertFalse(epochs.isCurrent(SECOND));
    assertEquals(1, told.answers);
  }

  @Test
  void asksOneAtATimeAndSaysWhatItKnows() {
    epochs.ask();
    epochs.ask();
    assertEquals(1, store.known.size());
    answer(FIRST);
    epochs.ask();
    assertEquals(List.of(Epoch.NONE, FIRST), store.known);
  }

  @Test
  void aStoreThatCannotTellIsNotWatched() {
    hear(Epoch.NONE);
    assertTrue(epochs.isKnown());
    epochs.check();
    assertEquals(1, store.known.size());
    hear(FIRST);
    epochs.check();
    assertEquals(3, store.known.size());
  }

  @Test
  void aStoreThatIsNewToEverybodyCostsNothing() {
    hear(FIRST);
    assertFalse(epochs.inQuarantine());
    assertFalse(epochs.isRecovering());
    assertEquals(0, told.losses);
  }

  @Test
  void whoJoinsWhileOthersTellWaitsWithThem() {
    hear(SECOND);
    assertEquals(0, told.losses, "and has nothing to report");
    assertFalse(epochs.isRecovering());
    assertWaits(WAIT);
  }

  @Test
  void waitsNoLongerThanTwoFlushesAndATimeOutAfterTheDataWasMade() {
    hear(new Epoch("second", 0, 250_000, true));
    assertWaits(251);
    hear(new Epoch("third", 0, WAIT - 1, true));
    assertWaits(1);
    hear(new Epoch("fourth", 0, WAIT, true));
    assertFalse(epochs.inQuarantine());
  }

  @Test
  void aLossIsToldAndWaitedFor() {
    hear(FIRST);
    hear(SECOND);
    assertEquals(1, told.losses);
    assertEquals(SECOND, epochs.epoch());
    assertFalse(epochs.isRecovering());
    assertWaits(WAIT);
    assertEquals(1, Hushed.lines().size());
    assertTrue(Hushed.lines().get(0).contains("For 250 ms no permits are taken"));
  }

  @Test
  void oneLossAfterTheOtherIsWarnedOfOnceAMinuteWithHowManyThereWere() {
    hear(FIRST);
    for (int loss = 0; loss < 59; loss++) {
      hear(new Epoch("data " + loss, 0, 0, true));
      pass(1_000_000);
    }
    assertEquals(59, told.losses);
    assertEquals(1, Hushed.lines().size());
    pass(1_000_000);
    hear(SECOND);
    assertEquals(2, Hushed.lines().size());
    assertTrue(Hushed.lines().get(1).contains("59 times since the last warning"));
    pass(60_000_000);
    hear(FIRST);
    hear(new Epoch("last", 0, 0, true));
    assertEquals(3, Hushed.lines().size());
    assertFalse(Hushed.lines().get(2).contains("times"), "this one alone");
  }

  @Test
  void aLossIsToldAndWaitedForThoughTheLogFails() {
    hear(FIRST);
    Hushed.breakLog();
    hear(SECOND);
    assertEquals(1, told.losses);
    assertEquals(2, told.answers, "waiting threads go on");
    assertFalse(epochs.isRecovering(), "or nothing would ever be sent again");
    assertWaits(WAIT);
  }

  @Test
  void aLossIsWaitedForThoughTellingItFails() {
    told.mistake = Optional.of(new StackOverflowError("told again"));
    hear(FIRST);
    hear(SECOND);
    assertEquals(2, told.answers, "waiting threads go on");
    assertFalse(epochs.isRecovering(), "or nothing would ever be sent again");
    assertEquals(told.mistake.stream().toList(), events.failures);
    assertWaits(WAIT);
  }

  @Test
  void theSameLossIsWaitedForOnce() {
    hear(FIRST);
    hear(SECOND);
    pass(100_000);
    hear(SECOND);
    assertEquals(1, told.losses);
    assertWaits(WAIT - 100_000);
    hear(SECOND);
    assertFalse(epochs.inQuarantine());
  }

  @Test
  void dataThatTurnsOutToHaveLostSomethingIsWaitedFor() {
    hear(FIRST);
    hear(new Epoch("first", 3, 0, true));
    assertEquals(0, told.losses, "it is the same data");
    assertWaits(WAIT);
  }

  @Test
  void otherDataThatReplacedNoneIsNotWaitedFor() {
    hear(FIRST);
    hear(SECOND);
    assertTrue(epochs.inQuarantine());
    hear(new Epoch("third", 0, 0, false));
    assertFalse(epochs.inQuarantine());
    assertEquals(1, told.losses);
  }

  @Test
  void whatIsNotAnsweredInTimeIsSilenceAndMayBeAskedAnew() {
    epochs.ask();
    pass(TIMEOUT - 1);
    assertEquals(List.of(), told.silences);
    pass(1);
    assertInstanceOf(TimeoutException.class, told.silences.get(0));
    CompletableFuture<@Nullable Epoch> late = store.answers.get(0);
    epochs.ask();
    assertEquals(2, store.known.size());
    late.complete(FIRST);
    assertFalse(epochs.isKnown(), "an answer that was overtaken is none");
    answer(SECOND);
    assertEquals(SECOND, epochs.epoch());
    assertEquals(1, told.answers);
  }

  @Test
  void whatIsToldLateIsLearntIfNobodyHasAskedSince() {
    epochs.ask();
    pass(2 * TIMEOUT);
    assertEquals(1, told.silences.size());
    answer(FIRST);
    assertEquals(FIRST, epochs.epoch());
    assertEquals(1, told.lateAnswers);
    assertEquals(0, told.answers, "no thread waits for it any more");
    epochs.ask();
    CompletableFuture<@Nullable Epoch> late = store.answers.get(1);
    pass(TIMEOUT);
    hear(SECOND);
    late.complete(FIRST);
    assertEquals(SECOND, epochs.epoch(), "what is older than the last answer is nothing");
    assertEquals(1, told.lateAnswers);
  }

  @Test
  void anAnswerEndsTheWaiting() {
    hear(FIRST);
    pass(2 * TIMEOUT);
    assertEquals(List.of(), told.silences);
    assertEquals(0, time.happened(), "the alarm is called off");
  }

  @Test
  void aFailureIsSilence() {
    IllegalStateException failure = new IllegalStateException("failed");
    epochs.ask();
    store.answers.get(0).completeExceptionally(failure);
    epochs.ask();
    answer(null);
    store.broken = true;
    epochs.ask();
    pass(2 * TIMEOUT);
    assertEquals(0, time.happened(), "no alarm is left");
    assertSame(failure, told.silences.get(0));
    assertEquals("no epoch", told.silences.get(1).getMessage());
    assertEquals("broken", told.silences.get(2).getMessage());
    assertEquals(3, told.silences.size());
    store.broken = false;
    hear(FIRST);
    assertEquals(1, told.answers);
  }
}

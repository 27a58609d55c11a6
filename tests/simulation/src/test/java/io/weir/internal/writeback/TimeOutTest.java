package io.weir.internal.writeback;

import static io.weir.internal.writeback.Bench.fixed;
import static io.weir.internal.writeback.Bench.request;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.internal.permits.BucketRequest;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TimeOutTest {
  private final Bench bench = new Bench();
  private final Policy policy = fixed(100);
  private final BucketRequest one = request(policy, "key", 1);

  @Test
  void whoWaitsIsAnsweredWithNothingAtTheTimeOut() {
    bench.store.manner = HandStore.Manner.LOSES_ANSWERS;
    CompletableFuture<List<Optional<Grant>>> waiting = bench.ask(one);
    bench.passMillis(49);
    assertFalse(waiting.isDone());
    bench.passMillis(1);
    assertEquals(Optional.empty(), Bench.answer(waiting));
    assertEquals(1, bench.told.failures.size());
  }

  @Test
  void aNodeThatIsLateItselfWaitsForTheAnswer() {
    bench.store.manner = HandStore.Manner.BY_HAND;
    bench.store.silent = 0; // it has answered, but no thread has read it yet
    CompletableFuture<List<Optional<Grant>>> waiting = bench.ask(one);
    bench.passMillis(450);
    assertFalse(waiting.isDone());
    bench.store.answer();
    assertEquals(1, Bench.answer(waiting).orElseThrow().permits());
    assertEquals(List.of(), bench.told.failures, "the store isn't to blame");
  }

  @Test
  void noNodeWaitsLongerThanTenTimeOuts() {
    bench.store.manner = HandStore.Manner.LOSES_ANSWERS;
    bench.store.silent = 0;
    CompletableFuture<List<Optional<Grant>>> waiting = bench.ask(one);
    bench.passMillis(499);
    assertFalse(waiting.isDone());
    bench.passMillis(1);
    assertEquals(Optional.empty(), Bench.answer(waiting));
  }

  @Test
  void aStoreThatWasAskedLateHasTheWholeTimeOut() {
    bench.store.manner = HandStore.Manner.LOSES_ANSWERS;
    bench.store.silent = 20_000;
    CompletableFuture<List<Optional<Grant>>> waiting = bench.ask(one);
    bench.passMillis(79);
    assertFalse(waiting.isDone(), "30 of its 50 ms were left at the time-out");
    bench.store.silent = 50_000;
    bench.passMillis(1);
    assertEquals(Optional.empty(), Bench.answer(waiting));
  }

  @Test
  void aLateReplyIsStillALease() {
    bench.store.manner = HandStore.Manner.BY_HAND;
    bench.ask(request(policy, "key", 5));
    bench.passMillis(60);
    bench.store.answer();
    assertEquals(5, bench.takes(policy, "key", 5), "without asking");
    assertEquals(1, bench.store.batches.size());
  }

  @Test
  void aLateReplyDoesNotFreeTheNextFlight() {
    bench.store.manner = HandStore.Manner.BY_HAND;
    bench.ask(request(policy, "key", 5));
    bench.passMillis(55);
    bench.ask(request(policy, "key", 50));
    assertEquals(2, bench.store.batches.size());
    Runnable late = bench.store.takeHeld();
    late.run();
    bench.ask(request(policy, "key", 20));
    assertEquals(2, bench.store.batches.size(), "the second claim is still in flight");
    bench.store.answer();
    bench.store.answer();
    assertEquals(70, bench.store.granted, "five of which came late");
  }

  @Test
  void aReplyThatOutlivedItsSlotIsSpentByTheRequestThatItIsFor() {
    bench.passMillis(59_990);
    bench.store.manner = HandStore.Manner.BY_HAND;
    CompletableFuture<List<Optional<Grant>>> waiting = bench.ask(one);
    bench.passMillis(5);
    CompletableFuture<List<Optional<Grant>>> later = bench.ask(one);
    bench.passMillis(15);
    bench.store.manner = HandStore.Manner.AT_ONCE;
    bench.store.answer();
    Grant first = Bench.answer(waiting).orElseThrow();
    assertEquals(1, first.permits());
    Grant second = Bench.answer(later).orElseThrow();
    assertEquals(1, second.permits());
    assertTrue(second.stamp() > first.stamp(), "claimed for in the next window");
    assertEquals(2, bench.store.granted);
    assertEquals(List.of(), bench.store.lastClaim().giveBacks());
    assertEquals(99, second.left());
    bench.node.giveBack(one, first.stamp(), 1);
    bench.passMillis(2_000);
    assertTrue(
        bench.store.claims().stream()
            .flatMap(each -> each.giveBacks().stream())
            .anyMatch(each -> each.equals(new GiveBack(first.stamp(), 1))),
        "a refund goes to its stamp");
  }

  @Test
  void aGrantWhosePermitsGoBackRefusesNobody() {
    Policy four = fixed(4);
    bench.passMillis(59_980);
    bench.store.manner = HandStore.Manner.BY_HAND;
    bench.ask(request(four, "key", 1));
    bench.passMillis(5);
    CompletableFuture<List<Optional<Grant>>> small = bench.ask(request(four, "key", 1));
    CompletableFuture<List<Optional<Grant>>> large = bench.ask(request(four, "key", 3));
    bench.store.answer(); // then both are claimed for: three of the four permits are left
    CompletableFuture<List<Optional<Grant>>> later = bench.ask(request(four, "key", 1));
    bench.passMillis(20);
    bench.store.manner = HandStore.Manner.AT_ONCE;
    bench.store.answer();
    assertEquals(1, Bench.answer(small).orElseThrow().permits());
    assertEquals(3, Bench.answer(large).orElseThrow().permits(), "of the next window");
    assertEquals(1, Bench.answer(later).orElseThrow().permits());
  }

  /** With slots of a second, of which 7 ms are left, and a store 10 ms away. */
  @Test
  void aLeaseThatEndsBeforeTheAnswerIsGivenBackWithTheClaim() {
    Policy busy = Bench.sliding(10_000);
    for (int i = 0; i < 98; i++) {
      bench.take(request(busy, "key", 1));
      bench.passMillis(10);
    }
    bench.store.manner = HandStore.Manner.BY_HAND;
    bench.ask(request(busy, "key", 500));
    bench.passMillis(10);
    bench.store.answer();
    bench.passMillis(3); // 993
    bench.ask(request(busy, "key", 500));
    Claim claim = bench.store.lastClaim();
    assertEquals(500, claim.needed(), "" + claim);
    assertTrue(claim.giveBacks().get(0).permits() > 0, "" + claim);
  }

  @Test
  void aGrantWithoutALifeIsClaimedAnew() {
    bench.store.spoils =
        answers -> {
          bench.store.spoils = right -> right;
          Grant right = answers.get(0).orElseThrow();
          return List.of(
              Optional.of(
                  Grant.builder()
                      .granted(right.permits(), right.stamp(), 0)
                      .left(right.left())
                      .reset(right.reset())
                      .build()));
        };
    assertEquals(1, bench.take(one).permits());
    assertEquals(2, bench.store.granted, "the slot had ended when the store charged it");
    assertEquals(1, bench.store.lastClaim().giveBacks().get(0).permits());
  }

  @Test
  void permitsOfAnAnswerThatNeverCameAreNotSpent() {
    bench.store.manner = HandStore.Manner.LOSES_ANSWERS;
    bench.ask(request(policy, "key", 60));
    bench.passMillis(60);
    bench.store.manner = HandStore.Manner.AT_ONCE;
    assertEquals(40, bench.takes(policy, "key", 60));
  }

  @Test
  void aFailureAnswersAtOnce() {
    bench.store.manner = HandStore.Manner.FAILS;
    assertEquals(Optional.empty(), Bench.answer(bench.ask(one)));
    bench.store.manner = HandStore.Manner.THROWS;
    assertEquals(Optional.empty(), Bench.answer(bench.ask(one)));
    assertTrue(bench.told.failures.size() >= 2);
  }
}

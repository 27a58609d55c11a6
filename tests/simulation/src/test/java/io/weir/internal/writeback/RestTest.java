package io.weir.internal.writeback;

import static io.weir.internal.writeback.Bench.fixed;
import static io.weir.internal.writeback.Bench.peek;
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
import io.weir.annotation.Mode;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The known state of resting buckets, and of those requested together with others. */
@ExtendWith(Hushed.class)
class RestTest {
  private final Bench bench = new Bench();
  private final Policy wide = named("wide", 100);
  private final Policy narrow = named("narrow", 2);

  private static Policy named(String name, long limit) {
    return Policy.builder(name).limit(limit).window(Duration.ofMinutes(1)).build();
  }

  private List<Optional<Grant>> ask(BucketRequest... requests) {
    return bench.ask(requests).getNow(List.of());
  }

  @Test
  void ofABucketThatRestedIsToldWhatWasLeft() {
    bench.take(request(wide, "key", 30));
    bench.take(request(narrow, "key", 2));
    bench.passMillis(5_000);
    assertEquals(0, bench.node.busy());
    bench.take(request(narrow, "key", 1));
    Grant passedOver = ask(request(wide, "key", 1), request(narrow, "key", 1)).get(0).orElseThrow();
    assertEquals(0, passedOver.permits());
    assertEquals(70, passedOver.left());
    assertEquals(56_000_000, passedOver.reset());
  }

  @Test
  void ofABucketThatRestedFullIsToldThatItIs() {
    bench.take(peek(wide, "key", 1));
    Grant back = bench.take(request(wide, "key", 1));
    bench.node.giveBack(request(wide, "key", 1), back.stamp(), 1);
    bench.passMillis(5_000);
    assertEquals(0, bench.node.busy());
    bench.take(request(narrow, "key", 2));
    bench.take(request(narrow, "key", 1));
    Grant passedOver = ask(request(wide, "key", 1), request(narrow, "key", 1)).get(0).orElseThrow();
    assertEquals(100, passedOver.left());
    assertEquals(0, passedOver.reset());
  }

  @Test
  void whatIsPassedOverWasAskedForAllTheSame() {
    Policy large = named("large", 10_000);
    bench.take(request(narrow, "key", 2));
    bench.take(request(narrow, "key", 1));
    for (int i = 0; i < 10; i++) {
      ask(request(large, "key", 1), request(narrow, "key", 1));
    }
    assertEquals(2, bench.told.exchanges, "nothing was taken");
    bench.take(request(large, "key", 1));
    assertTrue(bench.store.lastClaim().extra() > 0, "ten requests have earned a lease");
  }

  @Test
  void aLookIsNoRequest() {
    Policy large = named("large", 10_000);
    bench.take(request(large, "key", 1));
    for (int i = 0; i < 12; i++) {
      ask(peek(large, "key", 1), request(narrow, "key" + i, 1));
    }
    bench.take(request(large, "key", 1));
    assertEquals(0, bench.store.lastClaim().extra());
  }

  private static BucketRequest reduced(Policy elastic, long effectiveLimit, boolean peeks) {
    BucketRequest own = request(elastic, "key", 1);
    return new BucketRequest(
        new RequestTerms(elastic, 1, 100, effectiveLimit, effectiveLimit, 0), own.bucket(), peeks);
  }

  private boolean peeked() {
    return bench.store.claims().stream().anyMatch(each -> each.needed() + each.extra() == 0);
  }

  @Test
  void theNominalLookOfWhoIsAdmittedIsAnsweredByWhatIsKnown() {
    Policy elastic =
        Policy.builder("elastic")
            .limit(100)
            .window(Duration.ofMinutes(1))
            .mode(Mode.ELASTIC)
            .build();
    for (int i = 1; i <= 9; i++) {
      List<Optional<Grant>> answers = ask(reduced(elastic, 100, true), reduced(elastic, 50, false));
      assertEquals(100 - i, answers.get(0).orElseThrow().left());
      assertEquals(1, answers.get(1).orElseThrow().permits());
    }
    assertFalse(peeked());
    bench.take(request(narrow, "key", 2));
    bench.take(request(narrow, "key", 1));
    List<Optional<Grant>> passedOver =
        ask(reduced(elastic, 100, true), reduced(elastic, 50, false), request(narrow, "key", 1));
    assertEquals(91, passedOver.get(0).orElseThrow().left());
    assertEquals(41, passedOver.get(1).orElseThrow().left());
    assertFalse(peeked());
  }

  @Test
  void whatCountsToTheEndOfItsWindowIsToldOfABucketAtRest() {
    Policy minute = fixed(100);
    bench.store.begin(0, "first");
    bench.passMillis(59_000);
    bench.take(request(minute, "key", 5));
    bench.passMillis(950);
    assertEquals(0, bench.node.busy());
    bench.store.wipe(0, "second");
    bench.passMillis(50);
    assertEquals(5, bench.store.claims().stream().mapToLong(Claim::debt).sum());
  }

  @Test
  void whatABucketAtRestHasBorrowedIsRememberedWhenItIsEvicted() {
    Bench small = new Bench(1);
    Policy ahead = Bench.policy(100).window(Duration.ofSeconds(10)).overshoot(10).build();
    small.take(request(ahead, "first", 1));
    small.passMillis(10_500);
    small.store.manner = HandStore.Manner.BY_HAND;
    assertTrue(small.ask(request(ahead, "cold", 10)).isDone());
    small.store.manner = HandStore.Manner.AT_ONCE;
    small.store.answer();
    small.passMillis(2_000);
    assertEquals(0, small.node.busy());
    for (int i = 0; i < 50; i++) {
      small.take(request(sliding(100), "other" + i, 1));
    }
    small.store.manner = HandStore.Manner.BY_HAND;
    assertFalse(small.ask(request(ahead, "cold", 1)).isDone());
  }

  /** So busy that it has a lease, which ends 10 ms from now. */
  private void almostOver(Policy leased) {
    for (int i = 0; i < 99; i++) {
      bench.take(request(leased, "key", 1));
      bench.passMillis(10);
    }
  }

  private long needs() {
    return bench.store.claims().stream().filter(each -> each.needed() > 0).count();
  }

  @Test
  void whatEndsWhileAnotherIsWaitedForIsSpentAllTheSame() {
    Policy leased = sliding(10_000);
    almostOver(leased);
    bench.store.manner = HandStore.Manner.BY_HAND;
    CompletableFuture<List<Optional<Grant>>> both =
        bench.ask(request(leased, "key", 1), request(fixed(100), "key", 1));
    bench.passMillis(15);
    bench.store.manner = HandStore.Manner.AT_ONCE;
    long before = needs();
    bench.store.answer();
    List<Optional<Grant>> answers = both.getNow(List.of());
    assertEquals(1, answers.get(0).orElseThrow().permits());
    assertEquals(1, answers.get(1).orElseThrow().permits());
    long second = 1_767_225_600L;
    assertEquals(2 * second, answers.get(0).orElseThrow().stamp(), "of the slot it was spent in");
    assertEquals(before, needs(), "it had been spent when the request arrived");
  }

  @Test
  void decidesByTheLeasesOfAllOrNotAtOnce() {
    Policy one = fixed(10_000);
    Policy other = named("other", 10_000);
    for (int i = 0; i < 50; i++) {
      bench.take(request(one, "key", 1));
      bench.take(request(other, "key", 1));
      bench.passMillis(2);
    }
    List<RequestTerms> requestTerms =
        List.of(request(one, "key", 1).terms(), request(other, "key", 1).terms());
    List<Key> keys = List.of(Key.of("key"), Key.of("key"));
    List<Decision> parts = bench.node.decideNow(requestTerms, keys);
    assertNotNull(parts);
    assertTrue(parts.size() == 2 && parts.stream().allMatch(Decision::admitted));
    assertNull(bench.node.decideNow(requestTerms, List.of(Key.of("key"), Key.of("unknown"))));
  }

  @Test
  void aLookThatIsNotAnsweredIsToldNothing() {
    bench.store.manner = HandStore.Manner.FAILS;
    assertEquals(List.of(Optional.empty()), ask(peek(wide, "key", 1)));
    bench.store.manner = HandStore.Manner.LOSES_ANSWERS;
    CompletableFuture<List<Optional<Grant>>> lost = bench.ask(peek(wide, "other", 1));
    bench.passMillis(50);
    assertEquals(List.of(Optional.empty()), lost.getNow(List.of()));
    bench.store.manner = HandStore.Manner.FAILS;
    ask(request(wide, "third", 1));
    int before = bench.store.batches.size();
    assertEquals(List.of(Optional.empty()), ask(peek(wide, "key", 1)));
    assertEquals(before, bench.store.batches.size(), "the store is known to be away");
  }

  @Test
  void aLookAtDataThatIsGoneIsToldNothing() {
    bench.store.begin(0, "first");
    bench.take(request(wide, "first", 1));
    bench.store.manner = HandStore.Manner.BY_HAND;
    CompletableFuture<List<Optional<Grant>>> waiting = bench.ask(peek(wide, "key", 1));
    bench.store.wipe(0, "second");
    bench.store.manner = HandStore.Manner.AT_ONCE;
    bench.ask(request(narrow, "key", 1)); // which hears of it first
    bench.store.answer();
    assertEquals(List.of(Optional.empty()), waiting.getNow(List.of()));
  }

  @Test
  void whatALateAnswerGrantsABucketAtRestGoesBackOnceTheStoreCanBeAsked() {
    bench.store.manner = HandStore.Manner.BY_HAND;
    bench.ask(request(wide, "key", 5));
    bench.passMillis(1_000);
    assertEquals(0, bench.node.busy(), "it rests");
    Runnable late = bench.store.takeHeld();
    bench.store.manner = HandStore.Manner.FAILS;
    for (int i = 0; i < 3; i++) {
      bench.ask(request(wide, "other" + i, 1));
    }
    late.run();
    assertEquals(0, bench.store.giveBacks, "the store is given up");
    bench.store.manner = HandStore.Manner.AT_ONCE;
    bench.passMillis(1_000);
    assertEquals(5, bench.store.giveBacks);
  }

  @Test
  void aBucketThatComesIntoUseAgainIsFoundAtOnce() {
    Policy policy = named("policy", 1_000);
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 12; i++) {
        bench.take(request(policy, "key", 1));
      }
      assertNotNull(
          bench.node.decideNow(request(policy, "key", 1).terms(), Key.of("key")), "by its lease");
      bench.passMillis(20_000);
      assertEquals(0, bench.node.busy(), "it rests");
    }
  }
}

package io.weir.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.annotation.By;
import io.weir.annotation.ClearOn;
import io.weir.annotation.Count;
import io.weir.annotation.OnStoreFailure;
import io.weir.testkit.FakeTicker;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Five wrong passwords in a row: at one node, at several, and while the store is away. */
class ClearOnSuccessTest {
  private static final Key ALICE = Key.of("alice");
  private static final Key BOB = Key.of("bob");

  private static final Policy LOGIN =
      Policy.builder("login")
          .limit(5)
          .window(Duration.ofMinutes(15))
          .by(By.KEY)
          .keys("query:user")
          .count(Count.FAILURES)
          .clearOn(ClearOn.SUCCESS)
          .onStoreFailure(OnStoreFailure.LOCAL)
          .build();

  @Test
  void aSuccessClearsTheFailuresBeforeItAndNoOthers() {
    try (RateLimiter limiter = RateLimiter.builder().ticker(new FakeTicker()).build()) {
      fail(limiter, ALICE, 4);
      fail(limiter, BOB, 5);
      Decision success = limiter.tryAcquire(LOGIN, ALICE);
      limiter.succeeded(success);
      limiter.succeeded(success);
      limiter.failed(success);
      limiter.refund(success);
      fail(limiter, ALICE, 5);
      assertFalse(limiter.tryAcquire(LOGIN, ALICE).admitted());
      assertFalse(limiter.tryAcquire(LOGIN, BOB).admitted());
    }
  }

  private static void fail(RateLimiter limiter, Key key, int times) {
    for (int i = 0; i < times; i++) {
      Decision decision = limiter.tryAcquire(LOGIN, key);
      assertTrue(decision.admitted());
      limiter.failed(decision);
      limiter.refund(decision); // too late
      assertFalse(decision.refunded());
    }
  }

  @Test
  void guessesThatAreStillRunningStayCounted() {
    try (RateLimiter limiter = RateLimiter.builder().ticker(new FakeTicker()).build()) {
      List<Decision> running = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        running.add(limiter.tryAcquire(LOGIN, ALICE));
      }
      fail(limiter, ALICE, 1);
      Decision success = limiter.tryAcquire(LOGIN, ALICE);
      limiter.failed(running.get(0)); // after it began
      limiter.succeeded(success);
      assertEquals(2, limiter.peek(LOGIN, ALICE).remaining());
      limiter.refund(running.get(1)); // it was none
      assertEquals(3, limiter.peek(LOGIN, ALICE).remaining());
      limiter.succeeded(running.get(2)); // it began before all failures
      assertEquals(4, limiter.peek(LOGIN, ALICE).remaining());
    }
  }

  @Test
  void aRefundClearsNothing() {
    try (RateLimiter limiter = RateLimiter.builder().ticker(new FakeTicker()).build()) {
      fail(limiter, ALICE, 4);
      limiter.refund(limiter.tryAcquire(LOGIN, ALICE));
      assertEquals(1, limiter.peek(LOGIN, ALICE).remaining());
    }
  }

  @Test
  void onlyTheFirstReportCounts() {
    Policy failures = counting("failures", Count.FAILURES);
    Policy successes = counting("successes", Count.SUCCESSES);
    Policy all = counting("all", Count.ALL);
    try (RateLimiter limiter = RateLimiter.builder().ticker(new FakeTicker()).build()) {
      List<PermitRequest> requests =
          List.of(
              new PermitRequest(failures, BOB),
              new PermitRequest(successes, BOB),
              new PermitRequest(all, BOB));
      Decision failed = limiter.tryAcquire(requests);
      limiter.failed(failed);
      limiter.succeeded(failed);
      limiter.refund(failed);
      assertEquals(1, limiter.peek(failures, BOB).remaining());
      assertEquals(2, limiter.peek(successes, BOB).remaining());
      assertEquals(1, limiter.peek(all, BOB).remaining());
      Decision succeeded = limiter.tryAcquire(requests);
      limiter.succeeded(succeeded);
      limiter.failed(succeeded);
      limiter.refund(succeeded);
      assertEquals(1, limiter.peek(failures, BOB).remaining());
      assertEquals(1, limiter.peek(successes, BOB).remaining());
      assertEquals(0, limiter.peek(all, BOB).remaining());
    }
  }

  private static Policy counting(String name, Count count) {
    return Policy.builder(name).limit(2).window(Duration.ofMinutes(1)).count(count).build();
  }

  @Test
  void aDecisionOfAnotherKindIsAMistake() {
    Decision foreign =
        (Decision)
            Proxy.newProxyInstance(
                Decision.class.getClassLoader(),
                new Class<?>[] {Decision.class},
                (proxy, method, arguments) -> method.getName().equals("parts") ? List.of() : null);
    try (RateLimiter limiter = RateLimiter.builder().ticker(new FakeTicker()).build()) {
      assertThrows(IllegalArgumentException.class, () -> limiter.succeeded(foreign));
      assertThrows(IllegalArgumentException.class, () -> limiter.failed(foreign));
      assertThrows(IllegalArgumentException.class, () -> limiter.refund(foreign));
    }
  }

  /** As a resolver, a source or code may give one, which no start checks. */
  @Test
  void aLimitAboveTheBoundCountsAsTheBound() {
    try (RateLimiter limiter = RateLimiter.builder().ticker(new FakeTicker()).build()) {
      PermitRequest most = new PermitRequest(LOGIN, ALICE, Policy.MAX_CLEARED, 1_000_000);
      Decision all = limiter.tryAcquire(List.of(most));
      assertTrue(all.admitted());
      assertEquals(Policy.MAX_CLEARED, all.limit());
      assertFalse(
          limiter.tryAcquire(List.of(new PermitRequest(LOGIN, ALICE, 1, 1_000_000))).admitted());
      PermitRequest more = new PermitRequest(LOGIN, BOB, Policy.MAX_CLEARED + 1, 1_000_000);
      assertTrue(limiter.tryAcquire(List.of(more)).neverAdmitted());
    }
  }

  /** Two flushes, of which the first may have just begun, and a call of the store. */
  @Test
  void otherNodesLearnOfEachOutcomeWithTheNextFlush() {
    Duration soon = Duration.ofMillis(250);
    try (Leasing bench = new Leasing();
        RateLimiter two = bench.node("two")) {
      bench.store.live = 2;
      bench.limiter.failed(take(bench, bench.limiter));
      bench.time.run(soon);
      two.succeeded(take(bench, two));
      bench.time.run(soon);
      assertEquals(0, used(bench));
    }
  }

  @Test
  void failuresAtAllNodesAreCleared() {
    try (Leasing bench = new Leasing();
        RateLimiter two = bench.node("two")) {
      bench.store.live = 2;
      for (RateLimiter node : List.of(bench.limiter, two)) {
        node.failed(take(bench, node));
        node.failed(take(bench, node));
      }
      Decision running = take(bench, two);
      assertFalse(take(bench, bench.limiter).admitted(), "four failures and a running one");
      bench.rest(); // all nodes have reported
      two.refund(running);
      bench.rest();
      bench.limiter.succeeded(take(bench, bench.limiter));
      bench.rest();
      assertEquals(0, used(bench));
      for (int i = 0; i < 5; i++) {
        assertTrue(take(bench, two).admitted());
      }
      assertFalse(take(bench, two).admitted());
    }
  }

  /** Each has a stamp of its own, and all go back with the next flush. */
  @Test
  void manySuccessesAtOnceAreAllGivenBack() {
    try (Leasing bench = new Leasing()) {
      List<Decision> decisions = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        decisions.add(take(bench, bench.limiter));
        assertTrue(decisions.get(i).admitted());
      }
      decisions.forEach(bench.limiter::succeeded);
      bench.rest();
      assertEquals(0, used(bench));
    }
  }

  @Test
  void whatWasDecidedWithoutTheStoreIsNotClearedButAges() {
    try (Leasing bench = new Leasing()) {
      bench.store.trouble = LeaseStore.Trouble.FAILS;
      Decision alone = take(bench, bench.limiter);
      assertTrue(alone.admitted() && alone.degraded());
      bench.limiter.failed(alone);
      bench.store.trouble = LeaseStore.Trouble.NONE;
      bench.rest();
      bench.limiter.succeeded(take(bench, bench.limiter));
      bench.rest();
      assertEquals(1, used(bench));
      bench.time.run(Duration.ofMinutes(16));
      assertTrue(take(bench, bench.limiter).admitted());
    }
  }

  private static Decision take(Leasing bench, RateLimiter node) {
    CompletableFuture<Decision> decision =
        node.tryAcquireAsync(List.of(new PermitRequest(LOGIN, ALICE))).toCompletableFuture();
    for (int i = 0; i < 200 && !decision.isDone(); i++) {
      bench.time.run(Duration.ofMillis(1));
    }
    return decision.join();
  }

  private static long used(Leasing bench) {
    return LOGIN.limit() - bench.store.free(LOGIN, ALICE);
  }
}

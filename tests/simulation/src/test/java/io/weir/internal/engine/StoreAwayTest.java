package io.weir.internal.engine;

import static io.weir.testkit.DecisionAssert.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Outcome;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.RateLimiter;
import io.weir.Reason;
import io.weir.annotation.OnStoreFailure;
import io.weir.internal.engine.TroubledStore.Trouble;
import io.weir.seeds.Seeds;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class StoreAwayTest {
  private static final Key KEY = Key.of("caller");

  private final FakeTicker ticker = new FakeTicker();
  private final TroubledStore store = new TroubledStore(ticker);
  private volatile OnStoreFailure setting = OnStoreFailure.DEFAULT;
  private final RateLimiter limiter =
      RateLimiter.builder()
          .ticker(ticker)
          .store(store)
          .storeTimeout(Duration.ofMillis(5))
          .onStoreFailure(() -> setting)
          .build();

  @AfterEach
  void close() {
    limiter.close();
  }

  private static PolicyBuilder three(OnStoreFailure onFailure) {
    return Policy.builder("three").limit(3).window(Duration.ofMinutes(1)).onStoreFailure(onFailure);
  }

  private static Decision async(RateLimiter limiter, Policy policy) throws Exception {
    return limiter
        .tryAcquireAsync(List.of(new PermitRequest(policy, KEY)))
        .toCompletableFuture()
        .get(1, TimeUnit.MINUTES);
  }

  @ParameterizedTest
  @EnumSource(value = Trouble.class, mode = Mode.EXCLUDE, names = "NONE")
  void aNodeGoesOnByItsOwnCount(Trouble trouble) throws Exception {
    Policy local = three(OnStoreFailure.LOCAL).build();
    store.trouble = trouble;
    assertThat(limiter.tryAcquire(local, KEY)).admitted().degraded().hasRemaining(2);
    assertThat(async(limiter, local)).admitted().degraded().hasRemaining(1);
    assertThat(limiter.peek(local, KEY)).admitted().degraded().hasRemaining(1);
    assertThat(limiter.tryAcquire(local, KEY)).admitted().degraded().hasRemaining(0);
    assertThat(limiter.tryAcquire(local, KEY))
        .refusedBecause(Reason.QUOTA_EXCEEDED)
        .refusedFor(Duration.ofSeconds(61))
        .degraded();
  }

  @Test
  void callersBeyondWhatANodeHoldsAreServedToo() {
    Policy local = three(OnStoreFailure.LOCAL).build();
    store.trouble = Trouble.FAILS;
    int callers = Seeds.deep() ? 200_000 : 120_000;
    int refused = 0;
    for (int i = 0; i < callers; i++) {
      refused += limiter.tryAcquire(local, Key.of("caller " + i)).admitted() ? 0 : 1;
    }
    assertTrue(refused < 20, refused + " of " + callers + " that used nothing were refused");
    Key last = Key.of("caller " + (callers - 1));
    for (int i = 0; i < 2; i++) {
      limiter.tryAcquire(local, last);
    }
    assertThat(limiter.tryAcquire(local, last)).refusedBecause(Reason.QUOTA_EXCEEDED).degraded();
  }

  @ParameterizedTest
  @EnumSource(value = Trouble.class, mode = Mode.EXCLUDE, names = "NONE")
  void anOpenPolicyAdmits(Trouble trouble) {
    Policy open = three(OnStoreFailure.OPEN).build();
    store.trouble = trouble;
    for (int i = 0; i < 10; i++) {
      Decision decision = limiter.tryAcquire(open, KEY);
      assertThat(decision).hasOutcome(Outcome.ADMITTED).degraded().hasRemaining(3);
      assertEquals(0, decision.permits());
    }
  }

  @ParameterizedTest
  @EnumSource(value = Trouble.class, mode = Mode.EXCLUDE, names = "NONE")
  void aClosedPolicyRefuses(Trouble trouble) throws Exception {
    Policy closed = three(OnStoreFailure.CLOSED).build();
    store.trouble = trouble;
    assertThat(limiter.tryAcquire(closed, KEY))
        .refusedBecause(Reason.STORE_UNAVAILABLE)
        .refusedFor(Duration.ofSeconds(1))
        .degraded()
        .hasRemaining(0);
    assertThat(async(limiter, closed)).refusedBecause(Reason.STORE_UNAVAILABLE);
  }

  @Test
  void aPolicyMayLeaveItToTheSettingsEvenWhileTheyChange() {
    Policy byDefault = three(OnStoreFailure.DEFAULT).build();
    store.trouble = Trouble.FAILS;
    setting = OnStoreFailure.CLOSED;
    assertThat(limiter.tryAcquire(byDefault, KEY)).refusedBecause(Reason.STORE_UNAVAILABLE);
    setting = OnStoreFailure.OPEN;
    assertThat(limiter.tryAcquire(byDefault, KEY)).admitted().hasRemaining(3);
    setting = OnStoreFailure.LOCAL;
    assertThat(limiter.tryAcquire(byDefault, KEY)).admitted().hasRemaining(2);
    setting = OnStoreFailure.DEFAULT;
    assertThat(limiter.tryAcquire(byDefault, KEY)).admitted().hasRemaining(1);
  }

  @Test
  void aWatchingPolicyRefusesNobodyEvenIfItIsClosed() {
    Policy closed = three(OnStoreFailure.CLOSED).shadow(true).build();
    store.trouble = Trouble.FAILS;
    assertThat(limiter.tryAcquire(closed, KEY)).hasOutcome(Outcome.SHADOW_REFUSED).degraded();
  }

  @Test
  void ifOneRefusesWhatWasCountedHereIsGivenBackHere() {
    Policy local = three(OnStoreFailure.LOCAL).build();
    Policy closed =
        Policy.builder("closed")
            .limit(9)
            .window(Duration.ofMinutes(1))
            .onStoreFailure(OnStoreFailure.CLOSED)
            .build();
    store.trouble = Trouble.STALLS;
    Decision refused =
        limiter.tryAcquire(List.of(new PermitRequest(local, KEY), new PermitRequest(closed, KEY)));
    assertThat(refused).refused().degraded().decidedBy("closed");
    assertThat(refused.parts().get(0)).admitted().hasRemaining(3);
    assertThat(limiter.peek(local, KEY)).degraded().hasRemaining(3);

    Decision taken = limiter.tryAcquire(local, KEY);
    limiter.refund(taken);
    assertThat(limiter.peek(local, KEY)).degraded().hasRemaining(3);
    store.trouble = Trouble.NONE;
    assertThat(limiter.peek(local, KEY)).notDegraded().hasRemaining(3);
  }

  @Test
  void whatIsGrantedTooLateIsGivenBack() {
    Policy open = three(OnStoreFailure.OPEN).build();
    store.trouble = Trouble.STALLS_AFTER_EXECUTING;
    assertThat(limiter.tryAcquire(open, KEY, 2)).admitted().degraded();
    store.trouble = Trouble.NONE;
    assertThat(limiter.peek(open, KEY)).hasRemaining(1);
    store.release();
    assertThat(limiter.peek(open, KEY)).notDegraded().hasRemaining(3);
  }

  @Test
  void anAnswerInTimeEndsTheWaitOfWhoeverAskedWithoutWaiting() throws Exception {
    Policy open = three(OnStoreFailure.OPEN).build();
    try (RateLimiter patient =
        RateLimiter.builder().store(store).storeTimeout(Duration.ofHours(1)).build()) {
      store.trouble = Trouble.STALLS_AFTER_EXECUTING;
      CompletableFuture<Decision> answer =
          patient.tryAcquireAsync(List.of(new PermitRequest(open, KEY))).toCompletableFuture();
      assertFalse(answer.isDone());
      store.release();
      assertTrue(answer.isDone());
      assertThat(answer.get()).admitted().notDegraded().hasRemaining(2);
    }
  }

  @Test
  void aDebtThatTheStoreDoesNotTakeIsCountedHere() {
    Policy local = three(OnStoreFailure.LOCAL).build();
    for (Trouble trouble : List.of(Trouble.FAILS, Trouble.THROWS, Trouble.ANSWERS_TOO_LITTLE)) {
      store.trouble = trouble;
      limiter.charge(local, KEY, 1);
    }
    assertThat(limiter.tryAcquire(local, KEY)).refused().degraded();
    store.trouble = Trouble.FAILS;
    limiter.charge(local, Key.of("once"), 1);
    assertThat(limiter.peek(local, Key.of("once"))).degraded().hasRemaining(2);
  }

  @Test
  void aRefundThatFailsIsNoTroubleOfTheCaller() {
    Policy local = three(OnStoreFailure.LOCAL).build();
    Decision decision = limiter.tryAcquire(local, KEY);
    store.trouble = Trouble.THROWS;
    limiter.refund(decision);
    store.trouble = Trouble.NONE;
    assertThat(limiter.peek(local, KEY)).hasRemaining(2);
  }

  @Test
  void anInterruptedThreadIsDecidedAtOnceAndStaysInterrupted() {
    Policy closed = three(OnStoreFailure.CLOSED).build();
    try (RateLimiter patient =
        RateLimiter.builder().store(store).storeTimeout(Duration.ofHours(1)).build()) {
      store.trouble = Trouble.STALLS;
      Thread.currentThread().interrupt();
      assertThat(patient.tryAcquire(closed, KEY)).refused().degraded();
      assertTrue(Thread.interrupted());
    }
  }

  @Test
  void isExactAgainOnceTheStoreIsBack() {
    Policy local = three(OnStoreFailure.LOCAL).build();
    limiter.tryAcquire(local, KEY);
    store.trouble = Trouble.FAILS;
    limiter.tryAcquire(local, KEY);
    store.trouble = Trouble.NONE;
    assertThat(limiter.tryAcquire(local, KEY)).notDegraded().hasRemaining(1);
  }

  @Test
  void refusesWithoutThrowingAfterTheEnd() throws Exception {
    Policy policy = three(OnStoreFailure.OPEN).build();
    Decision before = limiter.tryAcquire(policy, KEY);
    limiter.close();
    limiter.close();
    assertEquals(1, store.closes);

    assertThat(limiter.tryAcquire(policy, KEY)).refusedBecause(Reason.STORE_UNAVAILABLE);
    assertThat(async(limiter, policy)).refusedBecause(Reason.STORE_UNAVAILABLE);
    assertThat(limiter.peek(policy, KEY)).refusedBecause(Reason.STORE_UNAVAILABLE);
    limiter.refund(before);
    limiter.charge(policy, KEY, 1);
  }

  /**
   * Rolling restarts during an outage: the previous node may have spent its share in this window.
   */
  @Test
  void aNewNodeHasNoPartOfTheReserveUntilItHasLivedAWindow() {
    store.trouble = Trouble.FAILS;
    Policy local =
        Policy.builder("hundred")
            .limit(100)
            .window(Duration.ofMinutes(1))
            .onStoreFailure(OnStoreFailure.LOCAL)
            .build();
    long admitted = 0;
    for (int restart = 0; restart < 5; restart++) {
      try (RateLimiter node = reserving()) {
        admitted += admitted(node, local);
      }
    }
    assertEquals(0, admitted);
    try (RateLimiter node = reserving()) {
      ticker.advance(Duration.ofSeconds(60));
      assertEquals(0, admitted(node, local), "clocks may differ");
      ticker.advance(Duration.ofSeconds(1));
      assertEquals(10, admitted(node, local), "its part of twenty for two nodes");
    }
  }

  @Test
  void aNewNodeThatHasHeardTheStoreHasNoPartOfTheReserveEither() {
    TroubledStore heard = new TroubledStore(ticker);
    Policy local = Policy.builder("hundred").limit(100).window(Duration.ofMinutes(1)).build();
    try (RateLimiter node = reserving(heard)) {
      assertThat(node.tryAcquire(local, KEY)).admitted().notDegraded();
      heard.trouble = Trouble.FAILS;
      ticker.advance(Duration.ofSeconds(30));
      assertEquals(0, admitted(node, local));
      ticker.advance(Duration.ofSeconds(31));
      assertEquals(10, admitted(node, local));
    }
  }

  private RateLimiter reserving() {
    return reserving(failing());
  }

  private RateLimiter reserving(TroubledStore shared) {
    return RateLimiter.builder()
        .ticker(ticker)
        .store(shared)
        .storeTimeout(Duration.ofMillis(5))
        .nodes(2)
        .reserve(20)
        .build();
  }

  private TroubledStore failing() {
    TroubledStore failing = new TroubledStore(ticker);
    failing.trouble = Trouble.FAILS;
    return failing;
  }

  private static long admitted(RateLimiter node, Policy policy) {
    return IntStream.range(0, 30).filter(any -> node.tryAcquire(policy, KEY).admitted()).count();
  }

  @Test
  void whoWaitsWhenTheEndComesIsDecidedAllTheSame() throws Exception {
    Policy closed = three(OnStoreFailure.CLOSED).build();
    store.trouble = Trouble.STALLS;
    CompletableFuture<Decision> answer =
        limiter.tryAcquireAsync(List.of(new PermitRequest(closed, KEY))).toCompletableFuture();
    limiter.close();
    assertThat(answer.get(1, TimeUnit.MINUTES)).refusedBecause(Reason.STORE_UNAVAILABLE);
  }
}

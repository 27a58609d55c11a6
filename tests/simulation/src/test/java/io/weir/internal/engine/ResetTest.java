package io.weir.internal.engine;

import static io.weir.internal.engine.Leasing.KEY;
import static io.weir.internal.engine.Leasing.policy;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.store.BucketSpec;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests what {@link RateLimiter#reset} reaches: this node, its own count, the store, other nodes.
 */
class ResetTest {
  private static final Duration MILLI = Duration.ofMillis(1);

  @ParameterizedTest
  @EnumSource
  void aBucketIsFullAgainAndOthersStayAsTheyAre(Algorithm algorithm) {
    Policy policy =
        Policy.builder("locked")
            .limit(3)
            .burst(BucketSpec.hasBurst(algorithm) ? 3 : 0)
            .window(Duration.ofHours(1))
            .algorithm(algorithm)
            .build();
    try (RateLimiter limiter = RateLimiter.builder().ticker(new FakeTicker()).build()) {
      Key other = Key.of("other");
      limiter.tryAcquire(policy, KEY, 3);
      limiter.tryAcquire(policy, other, 3);
      assertFalse(limiter.tryAcquire(policy, KEY).admitted());
      limiter.reset(policy, KEY).toCompletableFuture().join();
      assertTrue(limiter.tryAcquire(policy, KEY, 3).admitted());
      assertFalse(limiter.tryAcquire(policy, KEY).admitted(), "and it counts again");
      assertFalse(limiter.tryAcquire(policy, other).admitted());
    }
  }

  @Test
  void aNodeForgetsItsRefusalOnceTheStoreHasForgottenTheBucket() {
    try (Leasing bench = new Leasing()) {
      Policy policy = policy("locked", 3).build();
      assertEquals(3, bench.take(policy, 5));
      CompletableFuture<Void> reset = bench.limiter.reset(policy, KEY).toCompletableFuture();
      assertFalse(reset.isDone(), "it doesn't wait");
      bench.time.run(MILLI);
      assertTrue(reset.isDone());
      assertEquals(3, bench.take(policy, 5));
    }
  }

  @Test
  void anotherNodeRefusesNoLongerThanSixteenFlushes() {
    try (Leasing bench = new Leasing();
        RateLimiter two = bench.node("two")) {
      Policy policy = policy("locked", 3).build();
      bench.store.live = 2;
      assertEquals(3, bench.take(policy, 5));
      bench.rest();
      assertFalse(admits(bench, two, policy));
      for (int i = 0; i < 60; i++) { // it is sure by now
        bench.time.run(Duration.ofMillis(100));
        assertFalse(admits(bench, two, policy));
      }
      bench.limiter.reset(policy, KEY);
      bench.time.run(Duration.ofMillis(1_601));
      assertTrue(admits(bench, two, policy));
    }
  }

  private static boolean admits(Leasing bench, RateLimiter node, Policy policy) {
    CompletableFuture<Boolean> admitted =
        node.tryAcquireAsync(List.of(new PermitRequest(policy, KEY)))
            .thenApply(each -> each.admitted())
            .toCompletableFuture();
    bench.time.run(Duration.ofMillis(2));
    return admitted.join();
  }

  @Test
  void whileTheStoreIsAwayTheNodesOwnCountIsReset() {
    try (Leasing bench = new Leasing()) {
      Policy policy = policy("locked", 3).onStoreFailure(OnStoreFailure.LOCAL).build();
      bench.store.trouble = LeaseStore.Trouble.FAILS;
      assertEquals(3, bench.take(policy, 5));
      CompletableFuture<Void> reset = bench.limiter.reset(policy, KEY).toCompletableFuture();
      bench.time.run(MILLI);
      assertThrows(CompletionException.class, reset::join, "the store wasn't reached");
      assertEquals(3, bench.take(policy, 5));
    }
  }

  @Test
  void whileTheStoreIsAwayWhatIsKnownOfTheBucketIsForgotten() {
    try (Leasing bench = new Leasing()) {
      Policy policy = policy("known", 3).onStoreFailure(OnStoreFailure.LOCAL).build();
      assertEquals(3, bench.take(policy, 5), "by the store");
      bench.store.trouble = LeaseStore.Trouble.FAILS;
      bench.rest();
      assertEquals(0, bench.take(policy, 5), "as the node knows");
      bench.limiter.reset(policy, KEY);
      bench.time.run(MILLI);
      assertEquals(3, bench.take(policy, 5));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FAILS", "STALLS"})
  void debtsOfTheTimeBeforeAreNotCharged(LeaseStore.Trouble trouble) {
    try (Leasing bench = new Leasing()) {
      Policy policy = policy("owing", 3).onStoreFailure(OnStoreFailure.LOCAL).build();
      bench.store.trouble = trouble;
      assertEquals(3, bench.take(policy, 5));
      bench.time.run(Duration.ofMillis(150)); // they are in flight, or have failed
      bench.store.trouble = LeaseStore.Trouble.NONE;
      bench.limiter.reset(policy, KEY);
      bench.rest();
      assertEquals(0, bench.used(policy));
    }
  }

  @Test
  void theNodesPartOfTheReserveIsReset() {
    try (Leasing bench = new Leasing();
        RateLimiter reserving = bench.builder("two").nodes(2).reserve(20).build()) {
      Policy policy = policy("reserved", 20).build();
      bench.time.run(Duration.ofHours(2)); // from then on the part is its own
      bench.store.trouble = LeaseStore.Trouble.FAILS;
      assertTrue(admits(bench, reserving, policy));
      assertTrue(admits(bench, reserving, policy));
      assertFalse(admits(bench, reserving, policy));
      reserving.reset(policy, KEY);
      assertTrue(admits(bench, reserving, policy));
    }
  }

  @Test
  void aQuotaOfAPeriodIsNotReset() {
    Instant now = FakeTicker.START;
    Policy quota =
        Policy.builder("quota").limit(3).period(now, now.plus(Duration.ofDays(1))).build();
    try (RateLimiter limiter = RateLimiter.builder().ticker(new FakeTicker()).build()) {
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> limiter.reset(quota, KEY));
      assertTrue(refused.getMessage().startsWith("quota is a quota"), refused.getMessage());
    }
  }

  @Test
  void aClosedLimiterSaysSo() {
    RateLimiter limiter = RateLimiter.builder().ticker(new FakeTicker()).build();
    limiter.close();
    Policy policy = policy("closed", 3).build();
    assertThrows(
        CompletionException.class, () -> limiter.reset(policy, KEY).toCompletableFuture().join());
  }
}

package io.weir.internal.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.Key;
import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.internal.inprocess.InProcessStore;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reads from the store how many permits of a bucket are used. */
class StoreUsageReaderTest {
  private static final Key KEY = Key.user("k");

  private final FakeTicker ticker = new FakeTicker();
  private final PermitStore store = new InProcessStore(ticker, 1_000);
  private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

  @AfterEach
  void close() {
    scheduler.shutdownNow();
  }

  private OptionalLong used(PermitStore of, Policy policy) throws Exception {
    return new StoreUsageReader(of, ticker, Duration.ofMillis(50), scheduler)
        .used(policy, KEY)
        .toCompletableFuture()
        .get(120, TimeUnit.SECONDS);
  }

  private Claim claim(Policy policy, long permits) {
    return Claim.of(new BucketId(policy.spec(), KEY), permits, policy.limit(), policy.limit());
  }

  private Policy period(Duration from, Duration to) {
    Instant now = Instant.EPOCH.plus(ticker.epochMicros(), ChronoUnit.MICROS);
    return Policy.builder("quota").limit(100).period(now.plus(from), now.plus(to)).build();
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void tellsWhatIsUsedAndTakesNothing(Algorithm algorithm) throws Exception {
    Policy policy =
        Policy.builder("any").limit(100).window(Duration.ofDays(1)).algorithm(algorithm).build();
    long taken = algorithm == Algorithm.LEAKY_BUCKET ? 1 : 40;
    assertEquals(OptionalLong.of(0), used(store, policy));
    store.execute(
        List.of(Claim.of(new BucketId(policy.spec(), KEY), taken, 100, policy.burstFor(100))));
    assertEquals(OptionalLong.of(taken), used(store, policy));
    assertEquals(OptionalLong.of(taken), used(store, policy));
  }

  @Test
  void tellsMoreThanTheLimit() throws Exception {
    Policy policy = period(Duration.ofDays(-1), Duration.ofDays(1));
    store.execute(
        List.of(Claim.builder(new BucketId(policy.spec(), KEY), 100, 100).debt(250).build()));
    assertEquals(OptionalLong.of(250), used(store, policy));
  }

  @Test
  void tellsOfAPeriodThatIsOverUntilItIsForgotten() throws Exception {
    Policy policy = period(Duration.ofDays(-1), Duration.ofDays(1));
    store.execute(List.of(claim(policy, 40)));
    ticker.advance(Duration.ofDays(40));
    assertEquals(OptionalLong.of(40), used(store, policy));
    ticker.advance(Duration.ofDays(1));
    assertEquals(OptionalLong.empty(), used(store, policy), "it is no longer known");
  }

  @Test
  void asksAgainByTheClockOfTheStore() throws Exception {
    Policy daily = Policy.builder("daily").limit(10).window(1, ChronoUnit.DAYS).zone("UTC").build();
    ticker.jumpWall(Duration.ofDays(3));
    assertEquals(OptionalLong.of(0), used(store, daily), "nothing is counted in any window");
    store.execute(List.of(claim(daily, 4)));
    assertEquals(OptionalLong.of(4), used(store, daily));
  }

  @Test
  void saysNothingWhereTheStoreDoesnt() throws Exception {
    Policy policy = period(Duration.ofDays(-1), Duration.ofDays(1));
    List<Function<List<Claim>, CompletionStage<List<Optional<Grant>>>>> away =
        List.of(
            claims -> CompletableFuture.failedStage(new IllegalStateException("away")),
            claims -> CompletableFuture.completedStage(List.of(Optional.empty())),
            claims -> CompletableFuture.completedStage(List.of()),
            claims -> new CompletableFuture<>(),
            claims -> {
              throw new IllegalStateException("broken");
            });
    for (var each : away) {
      assertEquals(OptionalLong.empty(), used(new Away(each), policy));
    }
    assertFalse(scheduler.isShutdown());
    scheduler.shutdownNow();
    assertEquals(OptionalLong.empty(), used(new Away(away.get(3)), policy), "closed");
  }

  private record Away(Function<List<Claim>, CompletionStage<List<Optional<Grant>>>> answer)
      implements PermitStore {
    @Override
    public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
      return answer.apply(claims);
    }

    @Override
    public long size() {
      return 0;
    }

    @Override
    public void close() {}
  }
}

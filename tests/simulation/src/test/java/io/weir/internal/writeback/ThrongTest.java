package io.weir.internal.writeback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.internal.permits.BucketRequest;
import io.weir.seeds.Seeds;
import io.weir.simulation.ForwardingStore;
import io.weir.store.Claim;
import io.weir.store.Epoch;
import io.weir.store.Grant;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many threads on one node, with a real scheduler and a store that answers on threads of its own.
 */
class ThrongTest {
  private static final int THREADS = 8;
  private static final int REQUESTS = 4_000;
  private static final int KEYS = 5;
  private static final long LIMIT = 2_000;

  private final FakeTicker ticker = new FakeTicker();
  private final HandStore store = new HandStore(ticker);
  private final ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(2);
  private final ExecutorService answering = Executors.newFixedThreadPool(2);
  private final ExecutorService callers = Executors.newFixedThreadPool(THREADS);
  private final AtomicLong admitted = new AtomicLong();

  @AfterEach
  void stop() {
    scheduler.shutdownNow();
    answering.shutdownNow();
    callers.shutdownNow();
  }

  /** A limit for an hour, since the time stands still but for what the test lets pass. */
  private static Policy policy(Algorithm algorithm) {
    return Policy.builder("throng")
        .limit(LIMIT)
        .window(Duration.ofHours(1))
        .algorithm(algorithm)
        .burst(algorithm == Algorithm.LEAKY_BUCKET ? LIMIT : 0)
        .build();
  }

  private WriteBackCache node(long maxBuckets) {
    return new WriteBackCache(
        new OtherThreads(store, answering),
        new WriteBackSettings(
            Duration.ofMillis(10), Duration.ofSeconds(20), maxBuckets, 1, "n", true),
        ticker,
        scheduler,
        new Bench.Told());
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void permitsAreNeitherMadeNorLost(Algorithm algorithm) throws Exception {
    long seed = Seeds.first();
    WriteBackCache node = node(1_000);
    throng(node, policy(algorithm), seed);
    node.close();
    assertEquals(admitted.get(), store.granted - store.giveBacks, "seed " + seed);
    assertTrue(admitted.get() <= KEYS * LIMIT, "admitted " + admitted);
    assertTrue(admitted.get() >= KEYS * LIMIT / 2, "and was busy: " + admitted);
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void noKeyGetsMoreWhereEntriesAreEvictedAllTheTime(Algorithm algorithm) throws Exception {
    long seed = Seeds.first();
    WriteBackCache node = node(2);
    throng(node, policy(algorithm), seed);
    node.close();
    assertTrue(admitted.get() <= store.granted, "seed " + seed);
    assertTrue(store.granted - store.giveBacks <= KEYS * LIMIT, "seed " + seed);
  }

  private void throng(WriteBackCache node, Policy policy, long seed) throws Exception {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    SplittableRandom seeds = new SplittableRandom(seed);
    for (int i = 0; i < THREADS; i++) {
      SplittableRandom random = seeds.split();
      all.add(CompletableFuture.runAsync(() -> requests(node, policy, random), callers));
    }
    CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(120, TimeUnit.SECONDS);
  }

  private void requests(WriteBackCache node, Policy policy, SplittableRandom random) {
    for (int i = 0; i < REQUESTS; i++) {
      BucketRequest request =
          Bench.request(policy, "key" + random.nextInt(KEYS), 1 + random.nextInt(3));
      Grant grant = take(node, request, random.nextInt(3) > 0);
      admitted.addAndGet(grant.permits());
      if (grant.permits() > 0 && random.nextInt(4) == 0) {
        node.giveBack(request, grant.stamp(), grant.permits());
        admitted.addAndGet(-grant.permits());
      }
    }
  }

  /** Takes; in most cases a thread that waits may talk to the store itself. */
  private static Grant take(WriteBackCache node, BucketRequest request, boolean blocks) {
    List<BucketRequest> only = List.of(request);
    CompletionStage<List<Optional<Grant>>> taken =
        blocks ? node.takeBlocking(only) : node.take(only);
    return taken.toCompletableFuture().join().get(0).orElseThrow();
  }

  /** Answers on other threads than those that ask, unless these wait. */
  private static final class OtherThreads extends ForwardingStore {
    private final ExecutorService threads;

    OtherThreads(HandStore store, ExecutorService threads) {
      super(store);
      this.threads = threads;
    }

    @Override
    public CompletableFuture<List<Optional<Grant>>> execute(
        int partition, Epoch epoch, List<Claim> claims) {
      return CompletableFuture.supplyAsync(
          () -> super.execute(partition, epoch, claims).toCompletableFuture().join(), threads);
    }

    @Override
    public CompletionStage<List<Optional<Grant>>> executeBlocking(
        int partition, Epoch epoch, List<Claim> claims, long mostMicros, Runnable meanwhile) {
      CompletionStage<List<Optional<Grant>>> answers = super.execute(partition, epoch, claims);
      meanwhile.run();
      return answers;
    }
  }
}

package io.weir.benchmarks.redis;

import io.weir.Key;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.internal.engine.StoreLocator;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.RequestTerms;
import io.weir.internal.permits.StoreListener;
import io.weir.internal.writeback.WriteBackCache;
import io.weir.internal.writeback.WriteBackSettings;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.LeasingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A cache of leases with many buckets that owe the store a permit each, which one flush reports: as
 * after an interval in which every caller was admitted ahead of the store.
 *
 * <p>Confine to one thread.
 */
final class Dirty implements AutoCloseable, StoreListener {
  private static final Duration FLUSH = Duration.ofSeconds(10);
  private static final long LIMIT = 1_000_000;

  private final HeldFlush scheduler = new HeldFlush(FLUSH.toNanos());
  private final LeasingStore store;
  private final WriteBackCache cache;
  private final List<BucketRequest> debts = new ArrayList<>();
  private final AtomicLong toSettle = new AtomicLong();
  private volatile CountDownLatch settled = new CountDownLatch(0);
  private volatile String trouble = "";
  private final boolean drains;
  private int rounds;

  Dirty(String redis, Algorithm algorithm, int buckets) {
    drains = algorithm == Algorithm.TOKEN_BUCKET;
    store =
        (LeasingStore)
            StoreLocator.open(
                redis, name -> name.equals("weir.store.timeout") ? "9 s" : "", Ticker.system());
    // Debts alone, without the permits that a claim of a debt would ask for besides.
    WriteBackSettings settings =
        new WriteBackSettings(FLUSH, Duration.ofSeconds(9), buckets, 1, "benchmark", false);
    cache = new WriteBackCache(store, settings, Ticker.system(), scheduler, this);
    Policy policy =
        Policy.builder("dirty")
            .limit(LIMIT)
            .window(Duration.ofDays(1))
            .algorithm(algorithm)
            .build();
    for (int i = 0; i < buckets; i++) {
      BucketId bucket = new BucketId(policy.spec(), Key.of("caller-" + i));
      debts.add(
          new BucketRequest(new RequestTerms(policy, 1, LIMIT, LIMIT, LIMIT, 0), bucket, false));
    }
  }

  /** Flushes all buckets once, and returns how many were charged per second. */
  double round() throws InterruptedException {
    debts.forEach(cache::owe);
    rounds++;
    toSettle.set(debts.size());
    settled = new CountDownLatch(1);
    long begin = System.nanoTime();
    scheduler.flush();
    if (!settled.await(1, TimeUnit.MINUTES) || !trouble.isEmpty()) {
      throw new IllegalStateException("the flush didn't come to its end: " + trouble);
    }
    return debts.size() * 1e9 / (System.nanoTime() - begin);
  }

  /** Checks that the store has charged each debt once. */
  void check() {
    for (int i = 0; i < debts.size(); i += 1_009) {
      Claim look = Claim.peek(debts.get(i).bucket(), 1, LIMIT, LIMIT);
      long left =
          store.execute(List.of(look)).toCompletableFuture().join().get(0).orElseThrow().left();
      if (drains ? left >= LIMIT : left != LIMIT - rounds) {
        throw new IllegalStateException(rounds + " flushes left " + left);
      }
    }
  }

  @Override
  public void storeExecuted(int claims, long nanos) {
    if (toSettle.addAndGet(-claims) == 0) {
      settled.countDown();
    }
  }

  @Override
  public void failed(Throwable cause) {
    trouble = cause.toString();
    settled.countDown();
  }

  @Override
  public void answered() {}

  @Override
  public void close() {
    cache.close();
    scheduler.shutdownNow();
  }
}

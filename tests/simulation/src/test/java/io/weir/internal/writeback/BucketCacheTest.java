package io.weir.internal.writeback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.internal.clock.ExtendableTimeout;
import io.weir.internal.clock.NodeClock;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.writeback.debt.OvershootAllowance;
import io.weir.internal.writeback.debt.OvershootShareHistory;
import io.weir.internal.writeback.lease.LeaseHorizon;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;
import org.junit.jupiter.api.Test;

/** Which bucket is evicted, and how many stay. */
class BucketCacheTest {
  private static final int MAX = 100;
  private static final int THREADS = 4;
  private static final int MANY_THREADS = 64;

  private final NodeClock clock = new NodeClock(Ticker.system());
  private final CacheContext context =
      new CacheContext(
          clock,
          new LeaseHorizon(100_000, 5_000, true),
          new ExtendableTimeout(clock::micros, 50_000),
          new OvershootAllowance(new OvershootShareHistory(), MAX),
          new FlushQueue<>(1_000, FlushableBucket::isGone),
          new EvictedBacklogLimit(MAX));
  private final BucketCache buckets = new BucketCache(MAX, context, new BucketLookupTable(MAX));
  private final Policy policy = Bench.sliding(10);

  private BucketRequest request(String key) {
    return Bench.request(policy, key, 1);
  }

  private void touch(String prefix, int from, int to) {
    for (int i = from; i < to; i++) {
      buckets.activate(request(prefix + i));
    }
  }

  private boolean holds(String key) {
    return buckets.find(policy.spec(), Key.of(key)) != null;
  }

  @Test
  void evictsTheBucketThatWasUsedLongestAgo() {
    touch("key", 0, MAX);
    buckets.markUsed(request("key0").bucket());
    touch("new", 0, 2);
    assertTrue(holds("key0"), "used since");
    assertFalse(holds("key1"));
    assertFalse(holds("key2"));
    assertTrue(holds("key3"));
    assertTrue(holds("new0"));
    assertEquals(MAX, buckets.size());
  }

  /** A visitor that leaves must not keep those out that come after it. */
  @Test
  void aBucketThatWasUsedOftenGivesWayToOnesUsedSince() {
    for (int i = 0; i < 20; i++) {
      touch("left", 0, MAX);
    }
    touch("here", 0, MAX);
    for (int i = 0; i < MAX; i++) {
      assertFalse(holds("left" + i));
      assertTrue(holds("here" + i));
    }
  }

  @Test
  void isNoLargerThanItMayBeWhenManyThreadsFillIt() throws Exception {
    CompletableFuture<?>[] all = new CompletableFuture<?>[THREADS];
    for (int i = 0; i < THREADS; i++) {
      String prefix = i + "-";
      all[i] = CompletableFuture.runAsync(() -> touch(prefix, 0, 2_000));
    }
    CompletableFuture.allOf(all).get(5, TimeUnit.MINUTES);
    assertEquals(MAX, buckets.size());
  }

  /** The thread that evicts gets as little of the processors as any other. */
  @Test
  void isNotMuchLargerWhileVeryManyThreadsFillIt() throws Exception {
    LongAccumulator largest = new LongAccumulator(Math::max, 0);
    CountDownLatch go = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(MANY_THREADS);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < MANY_THREADS; i++) {
        String prefix = i + "-";
        all.add(
            threads.submit(
                () -> {
                  go.await();
                  for (int key = 0; key < 500; key++) {
                    buckets.activate(request(prefix + key));
                    largest.accumulate(buckets.size());
                  }
                  return null;
                }));
      }
      go.countDown();
      for (Future<?> each : all) {
        each.get(5, TimeUnit.MINUTES);
      }
    } finally {
      threads.shutdownNow();
    }
    assertEquals(MAX, buckets.size());
    // Each thread may have added one that it is about to evict.
    long most = MAX + MAX / 16 + MANY_THREADS;
    assertTrue(largest.get() <= most, () -> largest + " instead of at most " + most);
  }
}

package io.weir.internal.writeback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.internal.clock.ExtendableTimeout;
import io.weir.internal.clock.NodeClock;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.RequestTerms;
import io.weir.internal.writeback.debt.OvershootAllowance;
import io.weir.internal.writeback.debt.OvershootShareHistory;
import io.weir.internal.writeback.lease.LeaseHorizon;
import io.weir.store.BucketId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BucketLookupTableTest {
  private static final int MAX = 100;

  private final NodeClock clock = new NodeClock(Ticker.system());
  private final CacheContext context =
      new CacheContext(
          clock,
          new LeaseHorizon(100_000, 5_000, true),
          new ExtendableTimeout(clock::micros, 50_000),
          new OvershootAllowance(new OvershootShareHistory(), MAX),
          new FlushQueue<>(1_000, FlushableBucket::isGone),
          new EvictedBacklogLimit(MAX));
  private final BucketLookupTable recent = new BucketLookupTable(MAX);
  private final BucketCache buckets = new BucketCache(MAX, context, recent);
  private final Policy policy = policy(Duration.ofMinutes(1));

  private static Policy policy(Duration window) {
    return Policy.builder("policy").limit(10).window(window).build();
  }

  private ActiveBucket active(String key) {
    BucketId bucket = new BucketId(policy.spec(), Key.of(key));
    return buckets.activate(
        new BucketRequest(new RequestTerms(policy, 1, 10, 10, 10, 0), bucket, false));
  }

  private @Nullable ActiveBucket found(String key) {
    return recent.find(policy.spec(), Key.of(key));
  }

  @Test
  void remembersWhatTheCacheFound() {
    ActiveBucket active = active("key");
    assertNull(found("key"));
    assertSame(active, buckets.find(policy.spec(), Key.of("key")));
    assertSame(active, found("key"));
  }

  @Test
  void tellsShapesOfOneNameApart() {
    active("key");
    buckets.find(policy.spec(), Key.of("key"));
    assertNull(buckets.find(policy(Duration.ofHours(1)).spec(), Key.of("key")));
  }

  @Test
  void anEvictedEntryIsFoundNoMore() {
    ActiveBucket active = active("key");
    buckets.find(policy.spec(), Key.of("key"));
    buckets.evictAll();
    assertNull(found("key"));
    recent.add(active); // by a thread that found it in the cache just before
    assertNull(found("key"));
    assertNotSame(active, active("key"));
  }

  @Test
  void findsTheRightOneAlsoWhereManyShareAPlace() {
    BucketLookupTable few = new BucketLookupTable(1);
    int still = 0;
    for (int i = 0; i < MAX; i++) {
      few.add(active("key" + i));
    }
    for (int i = 0; i < MAX; i++) {
      ActiveBucket found = few.find(policy.spec(), Key.of("key" + i));
      assertTrue(found == null || found == active("key" + i));
      still += found == null ? 0 : 1;
    }
    assertEquals(4, still, "two pairs of slots");
  }
}

package io.weir.internal.writeback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.BucketId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecentBucketsTest {
  private static final int MOST = 100;

  private final CacheContext node =
      new CacheContext(
          new NodeClock(Ticker.system()),
          new LeaseHorizon(100_000, 5_000),
          50_000,
          new OvershootAllowance(new OvershootShares(), 100),
          new FlushQueue(1_000),
          new EvictedBacklog(MOST),
          new RecentBuckets(MOST));
  private final BucketCache entries = new BucketCache(MOST, node);
  private final Policy policy = policy(Duration.ofMinutes(1));

  private static Policy policy(Duration window) {
    return Policy.builder("policy").limit(10).window(window).build();
  }

  private ActiveBucket entry(String key) {
    BucketId bucket = new BucketId(policy.spec(), Key.of(key));
    return entries.of(new BucketRequest(new RequestTerms(policy, 1, 10, 10, 10, 0), bucket, false));
  }

  private @Nullable ActiveBucket found(String key) {
    return node.shortcuts().find(policy.spec(), Key.of(key));
  }

  @Test
  void remembersWhatTheCacheFound() {
    ActiveBucket entry = entry("key");
    assertNull(found("key"));
    assertSame(entry, entries.find(policy.spec(), Key.of("key")));
    assertSame(entry, found("key"));
  }

  @Test
  void tellsShapesOfOneNameApart() {
    entry("key");
    entries.find(policy.spec(), Key.of("key"));
    assertNull(entries.find(policy(Duration.ofHours(1)).spec(), Key.of("key")));
  }

  @Test
  void anEvictedEntryIsFoundNoMore() {
    ActiveBucket entry = entry("key");
    entries.find(policy.spec(), Key.of("key"));
    entries.evictAll();
    assertNull(found("key"));
    node.shortcuts().add(entry); // by whoever found it in the cache just before
    assertNull(found("key"));
    assertNotSame(entry, entry("key"));
  }

  @Test
  void findsTheRightOneAlsoWhereManyShareAPlace() {
    RecentBuckets few = new RecentBuckets(1);
    int still = 0;
    for (int i = 0; i < MOST; i++) {
      few.add(entry("key" + i));
    }
    for (int i = 0; i < MOST; i++) {
      ActiveBucket found = few.find(policy.spec(), Key.of("key" + i));
      assertTrue(found == null || found == entry("key" + i));
      still += found == null ? 0 : 1;
    }
    assertEquals(4, still, "two places of two");
  }
}

package io.weir.internal.writeback;

import io.weir.Key;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.BucketId;
import java.time.Duration;

/**
 * A bucket of a node at which time stands still. All of it is made once: what is made in a scenario
 * is watched step by step.
 */
final class Still {
  static final long NOW = 0;
  static final long LIMIT = 1_000;
  static final Key KEY = Key.of("caller");
  static final Policy POLICY =
      Policy.builder("p")
          .limit(LIMIT)
          .window(Duration.ofMinutes(1))
          .algorithm(Algorithm.FIXED_WINDOW)
          .build();
  static final RequestTerms OFFER = new RequestTerms(POLICY, 1, LIMIT, LIMIT, LIMIT, 0);
  static final BucketId BUCKET = new BucketId(POLICY.spec(), KEY);
  static final BucketRequest WISH = new BucketRequest(OFFER, BUCKET, false);
  static final LeaseHorizon PACE = new LeaseHorizon(100_000, 5_000);
  static final long TIMEOUT = 50_000;
  static final OvershootAllowance OVERDRAFT = new OvershootAllowance(new OvershootShares(), 1);
  static final NodeClock CLOCK =
      new NodeClock(
          new Ticker() {
            @Override
            public long nanoTime() {
              return 0;
            }

            @Override
            public long epochMicros() {
              return 0;
            }
          });

  private Still() {}

  /** A node of a bucket or two. */
  static CacheContext node() {
    FlushQueue busy = new FlushQueue(10);
    return new CacheContext(
        CLOCK, PACE, TIMEOUT, OVERDRAFT, busy, new EvictedBacklog(10), new RecentBuckets(1));
  }

  /** An entry of it. */
  static ActiveBucket entry(BucketRequest wish, CacheContext node) {
    ActiveBucket opened = new CachedBucket(wish.bucket()).open(wish, node);
    if (opened == null) {
      throw new IllegalStateException("evicted before it was opened");
    }
    return opened;
  }
}

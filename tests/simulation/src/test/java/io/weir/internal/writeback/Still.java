package io.weir.internal.writeback;

import io.weir.Key;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.internal.clock.ExtendableTimeout;
import io.weir.internal.clock.NodeClock;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.RequestTerms;
import io.weir.internal.writeback.debt.OvershootAllowance;
import io.weir.internal.writeback.debt.OvershootShareHistory;
import io.weir.internal.writeback.lease.BucketLimits;
import io.weir.internal.writeback.lease.LeaseHorizon;
import io.weir.store.BucketId;
import java.time.Duration;

/**
 * A bucket of a node at which time stands still. All of it is made once: what is made in a scenario
 * is watched step by step.
 */
public final class Still {
  public static final long NOW = 0;
  public static final long LIMIT = 1_000;
  public static final Key KEY = Key.of("caller");
  public static final Policy POLICY =
      Policy.builder("p")
          .limit(LIMIT)
          .window(Duration.ofMinutes(1))
          .algorithm(Algorithm.FIXED_WINDOW)
          .build();
  public static final RequestTerms TERMS = new RequestTerms(POLICY, 1, LIMIT, LIMIT, LIMIT, 0);
  public static final BucketId BUCKET = new BucketId(POLICY.spec(), KEY);
  public static final RequestTerms LOWER =
      new RequestTerms(POLICY, 1, LIMIT - 1, LIMIT - 1, LIMIT - 1, 0);

  public static final BucketRequest REQUEST = new BucketRequest(TERMS, BUCKET, false);
  public static final LeaseHorizon HORIZON = new LeaseHorizon(100_000, 5_000, true);
  public static final OvershootAllowance ALLOWANCE =
      new OvershootAllowance(new OvershootShareHistory(), 1);
  public static final NodeClock CLOCK =
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

  public static final ExtendableTimeout TIMEOUT = new ExtendableTimeout(CLOCK::micros, 50_000);

  private Still() {}

  /** Makes the context of a cache of one or two buckets. */
  static CacheContext context() {
    FlushQueue<FlushableBucket> flushQueue = new FlushQueue<>(10, FlushableBucket::isGone);
    return new CacheContext(
        CLOCK, HORIZON, TIMEOUT, ALLOWANCE, flushQueue, new EvictedBacklogLimit(10));
  }

  /** An active bucket of it. */
  static ActiveBucket active(BucketRequest request, CacheContext context) {
    ActiveBucket made =
        new CachedBucket().activate(request.bucket(), BucketLimits.of(request), context);
    if (made == null) {
      throw new IllegalStateException("evicted before it was active");
    }
    return made;
  }
}

package io.weir.internal.writeback;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy.FixedExpiration;
import com.github.benmanes.caffeine.cache.Ticker;
import io.weir.Key;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.writeback.lease.BucketLimits;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Grant;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps cached buckets up to a maximum, and through them the active ones.
 *
 * <p>The bucket that was used longest ago is evicted first: leases expire with time, and a caller
 * that has left had as many requests as one that is here. A cache that prefers what is used often,
 * as Caffeine does by itself, evicts the callers of the moment.
 *
 * <p>A bucket is sealed while it is evicted, before it can be cached again. A thread that finds a
 * sealed one gets the bucket from here again.
 *
 * <p>Safe for concurrent use.
 */
final class BucketCache {
  /**
   * The size of the cache for each bucket that is evicted besides those that are too many, since
   * looking for them has a price.
   */
  private static final int BUCKETS_PER_SPARE_EVICTION = 4_096;

  /** The size of the cache for each bucket that may be too many while another thread evicts. */
  private static final int BUCKETS_PER_EXCESS = 16;

  private final Cache<BucketId, CachedBucket> cache;
  private final FixedExpiration<BucketId, CachedBucket> order;
  private final long maxBuckets;
  private final ReentrantLock evicting = new ReentrantLock();
  private final CacheContext context;
  private final BucketLookupTable recent;
  private final Map<BucketSpec, BucketLimits> limits = new ConcurrentHashMap<>();

  BucketCache(long maxBuckets, CacheContext context, BucketLookupTable recent) {
    this.maxBuckets = maxBuckets;
    this.context = context;
    this.recent = recent;
    this.cache =
        Caffeine.newBuilder()
            .expireAfterAccess(Duration.ofNanos(Long.MAX_VALUE)) // never; for the order of use
            .ticker(Ticker.disabledTicker())
            .executor(Runnable::run)
            .build();
    this.order = cache.policy().expireAfterAccess().orElseThrow();
  }

  /**
   * Evicts buckets until there are few enough, unless another thread does. If there are many too
   * many, it waits for that one, which may have to share the processors with hundreds that go on
   * adding.
   */
  private void evictOldest() {
    for (long excess = excess(); excess > 0 && mayEvict(excess); excess = excess()) {
      try {
        evict(excess()); // of other threads too, which have left it to this one
      } finally {
        evicting.unlock();
      }
    }
  }

  private boolean mayEvict(long excess) {
    if (excess <= maxBuckets / BUCKETS_PER_EXCESS) {
      return evicting.tryLock();
    }
    evicting.lock();
    return true;
  }

  private void evict(long excess) {
    if (excess > 0) {
      long all = excess + maxBuckets / BUCKETS_PER_SPARE_EVICTION;
      order.oldest((int) Math.min(Integer.MAX_VALUE, all)).keySet().forEach(this::evictOne);
    }
  }

  private long excess() {
    return cache.estimatedSize() - maxBuckets;
  }

  private void evictOne(BucketId bucket) {
    CachedBucket unused =
        cache
            .asMap()
            .computeIfPresent(
                bucket,
                (same, cached) -> {
                  evicted(same, cached, EvictionReason.TOO_MANY); // before it can be cached again
                  return null;
                });
  }

  private void evicted(BucketId bucket, CachedBucket cached, EvictionReason why) {
    ActiveBucket active = cached.evict(bucket, context.allowance(), why);
    if (active != null) {
      recent.remove(active);
    }
  }

  /** Returns null if the bucket isn't cached. */
  @Nullable LocalDecider find(BucketSpec spec, Key key) {
    ActiveBucket known = recent.find(spec, key);
    return known != null ? known : findInCache(new BucketId(spec, key));
  }

  private @Nullable LocalDecider findInCache(BucketId bucket) {
    CachedBucket cached = cache.getIfPresent(bucket);
    ActiveBucket active = cached == null ? null : cached.active();
    if (active != null) {
      recent.add(active);
      return active;
    }
    return cached;
  }

  /** Returns whether the bucket of a request is at rest and would admit that. */
  boolean admitsAtRest(BucketRequest request, long now) {
    CachedBucket cached = cache.getIfPresent(request.bucket());
    return cached != null && cached.wouldAdmit(request.terms(), now);
  }

  /** Spends permits that a bucket at rest keeps; null if it isn't at rest or has too few. */
  @Nullable Grant spendAtRest(BucketRequest request, long now) {
    CachedBucket cached = cache.getIfPresent(request.bucket());
    return cached == null ? null : cached.spend(request.terms(), now);
  }

  /** Marks a bucket as used, so that the cache evicts others first. */
  void markUsed(BucketId bucket) {
    CachedBucket unused = cache.getIfPresent(bucket);
  }

  void forgetActive(FlushableBucket active) {
    recent.remove(active);
  }

  ActiveBucket activate(BucketRequest request) {
    while (true) {
      CachedBucket cached = cached(request.bucket());
      ActiveBucket active = cached.active();
      active = active != null ? active : activate(cached, request);
      if (active != null) {
        return active;
      } // else that one is being evicted
    }
  }

  /** Applies a step to an active bucket, again if that is evicted and so returns null. */
  <T> T untilDone(BucketRequest request, Function<ActiveBucket, @Nullable T> step) {
    while (true) {
      T done = step.apply(activate(request));
      if (done != null) {
        return done;
      }
    }
  }

  void refund(BucketRequest request, long stamp, long permits, long now) {
    ActiveBucket unused =
        untilDone(request, active -> active.refund(stamp, permits, now) ? active : null);
  }

  private @Nullable ActiveBucket activate(CachedBucket cached, BucketRequest request) {
    BucketLimits inForce = BucketLimits.of(request);
    BucketSpec spec = request.bucket().spec();
    // Not of periods: each is new, and its limits are never looked up.
    if (!spec.isOfPeriod() && !inForce.equals(limits.get(spec))) {
      limits.put(spec, inForce);
    }
    return cached.activate(request.bucket(), inForce, context);
  }

  /** Returns the limits of the bucket of this spec that was activated last. */
  BucketLimits limits(BucketSpec spec) {
    return limits.getOrDefault(spec, BucketLimits.NONE);
  }

  void forEach(BiConsumer<BucketId, CachedBucket> visit) {
    cache.asMap().forEach(visit);
  }

  private CachedBucket cached(BucketId bucket) {
    CachedBucket known = cache.getIfPresent(bucket);
    if (known != null) {
      return known;
    }
    CachedBucket cached = cache.get(bucket, any -> new CachedBucket());
    evictOldest();
    return cached;
  }

  /** Evicts all buckets and gives back all permits, even the rest of a live far lease. */
  void evictAll() {
    evict(any -> true);
  }

  /** Evicts some buckets, gives back their permits, and forgets what is known of them. */
  void evict(Predicate<BucketId> which) {
    cache
        .asMap()
        .forEach(
            (bucket, cached) -> {
              if (which.test(bucket)) {
                evict(bucket, cached, EvictionReason.LET_GO);
              }
            });
  }

  /** Evicts a bucket that was reset, gives back its permits, and forgets all else of it. */
  void evictAfterReset(BucketId bucket) {
    CachedBucket cached = cache.policy().getIfPresentQuietly(bucket);
    if (cached != null) {
      evict(bucket, cached, EvictionReason.RESET);
    }
  }

  private void evict(BucketId bucket, CachedBucket cached, EvictionReason why) {
    if (cached.isWorthGivingBack(context.now())) {
      ActiveBucket unused = cached.activate(bucket, limits(bucket.spec()), context);
    }
    evicted(bucket, cached, why);
    cache.asMap().remove(bucket, cached);
  }

  long size() {
    return cache.estimatedSize();
  }
}

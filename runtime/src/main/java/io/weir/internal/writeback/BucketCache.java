package io.weir.internal.writeback;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.Key;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.writeback.lease.BucketLimits;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The cached buckets, up to a number, and through them the active ones.
 *
 * <p>A bucket is sealed while it is evicted, before it can be cached again. A thread that meets a
 * sealed one gets it from here once more.
 *
 * <p>Safe for concurrent use.
 */
final class BucketCache {
  private final Cache<BucketId, CachedBucket> cache;
  private final CacheContext context;
  private final BucketLookupTable recent;
  private final Map<BucketSpec, BucketLimits> limits = new ConcurrentHashMap<>();

  BucketCache(long maxBuckets, CacheContext context, BucketLookupTable recent) {
    this.context = context;
    this.recent = recent;
    this.cache =
        Caffeine.newBuilder()
            .maximumSize(maxBuckets)
            .executor(Runnable::run)
            .evictionListener((bucket, cached, cause) -> evicted((CachedBucket) cached, false))
            .build();
  }

  private void evicted(@Nullable CachedBucket cached, boolean tellsAll) {
    ActiveBucket active = cached == null ? null : cached.evict(context.allowance(), tellsAll);
    if (active != null) {
      recent.remove(active);
    }
  }

  /** The active bucket of a spec and a key; null if there is none. */
  @Nullable ActiveBucket find(BucketSpec spec, Key key) {
    ActiveBucket known = recent.find(spec, key);
    return known != null ? known : findInCache(new BucketId(spec, key));
  }

  private @Nullable ActiveBucket findInCache(BucketId bucket) {
    CachedBucket cached = cache.getIfPresent(bucket);
    ActiveBucket active = cached == null ? null : cached.active();
    if (active != null) {
      recent.add(active);
    }
    return active;
  }

  /** Lets the cache know that an active bucket is used, so that it evicts others first. */
  void used(ActiveBucket active) {
    CachedBucket read = cache.getIfPresent(active.bucket());
    assert read == null || read.bucket().equals(active.bucket());
  }

  /** A bucket isn't active any more. */
  void left(ActiveBucket active) {
    recent.remove(active);
  }

  /** The active bucket of a request; made if there is none. */
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

  /** Does something with an active bucket, once more if that is evicted and so returns null. */
  <T> T untilDone(BucketRequest request, Function<ActiveBucket, @Nullable T> step) {
    while (true) {
      T done = step.apply(activate(request));
      if (done != null) {
        return done;
      }
    }
  }

  private @Nullable ActiveBucket activate(CachedBucket cached, BucketRequest request) {
    BucketLimits inForce = BucketLimits.of(request);
    if (!inForce.equals(limits.get(request.bucket().spec()))) {
      limits.put(request.bucket().spec(), inForce);
    }
    return cached.activate(inForce, context);
  }

  /** The limits of the bucket of this spec that came into use last. */
  BucketLimits limits(BucketSpec spec) {
    return limits.getOrDefault(spec, BucketLimits.NONE);
  }

  void forEach(Consumer<CachedBucket> visit) {
    cache.asMap().values().forEach(visit);
  }

  private CachedBucket cached(BucketId bucket) {
    CachedBucket cached = cache.getIfPresent(bucket);
    return cached != null ? cached : cache.get(bucket, CachedBucket::new);
  }

  /** Evicts all of them; whatever one holds is given back, even what is left of a far lease. */
  void evictAll() {
    for (CachedBucket cached : cache.asMap().values()) {
      cached.wakeToGiveBack(limits(cached.bucket().spec()), context);
      evicted(cached, true);
      cache.asMap().remove(cached.bucket(), cached);
    }
  }

  long size() {
    return cache.estimatedSize();
  }
}

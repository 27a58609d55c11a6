package io.weir.internal.writeback;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.Key;
import io.weir.internal.permits.BucketRequest;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The buckets that are asked for, so many at most, and the entries of those in use.
 *
 * <p>A bucket that leaves is sealed while it leaves, before it can come again. A thread that meets
 * a sealed one looks again.
 *
 * <p>Safe for concurrent use.
 */
final class BucketCache {
  private final Cache<BucketId, CachedBucket> cache;
  private final CacheContext node;
  private final Map<BucketSpec, BucketTerms> terms = new ConcurrentHashMap<>();

  BucketCache(long most, CacheContext node) {
    this.node = node;
    this.cache =
        Caffeine.newBuilder()
            .maximumSize(most)
            .executor(Runnable::run)
            .evictionListener((bucket, place, cause) -> evicted((CachedBucket) place))
            .build();
  }

  private void evicted(@Nullable CachedBucket place) {
    if (place != null) {
      place.evict(node.overdraft());
    }
  }

  /** The entry of a bucket that is in use. */
  @Nullable ActiveBucket find(BucketSpec spec, Key key) {
    ActiveBucket known = node.shortcuts().find(spec, key);
    return known != null ? known : findInCache(new BucketId(spec, key));
  }

  private @Nullable ActiveBucket findInCache(BucketId bucket) {
    CachedBucket place = cache.getIfPresent(bucket);
    ActiveBucket entry = place == null ? null : place.entry();
    if (entry != null) {
      node.shortcuts().add(entry);
    }
    return entry;
  }

  /** Lets the cache know that an entry is in use, for when it has to choose whom to evict. */
  void used(ActiveBucket entry) {
    CachedBucket read = cache.getIfPresent(entry.bucket());
    assert read == null || read.bucket().equals(entry.bucket());
  }

  /** The entry of a bucket that is in use from now on. */
  ActiveBucket of(BucketRequest wish) {
    while (true) {
      CachedBucket place = place(wish.bucket());
      ActiveBucket entry = place.entry();
      entry = entry != null ? entry : open(place, wish);
      if (entry != null) {
        return entry;
      } // else that place is being evicted
    }
  }

  private @Nullable ActiveBucket open(CachedBucket place, BucketRequest wish) {
    BucketTerms inForce = BucketTerms.of(wish);
    if (!inForce.equals(terms.get(wish.bucket().spec()))) {
      terms.put(wish.bucket().spec(), inForce);
    }
    return place.open(wish, node);
  }

  /** What was in force for the bucket of this kind that came into use last. */
  BucketTerms terms(BucketSpec spec) {
    return terms.getOrDefault(spec, BucketTerms.NONE);
  }

  void forEach(Consumer<CachedBucket> look) {
    cache.asMap().values().forEach(look);
  }

  private CachedBucket place(BucketId bucket) {
    CachedBucket place = cache.getIfPresent(bucket);
    return place != null ? place : cache.get(bucket, CachedBucket::new);
  }

  /** Lets all go. */
  void evictAll() {
    for (CachedBucket place : cache.asMap().values()) {
      evicted(place);
      cache.asMap().remove(place.bucket(), place);
    }
  }

  long size() {
    return cache.estimatedSize();
  }
}

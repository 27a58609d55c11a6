package io.weir.writeback;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.Key;
import io.weir.Shape;
import io.weir.store.Bucket;
import io.weir.store.Wish;
import org.jspecify.annotations.Nullable;

/**
 * The entries of the buckets that are asked for, so many at most.
 *
 * <p>An entry that leaves is sealed while it leaves, before a newer one of its bucket can come. A
 * thread that meets a sealed entry looks again.
 *
 * <p>Safe for concurrent use.
 */
final class Entries {
  private final Cache<Bucket, Entry> cache;
  private final Node node;

  Entries(long most, Node node) {
    this.node = node;
    this.cache =
        Caffeine.newBuilder()
            .maximumSize(most)
            .executor(Runnable::run)
            .evictionListener((bucket, entry, cause) -> evicted((Entry) entry))
            .build();
  }

  private static void evicted(@Nullable Entry entry) {
    if (entry != null) {
      entry.evict();
    }
  }

  /** The entry of a bucket that is in use. */
  @Nullable Entry find(Shape shape, Key key) {
    return cache.getIfPresent(new Bucket(shape, key));
  }

  Entry of(Wish wish) {
    Entry entry = cache.getIfPresent(wish.bucket());
    return entry != null ? entry : cache.get(wish.bucket(), bucket -> new Entry(wish, node));
  }

  /** Lets all go. */
  void evictAll() {
    for (Entry entry : cache.asMap().values()) {
      entry.evict();
      cache.asMap().remove(entry.bucket(), entry);
    }
  }

  long size() {
    return cache.estimatedSize();
  }
}

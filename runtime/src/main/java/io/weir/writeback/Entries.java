package io.weir.writeback;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.Key;
import io.weir.Shape;
import io.weir.store.Bucket;
import io.weir.store.Wish;
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
final class Entries {
  private final Cache<Bucket, Place> cache;
  private final Node node;
  private final Map<Shape, Terms> terms = new ConcurrentHashMap<>();

  Entries(long most, Node node) {
    this.node = node;
    this.cache =
        Caffeine.newBuilder()
            .maximumSize(most)
            .executor(Runnable::run)
            .evictionListener((bucket, place, cause) -> evicted((Place) place))
            .build();
  }

  private void evicted(@Nullable Place place) {
    if (place != null) {
      place.evict(node.overdraft());
    }
  }

  /** The entry of a bucket that is in use. */
  @Nullable Entry find(Shape shape, Key key) {
    Entry known = node.shortcuts().find(shape, key);
    return known != null ? known : findInCache(new Bucket(shape, key));
  }

  private @Nullable Entry findInCache(Bucket bucket) {
    Place place = cache.getIfPresent(bucket);
    Entry entry = place == null ? null : place.entry();
    if (entry != null) {
      node.shortcuts().add(entry);
    }
    return entry;
  }

  /** Lets the cache know that an entry is in use, for when it has to choose whom to evict. */
  void used(Entry entry) {
    Place read = cache.getIfPresent(entry.bucket());
    assert read == null || read.bucket().equals(entry.bucket());
  }

  /** The entry of a bucket that is in use from now on. */
  Entry of(Wish wish) {
    while (true) {
      Place place = place(wish.bucket());
      Entry entry = place.entry();
      entry = entry != null ? entry : open(place, wish);
      if (entry != null) {
        return entry;
      } // else that place is being evicted
    }
  }

  private @Nullable Entry open(Place place, Wish wish) {
    Terms inForce = Terms.of(wish);
    if (!inForce.equals(terms.get(wish.bucket().shape()))) {
      terms.put(wish.bucket().shape(), inForce);
    }
    return place.open(wish, node);
  }

  /** What was in force for the bucket of this kind that came into use last. */
  Terms terms(Shape shape) {
    return terms.getOrDefault(shape, Terms.NONE);
  }

  void forEach(Consumer<Place> look) {
    cache.asMap().values().forEach(look);
  }

  private Place place(Bucket bucket) {
    Place place = cache.getIfPresent(bucket);
    return place != null ? place : cache.get(bucket, Place::new);
  }

  /** Lets all go. */
  void evictAll() {
    for (Place place : cache.asMap().values()) {
      evicted(place);
      cache.asMap().remove(place.bucket(), place);
    }
  }

  long size() {
    return cache.estimatedSize();
  }
}

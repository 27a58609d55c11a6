package io.weir.internal.writeback;

import io.weir.Key;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Short ways to the entries that were asked for last: a table of fixed size, by the hash of their
 * bucket, in which the third of one place pushes the first out.
 *
 * <p>The cache of all buckets wants a bucket made to look for, leads to its entry by three steps
 * through memory, and once it is half full notes each time that it is read, to know what to evict.
 * So it is read only for what isn't found here, and by the flush for what was.
 *
 * <p>Invariant: an entry that is evicted leaves. Who meets it a moment longer finds its lease
 * sealed.
 *
 * <p>Safe for concurrent use, without locks.
 */
final class RecentBuckets {
  private static final int MOST = 1 << 19;
  private static final int GOLDEN = 0x9E3779B9;

  private final AtomicReferenceArray<@Nullable ActiveBucket> places;
  private final int shift;

  /** Room for twice as many entries, but for no more than about a million. */
  RecentBuckets(long entries) {
    int pairs = Integer.highestOneBit(2 * (int) Math.min(MOST, Math.max(2, entries)) - 1);
    places = new AtomicReferenceArray<>(2 * pairs);
    shift = Integer.numberOfLeadingZeros(pairs) + 1;
  }

  @Nullable ActiveBucket find(BucketSpec spec, Key key) {
    int hash = BucketId.hash(spec, key);
    int first = first(hash);
    ActiveBucket entry = places.getAcquire(first);
    if (entry != null && entry.areOf(spec, key, hash)) {
      return entry;
    }
    entry = places.getAcquire(first + 1);
    return entry != null && entry.areOf(spec, key, hash) ? entry : null;
  }

  void add(ActiveBucket entry) {
    int first = first(entry.bucket().hashCode());
    ActiveBucket pushed = places.getAndSet(first, entry);
    if (pushed != null && pushed != entry) {
      place(pushed, first + 1);
    }
    removeIfEvicted(entry, first);
  }

  private void place(ActiveBucket entry, int at) {
    places.set(at, entry);
    removeIfEvicted(entry, at);
  }

  // It was evicted before this, or will find itself here when it is.
  private void removeIfEvicted(ActiveBucket entry, int at) {
    if (entry.isEvicted()) {
      places.compareAndSet(at, entry, null);
    }
  }

  /** Removes an entry that is evicted by now. */
  void remove(ActiveBucket entry) {
    int first = first(entry.bucket().hashCode());
    places.compareAndSet(first, entry, null);
    places.compareAndSet(first + 1, entry, null);
  }

  // Spread, since names that differ only at their end have hashes that differ little.
  private int first(int hash) {
    return 2 * (hash * GOLDEN >>> shift);
  }
}

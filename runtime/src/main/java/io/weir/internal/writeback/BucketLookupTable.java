package io.weir.internal.writeback;

import io.weir.Key;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Finds recently used active buckets without the cache: a hash table of fixed size with two slots
 * for each hash; the third bucket pushes the first out.
 *
 * <p>The cache itself is slower: it needs a bucket id to look for, leads to the active bucket by
 * three steps through memory, and once half full records each read, to know what to evict. So it is
 * read only for buckets that aren't found here, and by the flush for those that were used.
 *
 * <p>Invariant: an evicted bucket is removed. A thread that still finds it for a moment finds its
 * lease sealed.
 *
 * <p>Safe for concurrent use, without locks.
 */
final class BucketLookupTable {
  private static final int MAX_PAIRS = 1 << 19;
  private static final int GOLDEN = 0x9E3779B9;

  private final AtomicReferenceArray<@Nullable ActiveBucket> slots;
  private final int shift;

  /** Makes a table with room for twice as many buckets, but for at most about a million. */
  BucketLookupTable(long buckets) {
    int pairs = Integer.highestOneBit(2 * (int) Math.min(MAX_PAIRS, Math.max(2, buckets)) - 1);
    slots = new AtomicReferenceArray<>(2 * pairs);
    shift = Integer.numberOfLeadingZeros(pairs) + 1;
  }

  @Nullable ActiveBucket find(BucketSpec spec, Key key) {
    int hash = BucketId.hash(spec, key);
    int first = first(hash);
    ActiveBucket active = slots.getAcquire(first);
    if (active != null && active.isFor(spec, key, hash)) {
      return active;
    }
    active = slots.getAcquire(first + 1);
    return active != null && active.isFor(spec, key, hash) ? active : null;
  }

  void add(ActiveBucket active) {
    int first = first(active.bucket().hashCode());
    ActiveBucket pushed = slots.getAndSet(first, active);
    if (pushed != null && pushed != active) {
      put(pushed, first + 1);
    }
    removeIfEvicted(active, first);
  }

  private void put(ActiveBucket active, int slot) {
    slots.set(slot, active);
    removeIfEvicted(active, slot);
  }

  // It is evicted already, or will be removed from here after it is.
  private void removeIfEvicted(ActiveBucket active, int slot) {
    if (active.isEvicted()) {
      slots.compareAndSet(slot, active, null);
    }
  }

  void remove(FlushableBucket bucket) {
    int first = first(bucket.bucket().hashCode());
    if (bucket instanceof ActiveBucket active) {
      slots.compareAndSet(first, active, null);
      slots.compareAndSet(first + 1, active, null);
    }
  }

  // Spread: keys that differ only at their end have hashes that differ little.
  private int first(int hash) {
    return 2 * (hash * GOLDEN >>> shift);
  }
}

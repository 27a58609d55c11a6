package io.weir.internal.http;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Caches values for a fixed number of keys, so that callers, who can vary the keys, can't fill the
 * memory.
 *
 * <p>Each key has two slots, so that two keys with colliding hashes don't evict each other. Entries
 * are immutable, and a lost race only computes a value again, so no lock is needed. Safe for
 * concurrent use.
 */
final class BoundedCache<K, V> {
  private final int bits;
  private final AtomicReferenceArray<@Nullable Entry<K, V>> slots;

  private record Entry<K, V>(K key, V value) {}

  /** Makes a cache of 2 to the power of {@code bits} slots. */
  BoundedCache(int bits) {
    this.bits = bits;
    this.slots = new AtomicReferenceArray<>(1 << bits);
  }

  /** Finds the value of a key; null if it isn't cached. */
  @Nullable V find(K key) {
    int slot = slot(key);
    Entry<K, V> latest = slots.getAcquire(slot);
    if (latest != null && latest.key.equals(key)) {
      return latest.value;
    }
    Entry<K, V> earlier = slots.getAcquire(slot ^ 1);
    return earlier != null && earlier.key.equals(key) ? earlier.value : null;
  }

  /** Caches a value. It evicts the older of the two entries that share its slots. */
  void put(K key, V value) {
    int slot = slot(key);
    Entry<K, V> latest = slots.getAcquire(slot);
    if (latest != null) {
      slots.setRelease(slot ^ 1, latest);
    }
    slots.setRelease(slot, new Entry<>(key, value));
  }

  private int slot(K key) {
    return key.hashCode() * 0x9E3779B9 >>> Integer.SIZE - bits;
  }
}

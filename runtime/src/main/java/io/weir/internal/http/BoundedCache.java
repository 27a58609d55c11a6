package io.weir.internal.http;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what was made for a key, for so many keys at most: callers choose some of what they are
 * told, and must not fill the memory with it.
 *
 * <p>Each key has two slots, so that two whose hashes collide don't evict each other. Entries are
 * immutable, and a lost race only makes one again, so no lock is needed. Safe for concurrent use.
 */
final class BoundedCache<K, V> {
  private final int bits;
  private final AtomicReferenceArray<@Nullable Entry<K, V>> slots;

  private record Entry<K, V>(K key, V value) {}

  /** Remembers 2 to the power of {@code bits} at most. */
  BoundedCache(int bits) {
    this.bits = bits;
    this.slots = new AtomicReferenceArray<>(1 << bits);
  }

  /** What was made for a key; null if it isn't remembered. */
  @Nullable V find(K key) {
    int slot = slot(key);
    Entry<K, V> latest = slots.getAcquire(slot);
    if (latest != null && latest.key.equals(key)) {
      return latest.value;
    }
    Entry<K, V> earlier = slots.getAcquire(slot ^ 1);
    return earlier != null && earlier.key.equals(key) ? earlier.value : null;
  }

  /** Remembers what was made for a key, in place of the older one of two that share its slots. */
  void put(K key, V made) {
    int slot = slot(key);
    Entry<K, V> latest = slots.getAcquire(slot);
    if (latest != null) {
      slots.setRelease(slot ^ 1, latest);
    }
    slots.setRelease(slot, new Entry<>(key, made));
  }

  private int slot(K key) {
    return key.hashCode() * 0x9E3779B9 >>> Integer.SIZE - bits;
  }
}

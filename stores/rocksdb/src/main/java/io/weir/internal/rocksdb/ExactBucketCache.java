package io.weir.internal.rocksdb;

import io.weir.store.ExactBucketId;
import io.weir.store.LiveExactBucket;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The exactly counted buckets that were used last, so that one that is busy is written and not
 * read.
 *
 * <p>Invariant: between batches, what is here is what is stored. A batch that can't be written
 * clears it.
 *
 * <p>Used by the writing thread alone.
 */
final class ExactBucketCache {
  /** More than a batch has, so that none goes between its change and the writing of that. */
  private static final int MOST = 1 << 17;

  private final Map<ExactBucketId, Entry> entries =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ExactBucketId, Entry> eldest) {
          return size() > MOST;
        }
      };

  /** A bucket, and where it is stored. */
  static final class Entry {
    private final byte[] key;
    private LiveExactBucket bucket;
    private @Nullable Generation generation;
    private long expiresAt;
    private boolean changed;

    /**
     * A bucket as it is stored.
     *
     * @param key what it is stored by
     * @param bucket its state
     * @param generation where it is stored; null if it isn't
     * @param expiresAt when it may be dropped; 0 if it isn't stored
     */
    Entry(byte[] key, LiveExactBucket bucket, @Nullable Generation generation, long expiresAt) {
      this.key = key;
      this.bucket = bucket;
      this.generation = generation;
      this.expiresAt = expiresAt;
    }

    byte[] key() {
      return key;
    }

    LiveExactBucket bucket() {
      return bucket;
    }

    @Nullable Generation generation() {
      return generation;
    }

    boolean isOver(long now) {
      return expiresAt <= now;
    }

    /** Nobody has used it for as long as it counts. */
    void renew(LiveExactBucket fresh) {
      bucket = fresh;
    }

    /** It is to be written; false if it is so already. */
    boolean change() {
      expiresAt = bucket.expiresAt();
      boolean first = !changed;
      changed = true;
      return first;
    }

    void written(Generation to) {
      generation = to;
      changed = false;
    }
  }

  /** The entry of a bucket; null if there is none, or what it was stored in is gone. */
  @Nullable Entry find(ExactBucketId bucket) {
    Entry entry = entries.get(bucket);
    Generation generation = entry == null ? null : entry.generation();
    return generation != null && generation.isDropped() ? null : entry;
  }

  void add(ExactBucketId bucket, Entry entry) {
    entries.put(bucket, entry);
  }

  void clear() {
    entries.clear();
  }
}

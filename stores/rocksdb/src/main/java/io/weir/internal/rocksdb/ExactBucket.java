package io.weir.internal.rocksdb;

import io.weir.store.ExactArithmetic;
import io.weir.store.ExactBucketId;
import io.weir.store.ExactRequest;
import io.weir.store.LiveExactBucket;
import org.jspecify.annotations.Nullable;

/**
 * Holds an exactly counted bucket in memory. Its monitor guards it; nothing that waits for a disk
 * runs inside.
 *
 * <p>Invariant: a bucket that isn't dirty is in the database as it is here. Only such a bucket is
 * evicted, and a caller that has found an evicted one looks it up again.
 */
final class ExactBucket {
  private final ExactBucketId id;
  private final byte[] key;
  private LiveExactBucket live;
  private long expiresAt;
  private boolean dirty;
  private boolean evicted;
  private boolean used;

  /** Where it is stored, null if it isn't. Used by the writing thread alone. */
  private @Nullable BucketGeneration generation;

  /**
   * A bucket as it is stored.
   *
   * @param key its key in the database
   * @param generation where it is stored; null if it isn't
   * @param expiresAt when it may be dropped, in microseconds; 0 if it isn't stored
   */
  ExactBucket(
      ExactBucketId id,
      byte[] key,
      LiveExactBucket live,
      @Nullable BucketGeneration generation,
      long expiresAt) {
    this.id = id;
    this.key = key;
    this.live = live;
    this.generation = generation;
    this.expiresAt = expiresAt;
  }

  ExactBucketId id() {
    return id;
  }

  byte[] key() {
    return key;
  }

  @Nullable BucketGeneration generation() {
    return generation;
  }

  void storedIn(BucketGeneration where) {
    generation = where;
  }

  /**
   * Executes a request, and appends the changed state to the journal.
   *
   * @param filling is run when the journal becomes half full
   * @return the reply, which counts; null if this was evicted
   * @throws IllegalStateException if the journal is closed or full; the reply is lost with the
   *     permits that it took
   */
  synchronized <R> @Nullable R execute(
      ExactRequest<R> request, long now, Journal journal, Runnable filling) {
    if (evicted) {
      return null;
    }
    used = true;
    if (expiresAt <= now) {
      live = ExactArithmetic.fresh(id);
    }
    R reply = live.execute(request, now);
    if (live.isChanged()) {
      dirty = true;
      expiresAt = live.expiresAt();
      if (journal.append(key, expiresAt, live.toBytes())) {
        filling.run();
      }
    }
    return reply;
  }

  /**
   * Takes the value to store. It must be stored before anything else is done with this bucket.
   *
   * @return as {@link StoredBucket} writes it; null if it is stored already
   */
  synchronized byte @Nullable [] takeDirty() {
    if (!dirty) {
      return null;
    }
    dirty = false;
    return StoredBucket.write(live.toBytes(), expiresAt);
  }

  /** Returns whether it wasn't used since the last call. */
  synchronized boolean isIdle() {
    boolean idle = !used;
    used = false;
    return idle;
  }

  /** Evicts it, unless it is dirty. */
  synchronized boolean evict() {
    evicted = !dirty;
    return evicted;
  }
}

package io.weir.internal.rocksdb;

import io.weir.store.ExactArithmetic;
import io.weir.store.ExactBucketId;
import io.weir.store.ExactRequest;
import io.weir.store.LiveExactBucket;
import org.jspecify.annotations.Nullable;

/**
 * An exactly counted bucket in memory. Its monitor guards it, and nothing that waits for a disk
 * runs inside.
 *
 * <p>Invariant: what isn't dirty is in the database as it is here. Only what isn't dirty is
 * evicted, and whoever meets an evicted one looks again.
 */
final class ExactBucket {
  private final ExactBucketId id;
  private final byte[] key;
  private LiveExactBucket live;
  private long expiresAt;
  private boolean dirty;
  private boolean evicted;
  private boolean used;

  /** Of the writing thread: where it is stored; null if it isn't. */
  private @Nullable Generation generation;

  /**
   * A bucket as it is stored.
   *
   * @param key what it is stored by
   * @param live its state
   * @param generation where it is stored; null if it isn't
   * @param expiresAt when it may be dropped; 0 if it isn't stored
   */
  ExactBucket(
      ExactBucketId id,
      byte[] key,
      LiveExactBucket live,
      @Nullable Generation generation,
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

  @Nullable Generation generation() {
    return generation;
  }

  /** It is stored there now. */
  void storedIn(Generation where) {
    generation = where;
  }

  /**
   * Executes a request, and notes in the journal what it changes.
   *
   * @param filling is run if the journal begins to be full
   * @return the reply, which counts; null if this was evicted
   * @throws IllegalStateException if the journal takes no more; then the reply is lost, and what it
   *     took with it
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
   * What to store of it, which is stored before anything else is done with this.
   *
   * @return as {@link StoredBucket} writes it; null if that is stored already
   */
  synchronized byte @Nullable [] takeDirty() {
    if (!dirty) {
      return null;
    }
    dirty = false;
    return StoredBucket.write(live.toBytes(), expiresAt);
  }

  /** Whether nobody has used it since this was asked last. */
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

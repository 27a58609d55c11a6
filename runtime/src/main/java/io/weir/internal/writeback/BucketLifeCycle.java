package io.weir.internal.writeback;

/**
 * The life of an active bucket. It goes down this list, but for the last step, which a late answer
 * undoes.
 */
enum BucketLifeCycle {
  /** In the cache. Each flush visits it. */
  ACTIVE,

  /** Evicted, but with something to tell the store, and counted in the backlog; still visited. */
  BACKLOG,

  /**
   * Evicted with nothing to tell, or at rest before a flush. Perhaps still in the flush queue,
   * which may throw it out.
   */
  LEAVING,

  /** At rest, or evicted and has told everything. Not in the flush queue. */
  GONE;

  /** Whether a cached bucket may have another active one by now. */
  boolean isEvicted() {
    return this != ACTIVE;
  }

  /** Whether it has nothing to tell. */
  boolean isOver() {
    return this == LEAVING || this == GONE;
  }
}

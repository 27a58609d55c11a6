package io.weir.internal.region;

import org.jspecify.annotations.Nullable;

/**
 * Knows whether another region is still to start for the first time, so that nobody is warned of
 * each region that starts later than the first: its store answers but has no mark yet, and none of
 * its nodes has reported here.
 *
 * <p>A store without a mark may also be the wrong one, or have lost its data while all nodes of its
 * region are away. So it isn't waited for without end; and if the region reports here, its store
 * has to have a mark.
 *
 * <p>Safe for concurrent use.
 */
final class FirstStart {
  private static final long PATIENCE = 600_000_000;

  private final String region;
  private final long begunAt;
  private final long patience;
  private final long patienceOnceHeard;
  private volatile long unmarkedAt;
  private volatile @Nullable Long heardAt;

  /**
   * Has neither looked for a mark nor heard of the region.
   *
   * @param region its name
   * @param begunAt microseconds: when this node began to look
   * @param patience microseconds after which a region that has started is warned of
   */
  FirstStart(String region, long begunAt, long patience) {
    this.region = region;
    this.begunAt = begunAt;
    this.unmarkedAt = begunAt;
    this.patience = Math.max(PATIENCE, patience);
    this.patienceOnceHeard = patience;
  }

  /** Returns the region's name. */
  String region() {
    return region;
  }

  /** Notes that its store answered, but had no mark. */
  void unmarked(long now) {
    unmarkedAt = now;
  }

  /** Notes that it has reported here. */
  void heard(long now) {
    if (heardAt == null) {
      heardAt = now;
    }
  }

  /** Returns the time since which it may have started: until then its store had no mark. */
  long possibleSince() {
    return unmarkedAt;
  }

  /** Returns whether a store that has no mark at this time is to be warned of. */
  boolean isOverdue(long now) {
    Long heard = heardAt;
    return heard == null ? now - begunAt >= patience : now - heard >= patienceOnceHeard;
  }
}

package io.weir.internal.writeback.lease;

import io.weir.Policy;
import io.weir.internal.algorithm.BucketKind;
import io.weir.store.BucketSpec;

/**
 * Determines how far ahead a node takes permits. This decides what is good to hold, not what may be
 * spent: no promise depends on it.
 *
 * <p>Immutable.
 */
public final class LeaseHorizon {
  private static final int FLUSHES = 10;
  private static final long SHORTEST_FAR_WINDOW = 60_000_000;

  private final long flushInterval;
  private final long minLife;
  private final boolean farLeases;

  /**
   * Makes the horizon for all buckets of a node.
   *
   * @param flushInterval in microseconds
   * @param minLife the shortest life of a grant in microseconds
   */
  public LeaseHorizon(long flushInterval, long minLife, boolean farLeases) {
    this.flushInterval = flushInterval;
    this.minLife = minLife;
    this.farLeases = farLeases;
  }

  /** Returns microseconds. */
  public long flushInterval() {
    return flushInterval;
  }

  /**
   * Returns whether buckets of this spec have far leases: only with windows of a minute or more,
   * and where they outlast ten flushes.
   */
  boolean hasFarLeases(BucketSpec spec) {
    long window = spec.windowMicros();
    long life = BucketKind.of(spec).farMicros(window);
    return farLeases && window >= SHORTEST_FAR_WINDOW && life >= FLUSHES * flushInterval;
  }

  /** Returns the time that a lease should last: ten flushes, but no longer than its slot. */
  long horizon(BucketSpec spec, BucketLimits limits) {
    long lease =
        BucketKind.of(spec)
            .leaseMicros(spec.windowMicros(), limits.effectiveLimit(), limits.burst(), minLife);
    return Math.min(FLUSHES * flushInterval, lease);
  }

  /**
   * Permits needed for a horizon at a rate given in {@value DemandMeter#PARTS}ths of a permit per
   * flush. A rate of more than a burst per flush, or than any limit, counts as that.
   */
  long permits(long horizon, long rate, long burst) {
    // At most 16 × 10^9 × 10^8, which a long holds.
    long most = Math.min(burst, Policy.MAX_LIMIT) * DemandMeter.PARTS;
    return Math.min(rate, most) * horizon / (flushInterval * DemandMeter.PARTS);
  }

  /** Returns whether a lease outlasts a flush, so that it can be topped up before it is empty. */
  boolean worthToppingUp(long horizon) {
    return horizon >= 2 * flushInterval;
  }

  /** After how many quiet flushes a lease is idle. */
  int idleAfter(boolean plenty, long window) {
    return plenty && window / 100 >= flushInterval ? FLUSHES : 1;
  }
}

package io.weir.internal.algorithm;

import io.weir.store.BucketSpec;

/**
 * The table of algorithms: what each makes of a bucket, and how long its leases last. Who adds an
 * algorithm adds a line here; what it says stands in the algorithm's own class.
 *
 * <p>Immutable.
 */
@SuppressWarnings("ImmutableEnumChecker") // references to constructors and static methods
public enum BucketKind {
  /** See {@link FixedWindow}. */
  FIXED_WINDOW(1, sized(FixedWindow::new), FixedWindow::lease, FixedWindow::counts, true),
  /** See {@link SlidingWindow}. */
  SLIDING_WINDOW(2, sized(SlidingWindow::new), SlidingWindow::lease, SlidingWindow::counts, true),
  /** See {@link SlidingLog}. */
  SLIDING_LOG(3, sized(SlidingLog::new), SlidingWindow::lease, SlidingWindow::counts, false),
  /** See {@link LevelBucket}. */
  LEVEL(4, sized(LevelBucket::new), LevelBucket::lease, LevelBucket::counts, false),
  /** See {@link CalendarCounter}. */
  CALENDAR(5, CalendarCounter::new, FixedWindow::lease, FixedWindow::counts, false),
  /** See {@link RefillBucket}. */
  REFILL(6, RefillBucket::new, RefillBucket::lease, RefillBucket::counts, false);

  private final int code;
  private final Fresh fresh;
  private final Lease lease;
  private final Counts counts;
  private final boolean lends;

  BucketKind(int code, Fresh fresh, Lease lease, Counts counts, boolean lends) {
    this.lends = lends;
    this.code = code;
    this.fresh = fresh;
    this.lease = lease;
    this.counts = counts;
  }

  /**
   * How buckets of a spec are made.
   *
   * @param spec the spec
   * @return its line of the table
   */
  public static BucketKind of(BucketSpec spec) {
    return switch (spec.algorithm()) {
      case FIXED_WINDOW -> spec.calendar().isPresent() ? CALENDAR : FIXED_WINDOW;
      case SLIDING_WINDOW -> SLIDING_WINDOW;
      case SLIDING_LOG -> SLIDING_LOG;
      case TOKEN_BUCKET -> spec.refill() > 0 ? REFILL : LEVEL;
      case LEAKY_BUCKET -> LEVEL;
    };
  }

  /** What it is called in a bucket's bytes: from 1 on, and never another one. */
  int code() {
    return code;
  }

  BucketState fresh(BucketSpec spec, long minLife) {
    return fresh.bucket(spec, minLife);
  }

  /**
   * How long a lease is worth holding at most: a slot, or a tenth of a window that is one slot.
   *
   * @param window microseconds
   * @param effectiveLimit permits per window
   * @param burst permits at once
   * @param minLife the shortest life of a grant in microseconds
   * @return microseconds
   */
  public long leaseMicros(long window, long effectiveLimit, long burst, long minLife) {
    return lease.micros(window, effectiveLimit, burst, minLife);
  }

  /**
   * How long a far lease lives at least, but for the end of a window.
   *
   * @param window microseconds
   * @return microseconds; 0 if the algorithm has no far leases
   */
  public long farMicros(long window) {
    return lends ? FarLeases.life(window) : 0;
  }

  /**
   * For how long after a grant's life ends what was charged with it may still count.
   *
   * @param spec a spec of this kind
   * @param effectiveLimit permits per window
   * @param burst permits at once
   * @return microseconds; {@link Long#MAX_VALUE} stands for all longer times
   */
  public long countsMicros(BucketSpec spec, long effectiveLimit, long burst) {
    return counts.micros(spec, effectiveLimit, burst);
  }

  private static Fresh sized(Sized made) {
    return (spec, minLife) -> made.bucket(spec.windowMicros(), minLife);
  }

  private interface Fresh {
    BucketState bucket(BucketSpec spec, long minLife);
  }

  private interface Sized {
    BucketState bucket(long window, long minLife);
  }

  private interface Lease {
    long micros(long window, long effectiveLimit, long burst, long minLife);
  }

  private interface Counts {
    long micros(BucketSpec spec, long effectiveLimit, long burst);
  }
}

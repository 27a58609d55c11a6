package io.weir.internal.algorithm;

import io.weir.store.BucketSpec;

/**
 * Lists the algorithms: makes and reads the buckets of each, and says how long its leases last. A
 * new algorithm gets a line here, and a class that the line refers to.
 *
 * <p>Immutable.
 */
@SuppressWarnings("ImmutableEnumChecker") // references to constructors and static methods
public enum BucketKind {
  FIXED_WINDOW(sized(FixedWindow::new), FixedWindow::lease, FixedWindow::counts, true),
  SLIDING_WINDOW(sized(SlidingWindow::new), SlidingWindow::lease, SlidingWindow::counts, true),
  SLIDING_LOG(sized(SlidingLog::new), SlidingWindow::lease, SlidingWindow::counts, false),
  LEVEL(sized(LevelBucket::new), LevelBucket::lease, LevelBucket::counts, false),
  CALENDAR(CalendarCounter::new, FixedWindow::lease, FixedWindow::counts, false),
  REFILL(
      IntervalRefillBucket::new, IntervalRefillBucket::lease, IntervalRefillBucket::counts, false),
  ATTEMPTS(sized(AttemptLog::new), AttemptLog::lease, AttemptLog::counts, false);

  private final Fresh fresh;
  private final Lease lease;
  private final Counts counts;
  private final boolean lends;

  BucketKind(Fresh fresh, Lease lease, Counts counts, boolean lends) {
    this.lends = lends;
    this.fresh = fresh;
    this.lease = lease;
    this.counts = counts;
  }

  public static BucketKind of(BucketSpec spec) {
    if (spec.clears()) {
      return ATTEMPTS;
    }
    return switch (spec.algorithm()) {
      case FIXED_WINDOW -> spec.calendar().isPresent() ? CALENDAR : FIXED_WINDOW;
      case SLIDING_WINDOW -> SLIDING_WINDOW;
      case SLIDING_LOG -> SLIDING_LOG;
      case TOKEN_BUCKET -> spec.hasRefill() ? REFILL : LEVEL;
      case LEAKY_BUCKET -> LEVEL;
    };
  }

  /**
   * Makes a fresh bucket.
   *
   * @param minLifeMicros the shortest life of a grant; 0 where permits are spent at once; at most
   *     the window
   * @throws IllegalArgumentException if the life is negative or longer than the window
   */
  public static BucketState bucket(BucketSpec spec, long minLifeMicros) {
    long window = spec.windowMicros();
    if (minLifeMicros < 0 || minLifeMicros > window) {
      throw new IllegalArgumentException(
          "minLifeMicros must be 0 up to the window of " + window + ", not " + minLifeMicros);
    }
    return of(spec).fresh.bucket(spec, minLifeMicros);
  }

  /**
   * Reads a bucket that was written by {@link BucketState#toBytes()}.
   *
   * @param minLifeMicros the shortest life of a grant by which it was written
   * @throws io.weir.store.BucketFormatException if the bytes break a rule
   * @throws IllegalArgumentException as {@link #bucket}
   */
  public static BucketState read(BucketSpec spec, long minLifeMicros, byte[] bytes) {
    BucketState state = bucket(spec, minLifeMicros);
    BucketDecoder reader = new BucketDecoder(bytes);
    long format = reader.number("the format", 1, Long.MAX_VALUE);
    if (format > BucketState.FORMAT) {
      throw BucketDecoder.wrong(
          "format "
              + format
              + " is of a later version of Weir; this one reads formats up to "
              + BucketState.FORMAT);
    }
    long written = reader.number("the algorithm", 1, Long.MAX_VALUE);
    if (written != state.code()) {
      throw BucketDecoder.wrong(
          "the algorithm must be " + state.code() + ", " + spec.algorithm() + ", not " + written);
    }
    state.readAll(reader, format);
    return state;
  }

  /**
   * Returns the longest time in microseconds that a lease is worth holding: a slot, or a tenth of a
   * window that is one slot.
   *
   * @param window microseconds
   * @param minLife the shortest life of a grant in microseconds
   */
  public long leaseMicros(long window, long effectiveLimit, long burst, long minLife) {
    return lease.micros(window, effectiveLimit, burst, minLife);
  }

  /**
   * Returns the shortest life of a far lease in microseconds, unless a window ends before; 0 if the
   * algorithm has no far leases.
   *
   * @param window microseconds
   */
  public long farMicros(long window) {
    return lends ? OutstandingFarLeases.life(window) : 0;
  }

  /**
   * Returns the microseconds after a grant's life for which its permits may still count; {@link
   * Long#MAX_VALUE} stands for all longer times.
   *
   * @param spec a spec of this kind
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

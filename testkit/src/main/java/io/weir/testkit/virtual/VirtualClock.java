package io.weir.testkit.virtual;

import io.weir.Ticker;

/**
 * The clocks of one machine on a {@link VirtualTime}: a monotonic one that starts anywhere and runs
 * a little too fast or too slow, and a time of day that may be wrong.
 *
 * <p>Confine to one thread.
 */
public final class VirtualClock implements Ticker {
  private static final int MILLION = 1_000_000;

  private final VirtualTime time;
  private final long made;
  private final long origin;
  private final int drift;
  private long wallError;
  private long suspended;

  /**
   * Starts the clocks.
   *
   * @param time what really passes
   * @param origin what the monotonic clock shows now, in nanoseconds
   * @param drift by how many parts per million it runs too fast, or too slow if negative; less than
   *     a million
   * @param wallError by how many microseconds the time of day is ahead, or behind if negative
   */
  public VirtualClock(VirtualTime time, long origin, int drift, long wallError) {
    if (Math.abs((long) drift) >= MILLION) {
      throw new IllegalArgumentException("drift must be less than a million, not " + drift);
    }
    this.time = time;
    this.made = time.now();
    this.origin = origin;
    this.drift = drift;
    this.wallError = wallError;
  }

  @Override
  public long nanoTime() {
    return origin + measured(time.now() - made - suspended);
  }

  @Override
  public long epochMicros() {
    return time.now() + wallError;
  }

  /**
   * Sets the time of day forward or back; the monotonic time stays as it is.
   *
   * @param micros how far, also negative
   */
  public void jumpWall(long micros) {
    wallError += micros;
  }

  /**
   * Takes time off the monotonic clock that the machine was suspended for, up to now.
   *
   * @param micros how long, 0 and more
   */
  public void wasSuspended(long micros) {
    suspended += micros;
  }

  /**
   * For how long the machine was suspended.
   *
   * @return microseconds in all
   */
  public long suspended() {
    return suspended;
  }

  /** Returns the nanoseconds that this clock measures while so many microseconds really pass. */
  private long measured(long micros) {
    return micros * 1_000 + Math.floorDiv(micros * drift, 1_000L);
  }

  /**
   * Returns the real time in which this clock measures a number of nanoseconds.
   *
   * @param nanos 0 and more
   * @return microseconds, the fewest that suffice
   */
  long real(long nanos) {
    long passed = time.now() - made - suspended;
    long start = measured(passed);
    // A double errs by less than the two microseconds that are taken off, up to some centuries.
    double rate = 1_000 * (1 + drift / (double) MILLION);
    long estimate = Math.max(0, (long) (nanos / rate) - 2);
    while (measured(passed + estimate) - start < nanos) {
      estimate++;
    }
    return estimate;
  }
}

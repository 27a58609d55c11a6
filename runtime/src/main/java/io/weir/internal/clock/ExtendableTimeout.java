package io.weir.internal.clock;

import java.util.function.LongSupplier;

/**
 * How long to wait for an answer: the time-out, and as much longer as this node's own timer was
 * late, at most the time-out once more. A late timer says that the processor was busy; then an
 * answer may have arrived that nobody has had the time to read.
 *
 * <p>All times are in the unit of the clock. Immutable. Safe for concurrent use.
 */
public final class ExtendableTimeout {
  private final LongSupplier clock;
  private final long length;

  /**
   * Measures by a clock.
   *
   * @param clock monotonic, in nanoseconds or microseconds
   * @param length how long to wait, in its unit
   */
  public ExtendableTimeout(LongSupplier clock, long length) {
    this.clock = clock;
    this.length = length;
  }

  /** How long to wait before {@link #extension} is asked. */
  public long length() {
    return length;
  }

  /** The time at which a wait begins. */
  public long begin() {
    return clock.getAsLong();
  }

  /** What has passed since a wait began. */
  public long elapsed(long began) {
    return clock.getAsLong() - began;
  }

  /** How much longer to wait, asked when the timer of a wait has gone off. */
  public long extension(long began) {
    return Math.max(0, Math.min(elapsed(began) - length, length));
  }
}

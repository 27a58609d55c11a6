package io.weir.internal.clock;

import java.util.function.LongSupplier;

/**
 * How long to wait for an answer. The time-out measures the store, not this node: it ends once the
 * store has been silent for that long. Where a node hasn't had the processor to send, to read or to
 * pass an answer on, it waits longer, at most {@value #MOST} times the time-out.
 *
 * <p>Where the store can't tell how long it has been silent, a wait is as much longer as this
 * node's own timer was late, at most the time-out once more. A late timer says that the processor
 * was busy; then an answer may have arrived that nobody has had the time to read.
 *
 * <p>All times are in the unit of the clock. Immutable. Safe for concurrent use.
 */
public final class ExtendableTimeout {
  /** What a store tells that doesn't know how long it has been silent. */
  public static final long UNKNOWN = -1;

  /** No wait takes longer than so many time-outs, whatever the node is waiting for. */
  public static final int MOST = 10;

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

  /**
   * How much longer to wait; to be asked each time that the timer of a wait has gone off.
   *
   * @param began when the wait began
   * @param again whether it was extended before
   * @param silent for how long the store has owed an answer, or {@link #UNKNOWN}
   * @return 0 if the wait is over
   */
  public long extension(long began, boolean again, long silent) {
    long elapsed = elapsed(began);
    long late = again ? 0 : Math.min(elapsed - length, length);
    long owed = silent < 0 ? 0 : Math.min(length - silent, MOST * length - elapsed);
    return Math.max(0, Math.max(late, owed));
  }
}

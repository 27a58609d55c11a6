package io.weir.internal.clock;

import java.util.function.LongSupplier;

/**
 * Determines how long to wait for an answer. The time-out measures the store, not this node: it
 * ends once the store has been silent for that long. If a node hasn't had the processor to send, to
 * read or to pass an answer on, it waits longer, at most {@value #MAX_TIMES} times the time-out.
 *
 * <p>If the store doesn't know how long it has been silent, a wait is extended by the lateness of
 * this node's own timer, at most by the time-out once more. A late timer means that the processor
 * was busy; then an answer may have arrived that no thread has had the time to read.
 *
 * <p>All times are in the unit of the clock. Immutable. Safe for concurrent use.
 */
public final class ExtendableTimeout {
  /** The silence of a store that doesn't know how long it has been silent. */
  public static final long UNKNOWN = -1;

  /** The largest number of time-outs that any wait takes. */
  public static final int MAX_TIMES = 10;

  private final LongSupplier clock;
  private final long length;

  /**
   * Makes a time-out in the clock's unit.
   *
   * @param clock monotonic, in nanoseconds or microseconds
   */
  public ExtendableTimeout(LongSupplier clock, long length) {
    this.clock = clock;
    this.length = length;
  }

  /** Returns the time to wait before {@link #extension} is asked. */
  public long length() {
    return length;
  }

  public long begin() {
    return clock.getAsLong();
  }

  public long elapsed(long began) {
    return clock.getAsLong() - began;
  }

  /**
   * Returns how much longer to wait, 0 if the wait has ended; call it each time that the timer of a
   * wait has expired.
   *
   * @param again whether it was extended before
   * @param silent how long the store has owed an answer, or {@link #UNKNOWN}
   */
  public long extension(long began, boolean again, long silent) {
    long elapsed = elapsed(began);
    long late = again ? 0 : Math.min(elapsed - length, length);
    long owed = silent < 0 ? 0 : Math.min(length - silent, MAX_TIMES * length - elapsed);
    return Math.max(0, Math.max(late, owed));
  }
}

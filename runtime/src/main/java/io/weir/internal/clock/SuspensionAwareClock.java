package io.weir.internal.clock;

import io.weir.Ticker;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the microseconds since it was made, including those in which the machine was suspended or
 * the process frozen with its virtual machine: then the monotonic clock stood still, and the time
 * of day is ahead of it. A time of day that is set ahead by more than a second looks the same.
 *
 * <p>Reading the time of day costs too much for each request, so it is read once per millisecond of
 * the monotonic clock. For that long a node may go on as if nothing had happened.
 *
 * <p>Safe for concurrent use, without locks.
 */
public final class SuspensionAwareClock {
  private static final long SECOND = 1_000_000;
  private static final long EACH_MICROS = 1_000;

  private final Ticker ticker;
  private final long origin;
  private final boolean followsBack;
  private final AtomicLong nextComparison = new AtomicLong();

  /** The difference between the time of day and the monotonic clock, without suspensions. */
  private volatile long madeAt;

  private volatile long suspended;

  /**
   * Begins now.
   *
   * @param followsBack whether a time of day that is set back is taken as right, so that a later
   *     advance from there is noticed; otherwise only a time of day counts that is later than all
   *     before
   */
  public SuspensionAwareClock(Ticker ticker, boolean followsBack) {
    this.ticker = ticker;
    this.followsBack = followsBack;
    this.origin = ticker.nanoTime();
    this.madeAt = ticker.epochMicros();
  }

  /** Returns a time that never runs back. */
  public long micros() {
    long run = run();
    long due = nextComparison.get();
    if (run >= due && nextComparison.compareAndSet(due, run + EACH_MICROS)) {
      compare(run);
    }
    return run + suspended;
  }

  private long run() {
    return (ticker.nanoTime() - origin) / 1_000;
  }

  // The thread may stand still between reading the two clocks, so it knows only bounds of the
  // difference. One thread compares at a time, except for one that stood still for a millisecond.
  private synchronized void compare(long before) {
    long timeOfDay = ticker.epochMicros();
    long after = run();
    long ahead = timeOfDay - madeAt - suspended;
    if (ahead - after > SECOND) {
      suspended += ahead - after;
    } else if (followsBack && ahead - before < -SECOND) {
      madeAt += ahead - before;
    }
  }
}

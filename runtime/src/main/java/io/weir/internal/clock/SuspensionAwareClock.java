package io.weir.internal.clock;

import io.weir.Ticker;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Notices that the machine was suspended, or the process frozen with its virtual machine: then the
 * monotonic clock stood still, and the time of day, once it is right again, is ahead of it. A time
 * of day that somebody sets ahead by more than a second looks the same.
 *
 * <p>The time of day costs too much to read for each request, so it is looked at once a millisecond
 * of the monotonic clock. For so long a node may go on as if nothing had happened.
 *
 * <p>Safe for concurrent use, without locks.
 */
public final class SuspensionAwareClock {
  private static final long SECOND = 1_000_000;
  private static final long EACH_MICROS = 1_000;

  private final Ticker ticker;
  private final long origin;
  private final boolean followsBack;
  private final AtomicLong nextLook = new AtomicLong();

  /** By how much the time of day is to be ahead of the monotonic one. */
  private volatile long madeAt;

  private volatile long suspended;

  /**
   * Begins now.
   *
   * @param ticker both clocks
   * @param followsBack whether a time of day that is set back is taken for right, so that it is
   *     noticed if it gets ahead from there; otherwise only a time of day counts that is later than
   *     all that were seen
   */
  public SuspensionAwareClock(Ticker ticker, boolean followsBack) {
    this.ticker = ticker;
    this.followsBack = followsBack;
    this.origin = ticker.nanoTime();
    this.madeAt = ticker.epochMicros();
  }

  /** Microseconds since this was made, suspended ones included; never runs back. */
  public long micros() {
    long run = run();
    long due = nextLook.get();
    if (run >= due && nextLook.compareAndSet(due, run + EACH_MICROS)) {
      look(run);
    }
    return run + suspended;
  }

  private long run() {
    return (ticker.nanoTime() - origin) / 1_000;
  }

  // The thread may stand still between two clocks, so what it sees is a difference at least and at
  // most. One thread looks at a time, but for one that stood still for a millisecond.
  private synchronized void look(long before) {
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

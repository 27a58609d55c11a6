package io.weir.internal.writeback;

import io.weir.Ticker;

/**
 * This node's time: microseconds since the clock was made, monotonic. Only differences of it mean
 * anything to others, so no two nodes need agree.
 *
 * <p>Immutable. Safe for concurrent use.
 */
final class NodeClock {
  /** A time that is never reached. */
  static final long NEVER = Long.MAX_VALUE;

  private final Ticker ticker;
  private final long origin;

  NodeClock(Ticker ticker) {
    this.ticker = ticker;
    this.origin = ticker.nanoTime();
  }

  long micros() {
    return (ticker.nanoTime() - origin) / 1_000;
  }

  /** A later time; {@link #NEVER} if a long can't hold it. */
  static long after(long time, long micros) {
    long sum = time + micros;
    return micros > 0 && sum < time ? NEVER : sum;
  }
}

package io.weir.internal.clock;

import io.weir.Ticker;

/**
 * Measures this node's time: monotonic, in microseconds since the clock was made. Only differences
 * are sent to the store, so clocks of nodes need not agree; for windows of the calendar see {@link
 * io.weir.internal.writeback.channel.StoreTimeEstimate}.
 *
 * <p>While the machine is suspended the store's clock runs on. So this clock jumps ahead when that
 * is noticed, and all leases have ended, as they have in the store.
 *
 * <p>Safe for concurrent use.
 */
public final class NodeClock {
  public static final long NEVER = Long.MAX_VALUE;

  private final Ticker ticker;
  private final SuspensionAwareClock time;

  public NodeClock(Ticker ticker) {
    this.ticker = ticker;
    this.time = new SuspensionAwareClock(ticker, true);
  }

  public long micros() {
    return time.micros();
  }

  /** Returns microseconds since the epoch by the machine's clock. */
  public long epochMicros() {
    return ticker.epochMicros();
  }

  /** Returns a later time; {@link #NEVER} if a long can't hold it. */
  public static long after(long time, long micros) {
    long sum = time + micros;
    return micros > 0 && sum < time ? NEVER : sum;
  }
}

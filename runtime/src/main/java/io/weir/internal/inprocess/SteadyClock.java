package io.weir.internal.inprocess;

import io.weir.Ticker;
import io.weir.internal.clock.SuspensionAwareClock;

/**
 * Returns the store's time: the time of day when the store was made, and monotonic from there on,
 * so that setting the machine's clock back freezes no bucket. It follows a time of day that is
 * ahead by more than a second: otherwise the days of the calendar would forever begin too late once
 * the machine has been suspended. It moves only once, however often the time of day is set.
 *
 * <p>Safe for concurrent use.
 */
final class SteadyClock {
  private final long madeAt;
  private final SuspensionAwareClock time;

  SteadyClock(Ticker ticker) {
    this.madeAt = ticker.epochMicros();
    this.time = new SuspensionAwareClock(ticker, false);
  }

  /** Microseconds since the epoch. */
  long micros() {
    return madeAt + time.micros();
  }
}

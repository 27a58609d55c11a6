package io.weir.internal.inprocess;

import io.weir.Ticker;

/**
 * The store's time: the time of day when the store was made, and monotonic from there on, so that
 * whoever sets the machine's clock neither mints permits nor freezes buckets.
 *
 * <p>Safe for concurrent use.
 */
final class StoreClock {
  private final Ticker ticker;
  private final long madeAt;
  private final long startNanos;

  StoreClock(Ticker ticker) {
    this.ticker = ticker;
    this.madeAt = ticker.epochMicros();
    this.startNanos = ticker.nanoTime();
  }

  /** Microseconds since the epoch. */
  long micros() {
    return madeAt + (ticker.nanoTime() - startNanos) / 1_000;
  }
}

package io.weir.internal.engine;

import io.weir.Ticker;
import java.time.Duration;

/**
 * How long a decision waits for the store: the configured time-out, and as much longer as this
 * node's own timer was late, at most the time-out once more. A late timer says that the processor
 * was busy; then an answer may have arrived that nobody has had the time to read.
 *
 * <p>Immutable. Safe for concurrent use.
 */
final class StoreTimeout {
  private final Duration duration;
  private final Ticker ticker;

  StoreTimeout(Duration duration, Ticker ticker) {
    this.duration = duration;
    this.ticker = ticker;
  }

  Duration duration() {
    return duration;
  }

  long nanos() {
    return duration.toNanos();
  }

  /** The time at which a wait begins, for {@link #extension}. */
  long begin() {
    return ticker.nanoTime();
  }

  /** How many nanoseconds longer to wait, asked when the timer of a wait has gone off. */
  long extension(long began) {
    long late = ticker.nanoTime() - began - nanos();
    return Math.max(0, Math.min(late, nanos()));
  }
}

package io.weir.internal.engine;

import io.weir.Ticker;
import java.time.Duration;

/**
 * How long a decision waits for the store: its time-out, and by as much longer as this node's own
 * timer was late, at most the time-out once more. A timer that is late says that the processor was
 * busy; then an answer may have arrived that nobody has had the time to read.
 *
 * <p>Immutable. Safe for concurrent use.
 *
 * @param duration how long
 * @param ticker the source of time
 */
record StoreTimeout(Duration duration, Ticker ticker) {
  /** When a wait begins. */
  long begin() {
    return ticker.nanoTime();
  }

  long nanos() {
    return duration.toNanos();
  }

  /** How much longer to wait, when the timer of a wait that began then has gone off; in nanos. */
  long extension(long began) {
    long late = ticker.nanoTime() - began - nanos();
    return Math.max(0, Math.min(late, nanos()));
  }
}

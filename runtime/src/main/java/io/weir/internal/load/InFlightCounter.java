package io.weir.internal.load;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the requests that are being processed.
 *
 * <p>Safe for concurrent use.
 */
public final class InFlightCounter {
  private final LongAdder requests = new LongAdder();

  /** Counts a request that has arrived. */
  public void begin() {
    requests.increment();
  }

  /** Counts a request that has ended; once for each that has arrived. */
  public void end() {
    requests.decrement();
  }

  /** Returns the number of requests that are being processed, at least 0. */
  public int current() {
    return (int) Math.max(0, Math.min(Integer.MAX_VALUE, requests.sum()));
  }
}

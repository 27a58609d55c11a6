package io.weir.internal.load;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the requests that are being processed.
 *
 * <p>Safe for concurrent use.
 */
public final class InFlightCounter {
  private final LongAdder requests = new LongAdder();

  public void begin() {
    requests.increment();
  }

  /** Counts a request that has ended; call it once for each that has arrived. */
  public void end() {
    requests.decrement();
  }

  public int current() {
    return (int) Math.max(0, Math.min(Integer.MAX_VALUE, requests.sum()));
  }
}

package io.weir.internal.load;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the requests that are being worked on.
 *
 * <p>Safe for concurrent use.
 */
public final class InFlightCounter {
  private final LongAdder requests = new LongAdder();

  /** Makes a count of none. */
  public InFlightCounter() {}

  /** Takes note that a request came in. */
  public void begin() {
    requests.increment();
  }

  /** Takes note that a request is done with; once for each that came in. */
  public void end() {
    requests.decrement();
  }

  /**
   * How many requests are being worked on.
   *
   * @return 0 and more
   */
  public int current() {
    return (int) Math.max(0, Math.min(Integer.MAX_VALUE, requests.sum()));
  }
}

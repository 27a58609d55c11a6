package io.weir.benchmarks.service;

import io.weir.benchmarks.Latencies;
import java.io.IOException;

/**
 * Sends requests and waits for their replies.
 *
 * <p>Confine to one thread.
 */
interface RequestLoad extends AutoCloseable {
  /**
   * Sends the next requests as soon as the last ones are answered.
   *
   * @param callers says whose request is next
   * @param nanos for how long
   * @return how long each took, one for each request
   */
  Latencies closed(CallerSequence callers, long nanos) throws IOException;

  /**
   * Sends each request when it is due.
   *
   * @param callers says whose request is next
   * @param nanos for how long
   * @param perSecond how many are due in a second
   * @return how long each took since it was due
   */
  Latencies open(CallerSequence callers, long nanos, double perSecond) throws IOException;

  /**
   * Returns the number of replies so far that reported a full bucket; 0 if replies don't report it.
   */
  default long full() {
    return 0;
  }

  @Override
  void close();
}

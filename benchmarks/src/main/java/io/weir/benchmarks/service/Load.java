package io.weir.benchmarks.service;

import io.weir.benchmarks.Latencies;
import java.io.IOException;

/**
 * Sends requests and waits for their replies.
 *
 * <p>Confine to one thread.
 */
interface Load extends AutoCloseable {
  /**
   * Sends the next requests as soon as the last ones are answered.
   *
   * @param callers says whose request is next
   * @param nanos for how long
   * @return how long each took, one for each request
   */
  Latencies closed(Callers callers, long nanos) throws IOException;

  /**
   * Sends each request when it is due.
   *
   * @param callers says whose request is next
   * @param nanos for how long
   * @param perSecond how many are due in a second
   * @return how long each took since it was due
   */
  Latencies open(Callers callers, long nanos, double perSecond) throws IOException;

  /** How many replies have told of a full bucket so far; 0 if replies don't tell. */
  default long full() {
    return 0;
  }

  @Override
  void close();
}

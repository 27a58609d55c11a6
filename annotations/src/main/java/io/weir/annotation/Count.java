package io.weir.annotation;

/**
 * Selects the requests that count. A permit is taken up front and refunded if the response doesn't
 * count, so parallel guesses can't slip through.
 */
public enum Count {
  /** Every request. */
  ALL,
  /**
   * Only failures: a status of 400 or above, a thrown exception, a stage completed exceptionally,
   * no response at all.
   */
  FAILURES,
  /** Only requests that aren't {@link #FAILURES}. */
  SUCCESSES
}

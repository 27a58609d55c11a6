package io.weir.annotation;

/**
 * Which requests count in the end. The permit is always taken before the request runs and given
 * back when its response doesn't count, so that parallel guesses can't slip through.
 */
public enum Count {
  /** Every request. */
  ALL,
  /**
   * Only failures: a status of 400 or above, a thrown exception, a stage completed exceptionally,
   * no response at all.
   */
  FAILURES,
  /** Only what is not one of the {@link #FAILURES}. */
  SUCCESSES
}

package io.weir.internal.engine;

import io.weir.Decision;
import io.weir.RateLimiter;

/**
 * A limiter that also takes note of what was decided without it, so that metrics and logs tell of
 * all decisions.
 *
 * <p>Safe for concurrent use.
 */
public interface RecordingLimiter extends RateLimiter {
  /**
   * The recording limiter behind one that a builder made.
   *
   * @param limiter made by {@link RateLimiter#builder()}
   * @return the same
   * @throws IllegalArgumentException if it is another implementation
   */
  static RecordingLimiter of(RateLimiter limiter) {
    if (limiter instanceof RecordingLimiter own) {
      return own;
    }
    throw new IllegalArgumentException("not made by RateLimiter.builder(): " + limiter.getClass());
  }

  /**
   * Takes note of a decision that took nothing.
   *
   * @param part the decision of one policy
   */
  void record(Decision part);
}

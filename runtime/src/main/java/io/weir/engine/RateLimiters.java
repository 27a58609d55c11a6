package io.weir.engine;

import io.weir.RateLimiter;

/**
 * Makes rate limiters.
 *
 * <p>Safe for concurrent use.
 */
public final class RateLimiters {
  private RateLimiters() {}

  /**
   * A limiter that counts in this process, with the machine's clock.
   *
   * @return a limiter that the caller closes
   */
  public static RateLimiter inProcess() {
    return builder().build();
  }

  /**
   * Starts a limiter of own parts; each has its default until it is given.
   *
   * @return a builder
   */
  public static RateLimiterBuilder builder() {
    return new RateLimiterBuilder();
  }
}

package io.weir.annotation;

/** Determines what happens at the limit. */
public enum Mode {
  /** Never above the limit. */
  HARD,
  /**
   * Up to {@link RateLimit#exceedBy()} percent above the limit. Requests above the limit are
   * admitted and marked, so that the application can see it. With TOKEN_BUCKET and LEAKY_BUCKET the
   * burst may be exceeded by as much, and the rate rises with it. An excess that rounds to nothing
   * is an error.
   */
  SOFT,
  /**
   * More than the limit while the node is idle, less when it is overloaded: up to 60 % load the
   * limit plus {@link RateLimit#exceedBy()} percent, falling to the limit at 80 % and to half the
   * limit at 100 %. The burst of a bucket algorithm changes in proportion, rounded down, so a small
   * burst may stay as it is while the rate changes.
   */
  ELASTIC
}

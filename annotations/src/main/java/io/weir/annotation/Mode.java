package io.weir.annotation;

/** What happens at the limit. */
public enum Mode {
  /** Never above the limit. */
  HARD,
  /**
   * Up to {@link RateLimit#exceedBy()} percent above the limit; what lies above is admitted and
   * marked, so that the application can see it. Of TOKEN_BUCKET and LEAKY_BUCKET it is the burst
   * that may be exceeded and is marked, while the rate rises with it; a share of the burst that
   * rounds to nothing is an error.
   */
  SOFT,
  /**
   * Above the limit while the node has spare capacity, below it when it is overloaded: up to 60 %
   * load the limit plus {@link RateLimit#exceedBy()} percent, falling to the limit at 80 % and to
   * half the limit at 100 %. The burst of a bucket algorithm follows, rounded down: a small one
   * stays as it is while the rate changes.
   */
  ELASTIC
}

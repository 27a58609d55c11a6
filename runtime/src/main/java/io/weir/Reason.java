package io.weir;

/** The reasons of decisions. */
public enum Reason {
  /** Permits were available. */
  WITHIN_LIMIT,
  /** The caller has used up its limit. */
  QUOTA_EXCEEDED,
  /** The node is busy, and a policy that is ELASTIC or has a priority refuses below its limit. */
  REDUCED_CAPACITY,
  /** The shared store can't be reached, and the policy refuses without it. */
  STORE_UNAVAILABLE,
  /**
   * A {@link io.weir.spi.PolicySource} has blocked the caller for a time because of abnormal usage.
   */
  ABNORMAL_USAGE,
  /**
   * The request costs more permits than the caller can ever have at once, so no retry helps. See
   * {@link Decision#neverAdmitted()}.
   */
  COST_ABOVE_LIMIT,
  /**
   * An entry of an access list denies the caller, so no retry helps: the response is a 403 without
   * a time to retry after. See {@link io.weir.access.AccessEntry#deny}.
   */
  DENIED,
  /**
   * The caller is banned for a time, because of its {@linkplain
   * io.weir.annotation.RateLimit#banAfter strikes}.
   */
  BANNED
}

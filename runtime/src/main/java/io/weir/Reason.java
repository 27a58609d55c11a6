package io.weir;

/** Why a request was decided as it was. */
public enum Reason {
  /** There were permits. */
  WITHIN_LIMIT,
  /** The caller has used what it may use. */
  QUOTA_EXCEEDED,
  /** The node is busy, and a policy that is ELASTIC or has a priority refuses below its limit. */
  REDUCED_CAPACITY,
  /** The shared store can't be reached, and the policy refuses without it. */
  STORE_UNAVAILABLE,
  /**
   * The caller's usage is abnormal, and a {@link io.weir.spi.PolicySource} has blocked it for a
   * time.
   */
  ABNORMAL_USAGE
}

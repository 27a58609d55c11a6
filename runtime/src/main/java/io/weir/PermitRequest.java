package io.weir;

/**
 * What a request asks of one policy: permits, for a caller, under a limit.
 *
 * <p>Immutable.
 *
 * @param policy the policy that decides
 * @param key whom it counts
 * @param permits how many permits the request takes, 0 and more; none are always admitted, more
 *     than a full bucket has are always refused
 * @param limit permits per window for this caller (that of its tier), 1 to 1,000,000,000
 */
public record PermitRequest(Policy policy, Key key, long permits, long limit) {
  /**
   * Validates.
   *
   * @param policy see the record
   * @param key see the record
   * @param permits see the record
   * @param limit see the record
   * @throws IllegalArgumentException if permits or limit are out of range
   */
  public PermitRequest {
    if (permits < 0) {
      throw new IllegalArgumentException("permits must be at least 0, not " + permits);
    }
    Policy.requireLimit("limit", limit);
  }

  /**
   * Requests the policy's own cost under its own limit.
   *
   * @param policy the policy that decides
   * @param key whom it counts
   */
  public PermitRequest(Policy policy, Key key) {
    this(policy, key, policy.cost(), policy.limit());
  }
}

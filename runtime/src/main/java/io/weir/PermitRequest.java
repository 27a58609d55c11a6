package io.weir;

/**
 * Requests permits of one policy for a caller, under a limit.
 *
 * <p>Immutable.
 *
 * @param policy the policy that decides
 * @param key identifies the caller
 * @param permits the permits that the request takes, 0 and more; 0 is always admitted, more than
 *     the burst is {@linkplain Decision#neverAdmitted() never admitted}
 * @param limit permits per window for this caller, such as those of its tier, 1 to 1,000,000,000
 * @param used the permits that the caller is known to have used in the current window at least,
 *     even if the store has counted fewer, 0 and more; 0 unless the window is a {@linkplain
 *     io.weir.store.CalendarWindow#isPeriod() period}
 * @param load the load of the system that the permits are for, 0 to 1, for policies that depend on
 *     the load; NaN for the load of this node
 */
public record PermitRequest(
    Policy policy, Key key, long permits, long limit, long used, double load) {
  /**
   * Validates the ranges.
   *
   * @param policy the policy that decides
   * @param key identifies the caller
   * @param permits the permits that the request takes, 0 and more
   * @param limit permits per window for this caller, 1 to 1,000,000,000
   * @param used the permits that the caller is known to have used, 0 and more
   * @param load the load of the system, 0 to 1; NaN for the load of this node
   * @throws IllegalArgumentException if permits, limit, used or load are out of range
   */
  public PermitRequest {
    if (permits < 0) {
      throw new IllegalArgumentException("permits must be at least 0, not " + permits);
    }
    Policy.requireLimit("limit", limit);
    policy.requireUsed(used);
    if (load < 0 || load > 1) { // NaN is neither
      throw new IllegalArgumentException("load must be 0 to 1, not " + load);
    }
  }

  /**
   * Requests permits under the load of this node.
   *
   * @param policy the policy that decides
   * @param key identifies the caller
   * @param permits the permits that the request takes, 0 and more
   * @param limit permits per window for this caller, 1 to 1,000,000,000
   * @param used the permits that the caller is known to have used at least, 0 and more
   * @throws IllegalArgumentException if permits, limit or used are out of range
   */
  public PermitRequest(Policy policy, Key key, long permits, long limit, long used) {
    this(policy, key, permits, limit, used, Double.NaN);
  }

  /**
   * Requests permits for a caller whose use only the store knows.
   *
   * @param policy the policy that decides
   * @param key identifies the caller
   * @param permits the permits that the request takes, 0 and more
   * @param limit permits per window for this caller, 1 to 1,000,000,000
   * @throws IllegalArgumentException if permits or limit are out of range
   */
  public PermitRequest(Policy policy, Key key, long permits, long limit) {
    this(policy, key, permits, limit, 0);
  }

  /**
   * Requests the policy's own cost under the policy's own limit.
   *
   * @param policy the policy that decides
   * @param key identifies the caller
   */
  public PermitRequest(Policy policy, Key key) {
    this(policy, key, policy.cost(), policy.limit(), 0);
  }

  /**
   * Returns a copy for a system with another load than this node.
   *
   * @param busy 0 (idle) to 1 (fully loaded); NaN for the load of this node
   * @return a copy
   * @throws IllegalArgumentException if it is out of range
   */
  public PermitRequest withLoad(double busy) {
    return new PermitRequest(policy, key, permits, limit, used, busy);
  }
}

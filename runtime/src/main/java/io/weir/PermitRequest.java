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
 * @param used how many permits the caller is known to have used in the running window at least,
 *     whatever the store has counted, 0 and more; 0 unless the window is a {@linkplain
 *     io.weir.store.CalendarWindow#isPeriod() period}
 * @param load how busy the system is that the permits are for, 0 to 1, by which policies that
 *     follow the load decide; NaN for the load of this node
 */
public record PermitRequest(
    Policy policy, Key key, long permits, long limit, long used, double load) {
  /**
   * Validates.
   *
   * @param policy see the record
   * @param key see the record
   * @param permits see the record
   * @param limit see the record
   * @param used see the record
   * @param load see the record
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
   * Requests permits by the load of this node.
   *
   * @param policy the policy that decides
   * @param key whom it counts
   * @param permits how many permits the request takes, 0 and more
   * @param limit permits per window for this caller, 1 to 1,000,000,000
   * @param used how many permits the caller is known to have used at least, 0 and more
   * @throws IllegalArgumentException if permits, limit or used are out of range
   */
  public PermitRequest(Policy policy, Key key, long permits, long limit, long used) {
    this(policy, key, permits, limit, used, Double.NaN);
  }

  /**
   * Requests permits of a caller of whom only the store knows what it has used.
   *
   * @param policy the policy that decides
   * @param key whom it counts
   * @param permits how many permits the request takes, 0 and more
   * @param limit permits per window for this caller, 1 to 1,000,000,000
   * @throws IllegalArgumentException if permits or limit are out of range
   */
  public PermitRequest(Policy policy, Key key, long permits, long limit) {
    this(policy, key, permits, limit, 0);
  }

  /**
   * Requests the policy's own cost under its own limit.
   *
   * @param policy the policy that decides
   * @param key whom it counts
   */
  public PermitRequest(Policy policy, Key key) {
    this(policy, key, policy.cost(), policy.limit(), 0);
  }

  /**
   * The same for a system that is busier, or less busy, than this node.
   *
   * @param busy 0 (idle) to 1 (fully loaded); NaN for the load of this node
   * @return a copy
   * @throws IllegalArgumentException if it is out of range
   */
  public PermitRequest withLoad(double busy) {
    return new PermitRequest(policy, key, permits, limit, used, busy);
  }
}

package io.weir.internal.permits;

import io.weir.Outcome;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.annotation.Mode;

/**
 * The terms of a request: how many permits, under which policy, and the limits in force. Without
 * the caller, unlike a {@link PermitRequest}.
 *
 * <p>They are the same for all callers of a policy, unless tier or load changes them. So they are
 * made once and shared by all decisions that they lead to.
 *
 * <p>Immutable.
 *
 * @param policy the policy that decides
 * @param permits how many permits the request takes, 1 and more
 * @param limit permits per window that the caller is told, 1 to 1,000,000,000
 * @param effectiveLimit permits per window in force, after mode and load
 * @param burst permits at once in force: those of a fresh bucket
 * @param excess how many of those are beyond the limit: the ones that SOFT marks; 0 up to burst
 * @param used how many permits the caller is known to have used at least, whatever the store has
 *     counted; 0 if only the store knows, and then the terms are the same for all callers
 */
public record PolicyTerms(
    Policy policy,
    long permits,
    long limit,
    long effectiveLimit,
    long burst,
    long excess,
    long used) {
  /**
   * Validates.
   *
   * @param policy see the record
   * @param permits see the record
   * @param limit see the record
   * @param effectiveLimit see the record
   * @param burst see the record
   * @param excess see the record
   * @param used see the record
   * @throws IllegalArgumentException if permits or limit are out of range
   */
  public PolicyTerms {
    if (permits < 1) {
      throw new IllegalArgumentException("permits must be at least 1, not " + permits);
    }
    if (limit < 1 || limit > Policy.MAX_LIMIT) {
      throw new IllegalArgumentException("limit must be 1 to 1,000,000,000, not " + limit);
    }
  }

  /**
   * Terms of a caller of whom only the store knows what it has used.
   *
   * @param policy see the record
   * @param permits see the record
   * @param limit see the record
   * @param effectiveLimit see the record
   * @param burst see the record
   * @param excess see the record
   * @throws IllegalArgumentException if permits or limit are out of range
   */
  public PolicyTerms(
      Policy policy, long permits, long limit, long effectiveLimit, long burst, long excess) {
    this(policy, permits, limit, effectiveLimit, burst, excess, 0);
  }

  /**
   * The terms of another request that is decided under the same limits.
   *
   * @param other how many permits that takes, 1 and more
   * @return a copy
   * @throws IllegalArgumentException if it is out of range
   */
  public PolicyTerms withPermits(long other) {
    return new PolicyTerms(policy, other, limit, effectiveLimit, burst, excess, used);
  }

  /**
   * The outcome of a request that is admitted.
   *
   * @param left permits that are left after it
   * @return within the limit or how it goes beyond
   */
  public Outcome outcome(long left) {
    if (left >= excess) {
      return Outcome.ADMITTED;
    }
    return policy.mode() == Mode.ELASTIC ? Outcome.ELASTIC : Outcome.SOFT;
  }

  /**
   * How many permits the caller is told that it has left.
   *
   * @param left permits that are left, including those beyond the limit
   * @return those within the limit
   */
  public long remaining(long left) {
    return Math.min(limit, Math.max(0, left - excess));
  }

  /**
   * When the caller is told that it has more.
   *
   * @param left permits that are left, including those beyond the limit
   * @param micros when there will be more
   * @return microseconds; zero if nothing more can be there
   */
  public long reset(long left, long micros) {
    return left >= burst ? 0 : micros;
  }
}

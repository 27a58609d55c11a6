package io.weir.internal.permits;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Outcome;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.Reason;
import io.weir.annotation.Mode;

/**
 * What is in force for a request of some caller: so many permits, of a policy, under a limit. For
 * engines and their sources of permits; users ask with an {@link PermitRequest} or less.
 *
 * <p>It is the same for all callers of a policy as long as neither tier nor load makes another of
 * it. So it is made once and shared by all decisions that it led to.
 *
 * <p>Immutable.
 *
 * @param policy the policy that decides
 * @param permits how many permits the request takes, 1 and more
 * @param limit permits per window that the caller is told, 1 to 1,000,000,000
 * @param effectiveLimit permits per window in force, which mode and load make of the limit
 * @param burst permits at once in force, those of a fresh bucket
 * @param excess how many of those at once are above the limit: what SOFT marks; 0 up to burst
 */
public record RequestTerms(
    Policy policy, long permits, long limit, long effectiveLimit, long burst, long excess) {
  /**
   * Validates.
   *
   * @param policy see the record
   * @param permits see the record
   * @param limit see the record
   * @param effectiveLimit see the record
   * @param burst see the record
   * @param excess see the record
   * @throws IllegalArgumentException if permits or limit are out of range
   */
  public RequestTerms {
    if (permits < 1) {
      throw new IllegalArgumentException("permits must be at least 1, not " + permits);
    }
    if (limit < 1 || limit > Policy.MAX_LIMIT) {
      throw new IllegalArgumentException("limit must be 1 to 1,000,000,000, not " + limit);
    }
  }

  /**
   * Admits a request that took its permits.
   *
   * @param key whom it counted
   * @param left permits that a caller under this offer could take now
   * @param reset microseconds until there are more
   * @param stamp the mark of the window that they were taken from
   * @return the decision
   */
  public Decision admit(Key key, long left, long reset, long stamp) {
    Outcome outcome = outcome(left);
    return new RequestDecision(
        this,
        key,
        outcome,
        Reason.WITHIN_LIMIT,
        true,
        false,
        remaining(left),
        reset(left, reset),
        stamp);
  }

  /**
   * Refuses a request because its permits aren't there.
   *
   * @param key whom it counted
   * @param left permits that a caller under this offer could take now
   * @param reset microseconds until there are more
   * @param retry microseconds until there are as many as it asked for
   * @return the decision; of a policy in shadow mode one that admits all the same
   */
  public Decision refuse(Key key, long left, long reset, long retry) {
    Outcome outcome = policy.shadow() ? Outcome.SHADOW_REFUSED : Outcome.REFUSED;
    return new RequestDecision(
        this,
        key,
        outcome,
        Reason.QUOTA_EXCEEDED,
        false,
        false,
        remaining(left),
        reset(left, reset),
        retry);
  }

  /**
   * What becomes of a request that is admitted.
   *
   * @param left permits that are left after it
   * @return whether it is within the limit, or how it goes above
   */
  public Outcome outcome(long left) {
    if (left >= excess) {
      return Outcome.ADMITTED;
    }
    return policy.mode() == Mode.ELASTIC ? Outcome.ELASTIC : Outcome.SOFT;
  }

  /**
   * What the caller is told that it has left.
   *
   * @param left permits that are left of all that are in force
   * @return those within the limit
   */
  public long remaining(long left) {
    return Math.min(limit, Math.max(0, left - excess));
  }

  /**
   * When the caller is told that it has more.
   *
   * @param left permits that are left of all that are in force
   * @param micros when there will be more
   * @return microseconds; zero if nothing more can be there
   */
  public long reset(long left, long micros) {
    return left >= burst ? 0 : micros;
  }
}

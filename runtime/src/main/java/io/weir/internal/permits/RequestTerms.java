package io.weir.internal.permits;

import io.weir.Outcome;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.annotation.Mode;
import org.jspecify.annotations.Nullable;

/**
 * Holds the terms of a request: its permits, its policy, and the limits in force. Unlike a {@link
 * PermitRequest} they don't contain the caller.
 *
 * <p>They are the same for all callers of a policy, unless tier or load changes them. So they are
 * made once and shared by all decisions under them.
 *
 * <p>Immutable.
 *
 * @param permits the permits that the request takes, at least 1
 * @param limit permits per window reported to the caller, 1 to 1,000,000,000; 0 for a region whose
 *     part is less than a permit
 * @param effectiveLimit permits per window in force, after mode and load
 * @param burst permits at once in force: those of a fresh bucket
 * @param excess the part of the burst beyond the limit, which SOFT marks; 0 up to burst
 * @param used the least number of permits that the caller is known to have used, whatever the store
 *     has counted; 0 if only the store knows, and then the terms are the same for all callers
 * @param part the part of the limit that this region counts; null if the limit is whole
 */
public record RequestTerms(
    Policy policy,
    long permits,
    long limit,
    long effectiveLimit,
    long burst,
    long excess,
    long used,
    @Nullable RegionPart part) {
  /**
   * Validates.
   *
   * @throws IllegalArgumentException if permits or limit are out of range
   */
  public RequestTerms {
    if (permits < 1) {
      throw new IllegalArgumentException("permits must be at least 1, not " + permits);
    }
    if (limit < (part == null ? 1 : 0) || limit > Policy.MAX_LIMIT) {
      throw new IllegalArgumentException("limit must be 1 to 1,000,000,000, not " + limit);
    }
  }

  /** Makes the terms of a caller with a whole limit, whose used permits only the store knows. */
  public RequestTerms(
      Policy policy, long permits, long limit, long effectiveLimit, long burst, long excess) {
    this(policy, permits, limit, effectiveLimit, burst, excess, 0, null);
  }

  /** Returns the caller's limit over all regions. */
  public long wholeLimit() {
    return part == null ? limit : part.whole();
  }

  /** Returns the permits at once within the limit, without load and excess. */
  public long atOnce() {
    return part == null ? policy.burstFor(limit) : part.burst();
  }

  /** Returns the permits that come back at once within the limit; 0 without a refill. */
  public long refill() {
    return part == null ? policy.refillFor(limit) : part.refill();
  }

  /**
   * Returns the terms of another request that is decided under the same limits.
   *
   * @throws IllegalArgumentException if its permits are less than 1
   */
  public RequestTerms withPermits(long other) {
    return new RequestTerms(policy, other, limit, effectiveLimit, burst, excess, used, part);
  }

  /** Takes the permits that are left after an admitted request. */
  public Outcome outcome(long left) {
    if (left >= excess) {
      return Outcome.ADMITTED;
    }
    return policy.mode() == Mode.ELASTIC ? Outcome.ELASTIC : Outcome.SOFT;
  }

  /** Returns the permits to report to the caller: of those left, the ones within the limit. */
  public long remaining(long left) {
    return Math.min(limit, Math.max(0, left - excess));
  }

  /**
   * Returns the microseconds until there are more permits, to report to the caller; 0 if there
   * can't be more.
   *
   * @param left permits that are left, including those beyond the limit
   */
  public long reset(long left, long micros) {
    return left >= burst ? 0 : micros;
  }
}

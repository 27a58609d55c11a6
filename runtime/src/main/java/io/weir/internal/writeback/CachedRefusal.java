package io.weir.internal.writeback;

import io.weir.annotation.Mode;
import io.weir.internal.permits.RequestTerms;

/**
 * The knowledge that a bucket is empty for whoever wants as much or more, by a capacity that is no
 * larger.
 *
 * <p>Immutable.
 *
 * @param until when it is time to look again: others may have given back
 * @param cost the fewest permits that weren't there
 * @param effectiveLimit by which capacity
 * @param burst by which burst
 * @param left how many were there
 * @param retryAt when {@code cost} permits will be there by ageing alone
 * @param resetAt when more than {@code left} will be
 */
record CachedRefusal(
    long until, long cost, long effectiveLimit, long burst, long left, long retryAt, long resetAt) {

  /** Whether a wish that lacks so many permits can't be met as long as this holds. */
  boolean refuses(RequestTerms requestTerms, long missing) {
    return missing >= cost
        && requestTerms.effectiveLimit() <= effectiveLimit
        && requestTerms.burst() <= burst;
  }

  /** Whether a wish that lacks so many can be met at {@code retryAt} at the latest. */
  boolean promises(RequestTerms requestTerms, long missing) {
    // ELASTIC follows the load, so no time is certain, and none is worth asking again for.
    boolean elastic = requestTerms.policy().mode() == Mode.ELASTIC;
    return missing <= cost
        && (elastic
            || requestTerms.effectiveLimit() >= effectiveLimit && requestTerms.burst() >= burst);
  }

  /** Microseconds until as many are there. */
  long retry(long now) {
    return Math.max(1, retryAt - now);
  }

  /** Microseconds until there are more. */
  long reset(long now) {
    return Math.max(1, resetAt - now);
  }

  boolean isAbout(CachedRefusal other) {
    return cost == other.cost && effectiveLimit == other.effectiveLimit && burst == other.burst;
  }
}

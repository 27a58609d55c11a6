package io.weir.internal.writeback.lease;

import io.weir.annotation.Mode;
import io.weir.internal.permits.PolicyTerms;

/**
 * The knowledge that a bucket has too few permits for a request of this cost or more, by an
 * effective limit that is no larger.
 *
 * <p>Immutable.
 *
 * @param until when to ask the store again: other nodes may have given back
 * @param cost the fewest permits that weren't there
 * @param effectiveLimit by which effective limit
 * @param burst by which burst
 * @param left how many were there
 * @param retryAt when {@code cost} permits will be there by ageing alone
 * @param resetAt when more than {@code left} will be
 */
public record CachedRefusal(
    long until, long cost, long effectiveLimit, long burst, long left, long retryAt, long resetAt) {

  /** Whether a request that lacks so many permits is refused as long as this holds. */
  boolean refuses(PolicyTerms terms, long missing) {
    return missing >= cost && terms.effectiveLimit() <= effectiveLimit && terms.burst() <= burst;
  }

  /** Whether a request that lacks so many will be granted at {@code retryAt} at the latest. */
  boolean promises(PolicyTerms terms, long missing) {
    // ELASTIC follows the load, so no time is certain, and none justifies asking the store.
    boolean elastic = terms.policy().mode() == Mode.ELASTIC;
    return missing <= cost
        && (elastic || terms.effectiveLimit() >= effectiveLimit && terms.burst() >= burst);
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

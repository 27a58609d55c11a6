package io.weir.internal.writeback.lease;

import io.weir.annotation.Mode;
import io.weir.internal.permits.PolicyTerms;
import org.jspecify.annotations.Nullable;

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
 * @param anew of a strict bucket, how long both take from each refusal on; null for others
 */
public record CachedRefusal(
    long until,
    long cost,
    long effectiveLimit,
    long burst,
    long left,
    long retryAt,
    long resetAt,
    @Nullable WaitAnew anew) {

  /**
   * What each refusal of a strict bucket starts anew.
   *
   * <p>Safe for concurrent use.
   *
   * @param retry microseconds until there are enough
   * @param reset microseconds until there are more
   * @param refusals what is told of each
   */
  record WaitAnew(long retry, long reset, UnreportedRefusals refusals) {}

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

  /** Notes that a request is refused because of this, not by the store. */
  void note(long now) {
    if (anew != null) {
      anew.refusals().note(now);
    }
  }

  /** Microseconds until as many are there. */
  long retry(long now) {
    return anew != null ? anew.retry() : Math.max(1, retryAt - now);
  }

  /** Microseconds until there are more. */
  long reset(long now) {
    return anew != null ? anew.reset() : Math.max(1, resetAt - now);
  }

  boolean isAbout(CachedRefusal other) {
    return cost == other.cost && effectiveLimit == other.effectiveLimit && burst == other.burst;
  }
}

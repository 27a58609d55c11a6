package io.weir.internal.inprocess;

import io.weir.Decision;
import io.weir.Key;
import io.weir.internal.permits.RequestDecision;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.Claim;
import io.weir.store.Grant;

/**
 * Remembers a refusal that holds until there are more permits, unless the bucket executes another
 * claim: the next request like it gets the same answer without the monitor and the arithmetic. So a
 * caller that goes on although refused costs little.
 *
 * <p>Immutable.
 *
 * @param permits permits that weren't free
 * @param effectiveLimit the effective limit by which that was so
 * @param burst the burst by which that was so
 * @param left permits that were free
 * @param resetAt when more will be free
 * @param retryAt when enough will be free
 */
record StandingRefusal(
    long permits, long effectiveLimit, long burst, long left, long resetAt, long retryAt) {

  /** Returns whether a grant at a time is a refusal that time alone ends. */
  static boolean is(Claim claim, Grant grant) {
    return grant.permits() == 0
        && claim.needed() > 0
        // A request for more than there ever is gets another time.
        && claim.needed() <= Math.min(claim.effectiveLimit(), claim.burst())
        && !claim.bucket().spec().strict() // which counts each refusal
        && grant.reset() > 0
        && grant.retry() >= grant.reset();
  }

  static StandingRefusal of(Claim claim, Grant grant, long now) {
    return new StandingRefusal(
        claim.needed(),
        claim.effectiveLimit(),
        claim.burst(),
        grant.left(),
        now + grant.reset(),
        now + grant.retry());
  }

  boolean holds(RequestTerms terms, long now) {
    return now < resetAt
        && terms.permits() == permits
        && terms.effectiveLimit() == effectiveLimit
        && terms.burst() == burst;
  }

  Decision decide(RequestTerms terms, Key key, long now) {
    return RequestDecision.refuse(terms, key, left, resetAt - now, retryAt - now);
  }
}

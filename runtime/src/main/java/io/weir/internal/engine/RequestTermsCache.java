package io.weir.internal.engine;

import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.annotation.Mode;
import io.weir.internal.permits.RequestTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What is in force for the requests of this node, as far as it is one offer for many of them.
 *
 * <p>A HARD or SOFT policy offers the same to all that ask as much under the same limit, so its
 * offer is remembered: in a table of fixed size, in which one may push another out and is made anew
 * then. An ELASTIC one follows the load.
 *
 * <p>Safe for concurrent use.
 */
final class RequestTermsCache {
  private static final int PLACES = 256;

  private final AtomicReferenceArray<@Nullable RequestTerms> places =
      new AtomicReferenceArray<>(PLACES);
  private final LimitCalculator limits;

  RequestTermsCache(LimitCalculator limits) {
    this.limits = limits;
  }

  /**
   * The offer for a request; null if that is more than one to take something by: where there can't
   * be as many permits, or the node gives less than the limit.
   */
  @Nullable RequestTerms of(Policy policy, long permits, long limit) {
    int place = place(policy, permits, limit);
    RequestTerms last = places.getPlain(place);
    if (last != null && is(last, policy, permits, limit)) {
      return last;
    }
    EffectiveLimit inForce = limits.of(policy, limit);
    RequestTerms terms = inForce.terms(policy, permits);
    if (inForce.reduced() || permits > inForce.full()) {
      return null;
    }
    if (policy.mode() != Mode.ELASTIC) {
      places.setRelease(place, terms);
    }
    return terms;
  }

  /**
   * The offers for a request of several policies, in order; none if one of them has none, or
   * follows the load, which is read once for all of them.
   */
  List<RequestTerms> of(List<PermitRequest> asks) {
    List<RequestTerms> all = new ArrayList<>(asks.size());
    for (PermitRequest ask : asks) {
      boolean follows = ask.policy().mode() == Mode.ELASTIC;
      RequestTerms terms = follows ? null : of(ask.policy(), ask.permits(), ask.limit());
      if (terms == null) {
        return List.of();
      }
      all.add(terms);
    }
    return all;
  }

  // An equal policy that isn't the same only costs another offer, comparing all of it much more.
  @SuppressWarnings("ReferenceEquality")
  private static boolean is(RequestTerms terms, Policy policy, long permits, long limit) {
    return terms.policy() == policy && terms.permits() == permits && terms.limit() == limit;
  }

  private static int place(Policy policy, long permits, long limit) {
    long hash = (System.identityHashCode(policy) ^ permits) * 31 + limit;
    return (int) (hash ^ hash >>> 16) & (PLACES - 1);
  }
}

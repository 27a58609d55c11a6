package io.weir.internal.engine;

import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.internal.permits.RequestTerms;
import io.weir.internal.region.RegionShares;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Caches the terms of recent requests, so that decisions share them.
 *
 * <p>Under a HARD or SOFT policy without a priority the terms are the same for all requests for as
 * many permits under the same limit. They are kept in a table of fixed size, in which one may
 * replace another. Those of other policies depend on the load and aren't kept, nor are those of a
 * caller that is known to have used some permits. Where regions divide limits, those of a few
 * remainders are kept.
 *
 * <p>Safe for concurrent use.
 */
final class RequestTermsCache {
  private static final int SIZE = 256;

  private final AtomicReferenceArray<@Nullable RequestTerms> table =
      new AtomicReferenceArray<>(SIZE);
  private final AtomicReferenceArray<@Nullable DividedTerms> divided =
      new AtomicReferenceArray<>(SIZE);
  private final LimitCalculator limits;
  private final Consumer<Policy> check;

  /**
   * Starts empty.
   *
   * @param check throws if a policy can't be used; called before its terms are made
   */
  RequestTermsCache(LimitCalculator limits, Consumer<Policy> check) {
    this.limits = limits;
    this.check = check;
  }

  /**
   * Returns the terms of a request that a single answer of the source can decide; null if so many
   * permits are impossible, if none are requested, or if the node admits less than the limit, which
   * takes two answers.
   */
  @Nullable RequestTerms of(Policy policy, Key key, long permits, long limit, long used) {
    if (limits.divides(policy)) {
      return divided(policy, key, permits, limit, used);
    }
    int index = index(policy, permits, limit);
    RequestTerms last = used > 0 ? null : table.getPlain(index);
    if (last != null && matches(last, policy, permits, limit)) {
      return last;
    }
    RequestTerms terms = make(policy, key, permits, limit, used);
    if (terms != null && isKept(policy, used)) {
      table.setRelease(index, terms);
    }
    return terms;
  }

  private @Nullable RequestTerms divided(
      Policy policy, Key key, long permits, long limit, long used) {
    int index = index(policy, permits, limit);
    int remainder = RegionShares.remainder(policy.spec(), key);
    DividedTerms last = used > 0 ? null : divided.getPlain(index);
    if (last != null && !last.areOf(policy, permits, limit)) {
      last = null;
    }
    RequestTerms known = last == null ? null : last.of(remainder);
    if (known != null) {
      return known;
    }
    RequestTerms terms = make(policy, key, permits, limit, used);
    if (terms == null || !isKept(policy, used)) {
      return terms;
    }
    DividedTerms kept = last != null ? last : new DividedTerms(policy, permits, limit);
    RequestTerms shared = kept.add(remainder, terms);
    divided.setRelease(index, kept);
    return shared;
  }

  private @Nullable RequestTerms make(Policy policy, Key key, long permits, long limit, long used) {
    check.accept(policy);
    if (permits == 0) {
      return null;
    }
    EffectiveLimit effectiveLimit = limits.of(policy, key, limit);
    return effectiveLimit.isReduced() || permits > effectiveLimit.burst()
        ? null
        : effectiveLimit.terms(policy, permits, used);
  }

  private static boolean isKept(Policy policy, long used) {
    return used == 0 && !LimitCalculator.followsLoad(policy);
  }

  /**
   * Returns the terms of a request of several policies, in order; empty if one has none, or depends
   * on the load, which must be read only once for all of them.
   */
  List<RequestTerms> of(List<PermitRequest> requests) {
    List<RequestTerms> all = new ArrayList<>(requests.size());
    for (PermitRequest request : requests) {
      boolean follows = LimitCalculator.followsLoad(request.policy());
      RequestTerms terms =
          follows
              ? null
              : of(
                  request.policy(),
                  request.key(),
                  request.permits(),
                  request.limit(),
                  request.used());
      if (terms == null) {
        return List.of();
      }
      all.add(terms);
    }
    return all;
  }

  // By identity, since comparing whole policies would cost much more than making the terms of an
  // equal one again.
  @SuppressWarnings("ReferenceEquality")
  private static boolean matches(RequestTerms terms, Policy policy, long permits, long limit) {
    return terms.policy() == policy && terms.permits() == permits && terms.limit() == limit;
  }

  private static int index(Policy policy, long permits, long limit) {
    long hash = (System.identityHashCode(policy) ^ permits) * 31 + limit;
    return (int) (hash ^ hash >>> 16) & (SIZE - 1);
  }
}

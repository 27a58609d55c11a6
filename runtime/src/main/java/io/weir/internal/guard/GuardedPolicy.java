package io.weir.internal.guard;

import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.internal.policy.LivePolicy;
import io.weir.spi.AppliedPolicy;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import io.weir.spi.RequestInfo;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A policy bound to an endpoint, with what reads requests for it and what counts its use. Safe for
 * concurrent use.
 */
record GuardedPolicy(LivePolicy bound, RequestReader reader, PolicyUsage usage) {
  DecisionPhase phase() {
    return reader.phase();
  }

  /** What a request costs, for a policy that reads nothing but the key. */
  PermitRequest request(RequestInfo request, SafeTierResolver tiers, CallerTier tier) {
    LivePolicy.State now = bound.now();
    long limit = tiers.limit(request, now.policy(), tier);
    OptionalLong said = request.cost();
    long cost = said.isPresent() ? said.getAsLong() : now.cost(request.answeredMethod());
    return request(now.policy(), request, cost, limit);
  }

  /**
   * What a request costs beyond what it was charged before; nothing if that is all, or the policy
   * doesn't hold for it.
   */
  Optional<PermitRequest> request(
      RequestInfo request, DecisionHistory any, SafeTierResolver tiers, CallerTier tier) {
    DecisionHistory history = any.of(bound.name());
    if (!reader.holds(request, history)) {
      return Optional.empty();
    }
    LivePolicy.State now = bound.now();
    Policy policy = now.policy();
    long limit = tiers.limit(request, policy, tier);
    long usual = now.cost(request.answeredMethod());
    long cost = reader.cost(request, history, policy, limit, usual);
    long rest = cost < 0 ? cost : history.rest(policy.name(), cost);
    return rest < 0 ? Optional.empty() : Optional.of(request(policy, request, rest, limit));
  }

  /**
   * What a request costs under what a policy source puts in the place of this policy, which still
   * says how the request is read.
   */
  Optional<PermitRequest> request(
      RequestInfo request,
      DecisionHistory any,
      AppliedPolicy replacement,
      SafeTierResolver tiers,
      CallerTier tier) {
    DecisionHistory history = any.of(bound.name());
    if (!reader.holds(request, history)) {
      return Optional.empty();
    }
    Policy policy = replacement.policy();
    long limit =
        replacement.limitFor(
            replacement.isLimitGiven()
                ? replacement.limit()
                : tiers.limit(request, bound.current(), tier));
    long cost =
        replacement.isCostGiven() && request.cost().isEmpty()
            ? AppliedPolicyReader.cost(replacement, limit)
            : reader.cost(request, history, policy, limit, usualCost(request, policy, limit));
    long rest = cost < 0 ? cost : history.rest(policy.name(), cost);
    if (rest < 0) {
      return Optional.empty();
    }
    usage.count(bound.current(), limit);
    return Optional.of(new PermitRequest(policy, reader.key(request), rest, limit));
  }

  /** The cost was meant for another limit; a request must be able to pass under this one too. */
  private long usualCost(RequestInfo request, Policy replacement, long limit) {
    return Math.min(bound.now().cost(request.answeredMethod()), replacement.burstFor(limit));
  }

  private PermitRequest request(Policy policy, RequestInfo request, long permits, long limit) {
    usage.count(policy, limit);
    return new PermitRequest(policy, reader.key(request), permits, limit);
  }
}

package io.weir.internal.guard;

import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.internal.extension.SafeTierResolver;
import io.weir.internal.policy.ExceptedPaths;
import io.weir.internal.policy.LivePolicy;
import io.weir.spi.AppliedPolicy;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import io.weir.spi.RequestInfo;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Makes permit requests of one policy that is bound to endpoints. Safe for concurrent use.
 *
 * @param leavesPathOut whether an exception of it names the path of the endpoint
 */
public record GuardedPolicy(
    LivePolicy bound, PolicyRequestReader reader, PolicyUsage usage, boolean leavesPathOut) {
  /**
   * Makes the same policy for a path that an exception of it names: it counts only requests that
   * mustn't be left out.
   */
  public GuardedPolicy leavingPathOut() {
    return new GuardedPolicy(bound, reader, usage, true);
  }

  DecisionPhase phase() {
    return reader.phase();
  }

  /** Returns whether settings leave a request out, by its path or the endpoint that answers it. */
  boolean excepts(RequestInfo request) {
    ExceptedPaths except = bound.now().except();
    boolean isNamed = leavesPathOut || !except.isEmpty() && except.contain(request.endpoint());
    if (!isNamed || !request.mayBeLeftOut()) {
      return false;
    }
    usage.met();
    return true;
  }

  /** Returns whether it reads the body of requests. */
  boolean readsBody() {
    return reader.body().isAny();
  }

  /** Returns whether it reads the body of this one. */
  boolean wantsBody(RequestInfo request, DecisionHistory history) {
    return !excepts(request) && reader.wantsBody(request, history);
  }

  /** Returns whether it bans callers. */
  boolean bans() {
    return bound.current().ban().isPresent();
  }

  boolean waitsForUser(RequestInfo request, DecisionHistory history) {
    return !excepts(request) && reader.waitsForUser(request, history);
  }

  private boolean holds(RequestInfo request, DecisionHistory history) {
    return !excepts(request) && reader.holds(request, history);
  }

  /**
   * Makes the permit request of a policy that reads nothing but the key, and doesn't leave the
   * request out.
   */
  public PermitRequest request(RequestInfo request, SafeTierResolver tiers, CallerTier tier) {
    LivePolicy.State now = bound.now();
    CallerTier ofPolicy = tiers.tierUnder(request, now.policy(), tier);
    OptionalLong said = request.cost();
    long cost = said.isPresent() ? said.getAsLong() : now.cost(request.answeredMethod());
    return request(now.policy(), request, cost, ofPolicy);
  }

  /**
   * Makes the permit request for the cost beyond what was charged before; empty if nothing is left,
   * or the policy doesn't hold for the request or leaves it out.
   */
  Optional<PermitRequest> request(
      RequestInfo request, DecisionHistory any, SafeTierResolver tiers, CallerTier tier) {
    DecisionHistory history = any.of(bound.name());
    if (!holds(request, history)) {
      return Optional.empty();
    }
    LivePolicy.State now = bound.now();
    Policy policy = now.policy();
    CallerTier ofPolicy = tiers.tierUnder(request, policy, tier);
    long usual = now.cost(request.answeredMethod());
    long cost = reader.cost(request, history, policy, usual);
    long rest = cost < 0 ? cost : history.rest(policy.name(), cost);
    return rest < 0 ? Optional.empty() : Optional.of(request(policy, request, rest, ofPolicy));
  }

  /**
   * Makes the permit request under the replacement of a policy source; this policy still determines
   * how the request is read.
   */
  Optional<PermitRequest> request(
      RequestInfo request,
      DecisionHistory any,
      AppliedPolicy replacement,
      SafeTierResolver tiers,
      CallerTier tier) {
    DecisionHistory history = any.of(bound.name());
    if (!holds(request, history)) {
      return Optional.empty();
    }
    Policy policy = replacement.policy();
    long usual = replacement.limit();
    if (!replacement.isLimitGiven()) {
      CallerTier ofPolicy = tiers.tierUnder(request, bound.current(), tier);
      usual = ofPolicy.limitUnder(bound.current());
      policy = ofPolicy.policyUnder(policy);
    }
    long limit = replacement.limitFor(usual);
    long cost =
        replacement.isCostGiven() && request.cost().isEmpty()
            ? AppliedPolicyReader.cost(replacement, limit)
            : reader.cost(request, history, policy, usualCost(request, policy, limit));
    long rest = cost < 0 ? cost : history.rest(policy.name(), cost);
    if (rest < 0) {
      return Optional.empty();
    }
    usage.count(bound.current(), limit);
    return Optional.of(new PermitRequest(policy, reader.key(request), rest, limit));
  }

  /**
   * Bounds the cost, which was meant for another limit, so that a request can pass under this one.
   */
  private long usualCost(RequestInfo request, Policy replacement, long limit) {
    return Math.min(bound.now().cost(request.answeredMethod()), replacement.burstFor(limit));
  }

  private PermitRequest request(Policy policy, RequestInfo request, long permits, CallerTier tier) {
    long limit = tier.limitUnder(policy);
    usage.count(policy, limit);
    return new PermitRequest(tier.policyUnder(policy), reader.key(request), permits, limit);
  }
}

package io.weir.internal.guard;

import io.weir.PermitRequest;
import io.weir.internal.guard.SafePolicySource.Answer;
import io.weir.spi.AppliedPolicy;
import io.weir.spi.CallerTier;
import io.weir.spi.RequestInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes the permit requests of one phase: of the policies bound to the endpoint, and of those that
 * a policy source applies to the request; as far as they haven't charged it before.
 *
 * <p>Confine to one thread.
 */
final class PhaseRequests {
  private final WeirRuntime weir;
  private final RequestInfo request;
  private final DecisionHistory history;
  private final CallerTier tier;

  private PhaseRequests(
      WeirRuntime weir, RequestInfo request, DecisionHistory history, CallerTier tier) {
    this.weir = weir;
    this.request = request;
    this.history = history;
    this.tier = tier;
  }

  /** The permit requests of a phase. Most have one policy, and need no object of this class. */
  static List<PermitRequest> of(
      WeirRuntime weir,
      RequestInfo request,
      DecisionHistory history,
      CallerTier tier,
      List<GuardedPolicy> policies,
      Answer fromSource) {
    return history.isNew() && policies.size() == 1 && fromSource.policies().isEmpty()
        ? List.of(policies.get(0).request(request, weir.tiers(), tier))
        : new PhaseRequests(weir, request, history, tier).all(policies, fromSource);
  }

  private List<PermitRequest> all(List<GuardedPolicy> policies, Answer fromSource) {
    List<PermitRequest> requests = new ArrayList<>(policies.size() + fromSource.policies().size());
    for (GuardedPolicy each : policies) {
      long charged = history.charged(each.bound().name());
      add(each.request(request, weir.tiers(), tier, charged), charged, requests);
    }
    for (AppliedPolicy each : fromSource.policies()) {
      long charged = history.charged(each.policy().name());
      add(request(each, charged), charged, requests);
    }
    return requests;
  }

  private Optional<PermitRequest> request(AppliedPolicy applied, long charged) {
    long rest = applied.permits() - charged;
    return rest > 0
        ? weir.policySource().flatMap(source -> source.request(applied, request, rest))
        : Optional.empty();
  }

  private void add(Optional<PermitRequest> made, long charged, List<PermitRequest> requests) {
    if (made.isPresent()) {
      requests.add(made.get());
      if (charged > 0) {
        history.chargesInSteps();
      }
    }
  }
}

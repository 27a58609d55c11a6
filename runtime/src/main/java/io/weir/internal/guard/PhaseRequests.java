package io.weir.internal.guard;

import io.weir.PermitRequest;
import io.weir.internal.guard.SafePolicySource.Answer;
import io.weir.spi.AppliedPolicy;
import io.weir.spi.CallerTier;
import io.weir.spi.RequestInfo;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the permit requests of one phase: of the policies bound to the endpoint, and of those that
 * a policy source applies to the request; as far as they haven't charged it before.
 */
final class PhaseRequests {
  private PhaseRequests() {}

  /** The permit requests of a phase. Most have one policy that reads nothing but the key. */
  static List<PermitRequest> of(
      WeirRuntime weir,
      RequestInfo request,
      DecisionHistory history,
      CallerTier tier,
      List<GuardedPolicy> policies,
      Answer fromSource) {
    if (history.isNew() && policies.size() == 1 && fromSource.policies().isEmpty()) {
      GuardedPolicy only = policies.get(0);
      if (only.reader().readsKeyAlone()) {
        return List.of(only.request(request, weir.tiers(), tier));
      }
    }
    List<PermitRequest> requests = new ArrayList<>(policies.size() + fromSource.policies().size());
    for (GuardedPolicy each : policies) {
      each.request(request, history, weir.tiers(), tier).ifPresent(requests::add);
    }
    for (AppliedPolicy each : fromSource.policies()) {
      weir.policySource()
          .flatMap(source -> source.request(each, request, history))
          .ifPresent(requests::add);
    }
    return requests;
  }
}

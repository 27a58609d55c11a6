package io.weir.internal.guard;

import io.weir.Policy;
import java.util.ArrayList;
import java.util.List;

/**
 * Lists the policies that decide one phase at one endpoint, as they are in force. The list stays
 * the same object until one of them changes, so that a policy source can cache what it knows of it.
 *
 * <p>Safe for concurrent use.
 */
final class CurrentPolicies {
  private final List<GuardedPolicy> policies;
  private volatile List<Policy> last = List.of();

  CurrentPolicies(List<GuardedPolicy> policies) {
    this.policies = policies;
  }

  List<Policy> get() {
    List<Policy> known = last;
    return isInForce(known) ? known : renewed();
  }

  // By identity: a policy that didn't change is the same object.
  @SuppressWarnings("ReferenceEquality")
  private boolean isInForce(List<Policy> known) {
    if (known.size() != policies.size()) {
      return false;
    }
    for (int i = 0; i < known.size(); i++) { // no iterator for each request
      if (known.get(i) != policies.get(i).bound().current()) {
        return false;
      }
    }
    return true;
  }

  private synchronized List<Policy> renewed() {
    List<Policy> known = last;
    if (isInForce(known)) {
      return known; // another request was faster
    }
    List<Policy> now = new ArrayList<>(policies.size());
    for (GuardedPolicy each : policies) {
      now.add(each.bound().current());
    }
    List<Policy> renewed = List.copyOf(now);
    last = renewed;
    return renewed;
  }
}

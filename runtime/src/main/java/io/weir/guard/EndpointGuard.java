package io.weir.guard;

import io.weir.key.RequestInfo;
import java.util.ArrayList;
import java.util.List;

/**
 * Guards one endpoint: the policies bound to it, ready to decide requests.
 *
 * <p>Safe for concurrent use; follows the settings.
 */
public final class EndpointGuard {
  private final Weir weir;
  private final List<GuardedPolicy> policies;

  EndpointGuard(Weir weir, List<GuardedPolicy> policies) {
    this.weir = weir;
    this.policies = List.copyOf(policies);
  }

  /**
   * Whether nothing is bound here, so that adapters needn't do anything.
   *
   * @return true if every request passes
   */
  public boolean isEmpty() {
    return policies.isEmpty();
  }

  /**
   * Whether a phase has anything to decide.
   *
   * @param phase before or after authentication
   * @return true if a policy belongs to it
   */
  public boolean decides(Phase phase) {
    return policies.stream().anyMatch(each -> each.phase() == phase);
  }

  /**
   * Guards by the policies of both; a policy that both name counts once.
   *
   * @param other another guard of the same application
   * @return a guard of all policies
   */
  public EndpointGuard and(EndpointGuard other) {
    List<GuardedPolicy> all = new ArrayList<>(policies);
    for (GuardedPolicy each : other.policies) {
      if (all.stream().noneMatch(mine -> mine.bound().name().equals(each.bound().name()))) {
        all.add(each);
      }
    }
    return new EndpointGuard(weir, all);
  }

  /**
   * Lets a request in front of the guard.
   *
   * @param request what the adapter knows of it; read in each phase
   * @return the request's way past this guard
   */
  public GuardedRequest enter(RequestInfo request) {
    return new GuardedRequest(weir, this, request);
  }

  List<GuardedPolicy> policies(Phase phase) {
    return policies.stream().filter(each -> each.phase() == phase).toList();
  }
}

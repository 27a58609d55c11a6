package io.weir.internal.guard;

import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lets requests enter one endpoint, to be decided by its policies.
 *
 * <p>Safe for concurrent use; follows the settings.
 */
public final class GuardedEndpoint extends EndpointGuard {
  /**
   * Guards an endpoint.
   *
   * @param services what its requests need of the application
   * @param policies those bound to it, in the order in which they are decided
   */
  public GuardedEndpoint(RequestServices services, List<GuardedPolicy> policies) {
    super(services, policies);
  }

  /**
   * Returns an endpoint with the policies of this one and another; shared policies count once.
   *
   * @param other another endpoint of the same application
   * @return all policies
   */
  public GuardedEndpoint and(GuardedEndpoint other) {
    if (!hasPolicies() || !other.hasPolicies()) {
      return hasPolicies() ? this : other;
    }
    return new GuardedEndpoint(
        services(), Stream.concat(all().stream(), other.all().stream()).distinct().toList());
  }

  /**
   * Begins to decide a request by these policies.
   *
   * @param request the request as the adapter sees it; read in each phase
   * @return the request, undecided
   */
  public GuardedRequest enter(RequestInfo request) {
    return new GuardedRequest(this, request);
  }

  /**
   * Moves a request here that other policies may have decided before.
   *
   * @param request the request as the adapter sees it; read in each phase
   * @param attribute what the request has under {@link GuardedRequest#ATTRIBUTE}, if anything
   * @return the request with its decisions so far, now at this endpoint; a new one if it comes from
   *     another application
   */
  public GuardedRequest enter(RequestInfo request, @Nullable Object attribute) {
    if (attribute instanceof GuardedRequest.Holder holder && holder.guarded().isOf(services())) {
      GuardedRequest begun = holder.guarded();
      begun.moveTo(this, request);
      return begun;
    }
    return enter(request);
  }

  /**
   * Returns the request as another adapter has begun it, where that has moved it.
   *
   * @param request the request as the adapter sees it
   * @param attribute what the request has under {@link GuardedRequest#ATTRIBUTE}, if anything
   * @return a new one, at this endpoint, if no adapter has begun it in this application
   */
  public GuardedRequest begun(RequestInfo request, @Nullable Object attribute) {
    return attribute instanceof GuardedRequest.Holder holder && holder.guarded().isOf(services())
        ? holder.guarded()
        : enter(request);
  }

  /**
   * Begins a call that may be part of the request of this thread. The policy of the whole
   * application charges the request, once; all others charge the call.
   *
   * @param call what is known of the call
   * @return the call, undecided
   */
  public GuardedRequest enterCall(RequestInfo call) {
    if (!isOfApplication() && !services().hasPolicySource()) {
      return enter(call);
    }
    return CurrentRequest.guarded(services())
        .map(around -> new GuardedRequest(this, call, around))
        .orElseGet(() -> enter(call));
  }
}

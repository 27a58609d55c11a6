package io.weir.internal.guard;

import io.weir.adapter.LimitedEndpoint;
import io.weir.adapter.RequestHolder;
import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.Optional;
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

  @Override
  public GuardedEndpoint and(LimitedEndpoint another) {
    GuardedEndpoint other = (GuardedEndpoint) another; // no other class implements it
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
    if (attribute instanceof RequestHolder holder
        && holder.limitedRequest() instanceof GuardedRequest begun
        && begun.isOf(services())) {
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
    return attribute instanceof RequestHolder holder
            && holder.limitedRequest() instanceof GuardedRequest begun
            && begun.isOf(services())
        ? begun
        : enter(request);
  }

  /**
   * Begins a call that may be part of the request of this thread. The policy of the whole
   * application charges the request, once; all others charge the call.
   *
   * @param method the class and the method, such as {@code Search#search}
   * @param names the names of its parameters
   * @param values the values of its parameters
   * @param around the request that it belongs to, of the same application; null if there is none
   * @return the call, undecided
   */
  public GuardedRequest enterCall(
      String method,
      List<String> names,
      @Nullable Object[] values,
      @Nullable GuardedRequest around) {
    RequestInfo call =
        new CallInfo(
            method,
            around == null ? Optional.empty() : Optional.of(around.info()),
            names,
            values,
            needsAddress());
    return enterCall(call, around);
  }

  GuardedRequest enterCall(RequestInfo call, @Nullable GuardedRequest around) {
    return around == null || !isOfApplication() && !services().hasPolicySource()
        ? enter(call)
        : new GuardedRequest(this, call, around);
  }
}

package io.weir.internal.guard;

import io.weir.adapter.LimitedEndpoint;
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
  /** Guards an endpoint by policies that are decided in the given order. */
  public GuardedEndpoint(RequestServices services, List<GuardedPolicy> policies) {
    super(services, policies);
  }

  @Override
  public GuardedEndpoint and(LimitedEndpoint another) {
    GuardedEndpoint other = (GuardedEndpoint) another; // no other class implements it
    if (other.services() != services()) {
      throw new IllegalArgumentException("the endpoints belong to different Weirs");
    }
    if (!hasPolicies() || !other.hasPolicies()) {
      return hasPolicies() ? this : other;
    }
    return new GuardedEndpoint(
        services(), Stream.concat(all().stream(), other.all().stream()).distinct().toList());
  }

  /** Begins to decide a request, which is read in each phase. */
  public GuardedRequest enter(RequestInfo request) {
    return new GuardedRequest(this, request);
  }

  /**
   * Begins a call that may be part of the request of this thread. The policy of the whole
   * application charges the request, once; all others charge the call.
   *
   * @param method the class and the method, such as {@code Search#search}
   * @param around the request that it belongs to, of the same application; null if there is none
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
    return around == null || !isOfApplication() && !services().decideAny()
        ? enter(call)
        : new GuardedRequest(this, call, around);
  }
}

package io.weir.jaxrs;

import io.weir.guard.EndpointGuard;
import io.weir.guard.GuardedRequest;
import io.weir.guard.Phase;
import io.weir.http.HeaderField;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.core.MultivaluedMap;
import java.lang.reflect.Method;

/**
 * The filters of one limited resource method. They are instances that hold all they need: not every
 * implementation injects into what is bound to a single method.
 *
 * <p>Immutable.
 *
 * @param installation the application's
 * @param guard the method's policies
 * @param endpoint the method
 */
record EndpointFilters(Installation installation, EndpointGuard guard, Method endpoint) {
  private static final int BEFORE = Priorities.AUTHENTICATION - 100;
  private static final int AFTER = Priorities.AUTHENTICATION + 500;

  void register(FeatureContext context) {
    if (guard.decides(Phase.BEFORE_AUTHENTICATION)) {
      context.register(new Before(this), BEFORE);
    }
    if (guard.decides(Phase.AFTER_AUTHENTICATION)) {
      context.register(new After(this), AFTER);
    }
    context.register(new Settle(), ExchangeFilter.OUTERMOST + 1);
  }

  private void decide(ContainerRequestContext context, Phase phase) {
    Exchange.of(context).ifPresent(exchange -> decide(exchange, phase));
  }

  private void decide(Exchange exchange, Phase phase) {
    if (guard.needsAddress()) {
      installation.expectPeer(exchange.request());
    }
    exchange.decide(phase, guard, endpoint);
  }

  // A class each, since a class is registered but once.

  private record Before(EndpointFilters filters) implements ContainerRequestFilter {
    @Override
    public void filter(ContainerRequestContext context) {
      filters.decide(context, Phase.BEFORE_AUTHENTICATION);
    }
  }

  private record After(EndpointFilters filters) implements ContainerRequestFilter {
    @Override
    public void filter(ContainerRequestContext context) {
      filters.decide(context, Phase.AFTER_AUTHENTICATION);
    }
  }

  /** Runs last, when the status is known. */
  private static final class Settle implements ContainerResponseFilter {
    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
      Exchange.of(request).flatMap(Exchange::guarded).ifPresent(each -> settle(each, response));
    }

    private static void settle(GuardedRequest guarded, ContainerResponseContext response) {
      if (!(response.getEntity() instanceof ProblemDocument)) {
        MultivaluedMap<String, Object> headers = response.getHeaders();
        for (HeaderField field : guarded.headers()) {
          headers.putSingle(field.name(), field.value());
        }
      }
      guarded.completed(response.getStatus());
    }
  }
}

package io.weir.quarkus.rest;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import java.util.stream.Stream;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.handlers.ResourceRequestFilterHandler;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestContext;

/**
 * Decides by user after all other request filters and before the body is read, so that a refused
 * caller's isn't, and so that policies can read it. Only where a filter that reads the form is
 * still to come, a missing user isn't final. {@link UserRefusal} follows it.
 */
@Singleton
public class UserPhase implements ContainerRequestFilter {
  private final RestLimits limits;

  /**
   * Uses the application's limits.
   *
   * @param limits know the resources
   */
  @Inject
  public UserPhase(RestLimits limits) {
    this.limits = limits;
  }

  @Override
  public void filter(ContainerRequestContext context) {
    ResteasyReactiveRequestContext rest = rest(context);
    LimitedExchange exchange = RestLimits.of(rest);
    if (exchange != null) {
      boolean mayCome = mayStillSignIn(rest);
      ResourceHandlers.await(
          rest, SafeStep.run(() -> exchange.decideByUser(mayCome, limits.executor())));
    }
  }

  /** Other bodies than forms would be gone by then. */
  private static boolean mayStillSignIn(ResteasyReactiveRequestContext rest) {
    return Stream.of(rest.getHandlers())
            .skip(rest.getPosition())
            .anyMatch(
                each ->
                    each instanceof ResourceRequestFilterHandler filter && filter.isWithFormRead())
        && (ExchangeBody.isForm(RestLimits.routing(rest).request())
            || !ExchangeBody.announcesBody(RestLimits.routing(rest).request()));
  }

  static ResteasyReactiveRequestContext rest(ContainerRequestContext context) {
    return (ResteasyReactiveRequestContext)
        ((ResteasyReactiveContainerRequestContext) context).getServerRequestContext();
  }
}

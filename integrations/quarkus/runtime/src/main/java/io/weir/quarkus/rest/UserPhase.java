package io.weir.quarkus.rest;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestContext;

/**
 * Decides by user after all other request filters and before the body is read, so that a refused
 * caller's isn't, unless nobody has signed in: filters that read forms come later. {@link
 * UserRefusal} follows it.
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
      ResourceHandlers.await(rest, () -> exchange.decideByUser(rest, true, limits.executor()));
    }
  }

  static ResteasyReactiveRequestContext rest(ContainerRequestContext context) {
    return (ResteasyReactiveRequestContext)
        ((ResteasyReactiveContainerRequestContext) context).getServerRequestContext();
  }
}

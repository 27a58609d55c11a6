package io.weir.quarkus.rest;

import jakarta.inject.Singleton;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;

/** Answers in place of the resource if {@link UserPhase} has refused it. */
@Singleton
public class UserRefusal implements ContainerRequestFilter {
  /** Called by Quarkus. */
  public UserRefusal() {}

  @Override
  public void filter(ContainerRequestContext context) {
    LimitedExchange exchange = RestLimits.of(UserPhase.rest(context));
    var refusal = exchange == null ? null : exchange.takeRefusal();
    if (refusal != null) {
      context.abortWith(Refusals.response(refusal));
    } else if (exchange != null) {
      exchange.showBody();
    }
  }
}

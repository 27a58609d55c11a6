package io.weir.compat.jaxrs.server;

import io.weir.Decision;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;

/** Shows the decision that the application gets as a request property. Safe for concurrent use. */
public final class OutcomeFilter implements ContainerResponseFilter {
  /** The header field that names the outcome. */
  public static final String OUTCOME = "Seen-Outcome";

  /** The header field that names the policy's overshoot in percent. */
  public static final String OVERSHOOT = "Seen-Overshoot";

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (request.getProperty(Decision.class.getName()) instanceof Decision decision) {
      response.getHeaders().putSingle(OUTCOME, decision.outcome().name());
      response.getHeaders().putSingle(OVERSHOOT, decision.policy().overshoot());
    }
  }
}

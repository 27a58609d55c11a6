package io.weir.jaxrs;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;

/**
 * Tells the thread which request it works on: every matched one, limited or not, so that a pooled
 * thread never keeps the identity of an earlier one.
 *
 * <p>Safe for concurrent use.
 */
final class ExchangeFilter implements ContainerRequestFilter, ContainerResponseFilter {
  /**
   * Before all other request filters but the peer's, and after all other response filters. Jersey
   * takes a negative priority for none.
   */
  static final int OUTERMOST = 10;

  private final Installation installation;

  ExchangeFilter(Installation installation) {
    this.installation = installation;
  }

  @Override
  public void filter(ContainerRequestContext context) {
    installation.started();
    Exchange.begin(context, new JaxrsRequest(context, installation));
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    Exchange.of(request).ifPresent(Exchange::leave);
  }
}

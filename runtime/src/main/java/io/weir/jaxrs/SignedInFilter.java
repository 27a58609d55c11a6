package io.weir.jaxrs;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;

/**
 * Notes the user after all filters that may sign one in, where the implementation doesn't show it
 * to filters and writers of the response.
 *
 * <p>Safe for concurrent use.
 */
final class SignedInFilter implements ContainerRequestFilter {
  /** Runs after all other request filters. */
  static final int LAST = Integer.MAX_VALUE;

  @Override
  public void filter(ContainerRequestContext context) {
    RequestScope.of(context).map(RequestScope::request).ifPresent(JaxrsRequest::noteUser);
  }
}

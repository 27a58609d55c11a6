package io.weir.jaxrs;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;

/**
 * Binds a request to the thread that writes its response, where no events of Jersey do, so that
 * response filters and writers know the caller.
 *
 * <p>Safe for concurrent use.
 */
final class ResponseStartFilter implements ContainerResponseFilter {
  /** Runs before all other response filters. */
  static final int FIRST = 1_000_000;

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    RequestScope.of(request).ifPresent(RequestScope::beginResponse);
  }
}

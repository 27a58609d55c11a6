package io.weir.jaxrs;

import io.weir.internal.guard.ThreadRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;

/**
 * Unbinds an earlier request from the thread, for implementations that don't report when an
 * asynchronous method has returned and its thread serves another caller.
 *
 * <p>Safe for concurrent use.
 */
@PreMatching
final class ThreadCleanupFilter implements ContainerRequestFilter {
  @Override
  public void filter(ContainerRequestContext context) {
    if (ThreadRequest.get().filter(JaxrsRequest.class::isInstance).isPresent()) {
      ThreadRequest.clear();
    }
  }
}

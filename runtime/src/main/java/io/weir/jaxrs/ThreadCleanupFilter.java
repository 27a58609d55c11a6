package io.weir.jaxrs;

import io.weir.internal.guard.CurrentRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;

/**
 * Unbinds an earlier request from the thread, for implementations that don't show whether the
 * thread still works on it, as after an asynchronous method has returned.
 *
 * <p>Safe for concurrent use.
 */
@PreMatching
final class ThreadCleanupFilter implements ContainerRequestFilter {
  @Override
  public void filter(ContainerRequestContext context) {
    if (CurrentRequest.get().filter(JaxrsRequest.class::isInstance).isPresent()) {
      CurrentRequest.clear();
    }
  }
}

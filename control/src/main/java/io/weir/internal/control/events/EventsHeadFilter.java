package io.weir.internal.control.events;

import io.weir.internal.control.http.FeaturePaths;
import io.weir.internal.control.http.Problem;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import java.util.List;

/**
 * Refuses to tell events to HEAD: it would read nothing, and take the place of a reader for a
 * minute. By itself JAX-RS has the method for GET answer it, which can't tell them apart.
 *
 * <p>Safe for concurrent use.
 */
@PreMatching
public final class EventsHeadFilter implements ContainerRequestFilter {
  private static final int NOT_ALLOWED = 405;

  private final FeaturePaths paths = new FeaturePaths(List.of(EventsResource.class));

  /** Made by the feature. */
  public EventsHeadFilter() {}

  @Override
  public void filter(ContainerRequestContext request) {
    if (request.getMethod().equals(HttpMethod.HEAD)
        && paths.include(request.getUriInfo().getPath(false))) {
      throw Problem.of(NOT_ALLOWED, "Events are read by GET.").exception();
    }
  }
}

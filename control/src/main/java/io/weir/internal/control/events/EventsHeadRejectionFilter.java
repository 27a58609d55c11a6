package io.weir.internal.control.events;

import io.weir.internal.control.http.ControlPaths;
import io.weir.internal.control.http.Problem;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import java.util.List;

/**
 * Rejects HEAD for the stream of events. JAX-RS would run the method for GET, and the request would
 * take the place of a reader for a minute without reading anything.
 *
 * <p>Safe for concurrent use.
 */
@PreMatching
public final class EventsHeadRejectionFilter implements ContainerRequestFilter {
  private static final int NOT_ALLOWED = 405;

  private final ControlPaths paths = new ControlPaths(List.of(EventsResource.class));

  public EventsHeadRejectionFilter() {}

  @Override
  public void filter(ContainerRequestContext request) {
    if (request.getMethod().equals(HttpMethod.HEAD)
        && paths.include(request.getUriInfo().getPath(false))) {
      throw Problem.of(NOT_ALLOWED, "The events can be read by GET only.").exception();
    }
  }
}

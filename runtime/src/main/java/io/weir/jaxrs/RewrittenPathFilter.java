package io.weir.jaxrs;

import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedEndpoint;
import io.weir.adapter.LimitedRequest;
import io.weir.adapter.Refusal;
import io.weir.adapter.RequestHolder;
import io.weir.adapter.RequestValues;
import io.weir.internal.container.ReceivedPath;
import io.weir.spi.DecisionPhase;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import java.util.Optional;

/**
 * Decides the policies by URL of a path that a filter before matching has rewritten. The servlet
 * filter has decided those of the path that it has received, and it only adds to them.
 *
 * <p>Immutable.
 */
@PreMatching
final class RewrittenPathFilter implements ContainerRequestFilter {
  /** After all filters that may rewrite the path. */
  static final int LAST = Integer.MAX_VALUE;

  private final JaxrsApplication application;

  RewrittenPathFilter(JaxrsApplication application) {
    this.application = application;
  }

  @Override
  public void filter(ContainerRequestContext context) {
    Adapter adapter = application.adapter();
    if (adapter.limitsPaths()
        && context.getProperty(ReceivedPath.ATTRIBUTE) instanceof ReceivedPath received
        && context.getProperty(LimitedRequest.ATTRIBUTE) instanceof RequestHolder begun) {
      Optional<String> path = RequestValues.read(() -> path(context, received.application()));
      if (path.isPresent() && !path.get().equals(received.path())) {
        decide(context, begun.limitedRequest(), path.get());
      }
    }
  }

  /** Reads the path within the application, without the parameters of its segments. */
  private static String path(ContainerRequestContext context, String application) {
    String path = context.getUriInfo().getRequestUri().getPath();
    String within = path.startsWith(application) ? path.substring(application.length()) : path;
    return within.replaceAll(";[^/]*", "");
  }

  private void decide(ContainerRequestContext context, LimitedRequest limited, String path) {
    LimitedEndpoint endpoint = application.adapter().endpoint(path, true);
    if (endpoint.isEmpty()) {
      return;
    }
    JaxrsRequest request =
        new JaxrsRequest(
            context,
            application,
            application.adapter().userNames(),
            application.adapter()::address);
    request.setPath(path);
    limited.keep(); // other filters have run
    limited.moveTo(endpoint, request);
    for (DecisionPhase phase : DecisionPhase.values()) {
      Optional<Refusal> refusal = limited.decide(phase);
      if (refusal.isPresent()) {
        context.abortWith(ProblemEntity.response(refusal.get()));
        return;
      }
    }
  }
}

package io.weir.jaxrs;

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
 * Decides policies by URL after all filters before matching: those of a path that one of them has
 * rewritten, and those that the servlet filter has left undecided for a CORS preflight, which is
 * free unless it may reach a resource. Those of the path that the servlet filter has received stay
 * decided.
 *
 * <p>Immutable.
 */
@PreMatching
final class UrlPolicyFilter implements ContainerRequestFilter {
  /** After all filters that may rewrite the path. */
  static final int LAST = Integer.MAX_VALUE;

  private final JaxrsApplication application;

  UrlPolicyFilter(JaxrsApplication application) {
    this.application = application;
  }

  @Override
  public void filter(ContainerRequestContext context) {
    if (application.decidesPaths()
        && context.getProperty(ReceivedPath.ATTRIBUTE) instanceof ReceivedPath received
        && context.getProperty(LimitedRequest.ATTRIBUTE) instanceof RequestHolder begun) {
      LimitedRequest limited = begun.limitedRequest();
      if (!received.undecided()) {
        decideRewritten(context, received, limited);
      } else if (application.mayReachResource(context) && !isRefused(context, limited)) {
        decideRewritten(context, received, limited);
      }
    }
  }

  private void decideRewritten(
      ContainerRequestContext context, ReceivedPath received, LimitedRequest limited) {
    Optional<String> path = RequestValues.read(() -> path(context, received.application()));
    if (path.isEmpty()) {
      return;
    }
    if (!path.get().equals(received.path())) {
      decide(context, limited, path.get());
    } else if (received.servlet().isPresent()) {
      application.registerWith(received.servlet().get());
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
    var unused = isRefused(context, limited);
  }

  /** Decides both phases, and aborts the request if it is refused. */
  private static boolean isRefused(ContainerRequestContext context, LimitedRequest limited) {
    for (DecisionPhase phase : DecisionPhase.values()) {
      Optional<Refusal> refusal = limited.decide(phase);
      if (refusal.isPresent()) {
        context.abortWith(ProblemEntity.response(refusal.get()));
        return true;
      }
    }
    return false;
  }
}

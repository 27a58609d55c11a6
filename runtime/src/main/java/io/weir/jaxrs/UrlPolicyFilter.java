package io.weir.jaxrs;

import io.weir.adapter.LimitedEndpoint;
import io.weir.adapter.LimitedRequest;
import io.weir.adapter.Refusal;
import io.weir.adapter.RequestHolder;
import io.weir.adapter.RequestValues;
import io.weir.internal.container.RawUri;
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
    var unused = refuses(context, application);
  }

  /**
   * Decides what is left of them, and aborts the request if it is refused. Asked again after
   * matching, since another filter may share the last place before it.
   */
  static boolean refuses(ContainerRequestContext context, JaxrsApplication application) {
    if (application.decidesPaths()
        && context.getProperty(ReceivedPath.ATTRIBUTE) instanceof ReceivedPath received
        && context.getProperty(LimitedRequest.ATTRIBUTE) instanceof RequestHolder begun) {
      LimitedRequest limited = begun.limitedRequest();
      if (!received.undecided()) {
        return refusesRewritten(context, application, received, limited);
      }
      if (application.mayReachResource(context)) {
        note(context, received, received.path());
        return isRefused(context, limited)
            || refusesRewritten(context, application, received, limited);
      }
    }
    return false;
  }

  private static void note(ContainerRequestContext context, ReceivedPath received, String path) {
    context.setProperty(
        ReceivedPath.ATTRIBUTE,
        new ReceivedPath(received.application(), path, Optional.empty(), false));
  }

  private static boolean refusesRewritten(
      ContainerRequestContext context,
      JaxrsApplication application,
      ReceivedPath received,
      LimitedRequest limited) {
    Optional<String> path = RequestValues.read(() -> path(context, received.application()));
    if (path.isEmpty()) {
      return false;
    }
    if (!path.get().equals(received.path())) {
      note(context, received, path.get());
      return refuses(context, application, limited, path.get());
    }
    received.servlet().ifPresent(application::registerWith);
    return false;
  }

  /**
   * Reads the path within the application, however the caller has spelled that of the application.
   * The query isn't read: it may be malformed.
   */
  private static String path(ContainerRequestContext context, String application) {
    return RawUri.pathWithin(application, context.getUriInfo().getAbsolutePath().getRawPath());
  }

  private static boolean refuses(
      ContainerRequestContext context,
      JaxrsApplication application,
      LimitedRequest limited,
      String path) {
    LimitedEndpoint endpoint = application.adapter().endpoint(path, true);
    if (endpoint.isEmpty()) {
      return false;
    }
    JaxrsRequest request = application.request(context);
    request.setPath(path);
    limited.keep(); // other filters have run
    limited.moveTo(endpoint, request);
    return isRefused(context, limited);
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

package io.weir.internal.control.http;

import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import java.lang.annotation.Annotation;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that each error below the paths of the feature is a problem document, also one that
 * the application's own mappers made, and that nobody keeps or guesses at an answer. Leaves the
 * application's own responses alone.
 *
 * <p>Safe for concurrent use.
 */
public final class ControlResponseFilter implements ContainerResponseFilter {
  private static final int FIRST_ERROR = 400;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final Annotation[] NONE = {};

  private final FeaturePaths paths;

  /**
   * Watches some paths.
   *
   * @param paths the paths of the feature
   */
  public ControlResponseFilter(FeaturePaths paths) {
    this.paths = paths;
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (!paths.include(request.getUriInfo().getPath(false))) {
      return;
    }
    if (request.getMethod().equals(HttpMethod.OPTIONS)) {
      // Answered by JAX-RS itself, whoever asks.
      response.setStatus(METHOD_NOT_ALLOWED);
    }
    if (response.getStatus() >= FIRST_ERROR && !isOurs(response.getEntity())) {
      Response problem = Problem.ofStatus(response.getStatus()).response();
      response.setEntity(problem.getEntity(), NONE, problem.getMediaType());
    }
    MultivaluedMap<String, Object> headers = response.getHeaders();
    headers.putSingle(HttpHeaders.CACHE_CONTROL, "no-store");
    headers.putSingle("X-Content-Type-Options", "nosniff");
  }

  private static boolean isOurs(@Nullable Object entity) {
    return entity instanceof JsonEntity || entity instanceof RefusalEntity;
  }
}

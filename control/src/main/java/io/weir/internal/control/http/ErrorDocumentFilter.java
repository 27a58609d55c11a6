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
 * Completes the feature's responses: makes a problem document of each error that has none, for
 * example because a mapper of the application made it, and forbids caching and content sniffing.
 * Leaves the application's own responses alone.
 *
 * <p>Safe for concurrent use.
 */
public final class ErrorDocumentFilter implements ContainerResponseFilter {
  private static final int FIRST_ERROR = 400;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final Annotation[] NONE = {};

  private final ControlPaths paths;

  /**
   * Makes the filter.
   *
   * @param paths the paths whose responses it completes
   */
  public ErrorDocumentFilter(ControlPaths paths) {
    this.paths = paths;
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (!paths.include(request.getUriInfo().getPath(false))) {
      return;
    }
    if (request.getMethod().equals(HttpMethod.OPTIONS)) {
      // JAX-RS answers it by itself, and to everybody.
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

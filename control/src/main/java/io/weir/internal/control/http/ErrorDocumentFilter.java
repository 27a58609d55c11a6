package io.weir.internal.control.http;

import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import java.lang.annotation.Annotation;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Completes the feature's responses: makes a problem document of each error that has none, for
 * example because a mapper of the application made it; names the page for signing in where the
 * caller has to; forbids content sniffing, and caching unless the resource allows it. Leaves the
 * application's own responses alone.
 *
 * <p>Safe for concurrent use.
 */
public final class ErrorDocumentFilter implements ContainerResponseFilter {
  private static final int FIRST_ERROR = 400;
  private static final int UNAUTHORIZED = 401;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final Annotation[] NONE = {};

  private final ControlPaths paths;
  private final Supplier<Optional<String>> signIn;

  public ErrorDocumentFilter(ControlPaths paths, Supplier<Optional<String>> signIn) {
    this.paths = paths;
    this.signIn = signIn;
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
    boolean isError = response.getStatus() >= FIRST_ERROR;
    if (response.getStatus() == UNAUTHORIZED) {
      setEntity(response, Problem.unauthorized(signIn.get()));
    } else if (isError && !isOurs(response.getEntity())) {
      setEntity(response, Problem.ofStatus(response.getStatus()));
    }
    MultivaluedMap<String, Object> headers = response.getHeaders();
    if (isError || !headers.containsKey(HttpHeaders.CACHE_CONTROL)) {
      headers.putSingle(HttpHeaders.CACHE_CONTROL, "no-store");
    }
    headers.putSingle("X-Content-Type-Options", "nosniff");
  }

  private static void setEntity(ContainerResponseContext response, Problem problem) {
    Response made = problem.response();
    response.setEntity(made.getEntity(), NONE, made.getMediaType());
  }

  private static boolean isOurs(@Nullable Object entity) {
    return entity instanceof JsonEntity || entity instanceof RefusalEntity;
  }
}

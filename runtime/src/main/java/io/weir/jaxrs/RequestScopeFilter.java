package io.weir.jaxrs;

import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.ext.WriterInterceptor;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Binds each matched request to its thread, limited or not, so that a pooled thread never keeps the
 * identity of an earlier caller. It also completes the request right before the end of the
 * response's body, so that a refund is made before the caller has read the response.
 *
 * <p>Safe for concurrent use.
 */
final class RequestScopeFilter
    implements ContainerRequestFilter, ContainerResponseFilter, WriterInterceptor {
  /**
   * Runs before all other request filters except those that read the peer, after all other response
   * filters, and around all other interceptors. Positive, since Jersey ignores negative priorities.
   */
  static final int OUTERMOST = 10;

  private final JaxrsApplication application;

  RequestScopeFilter(JaxrsApplication application) {
    this.application = application;
  }

  @Override
  public void filter(ContainerRequestContext context) {
    application.started();
    RequestScope.begin(context, new JaxrsRequest(context, application, application.weir()));
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    RequestScope.of(request)
        .filter(scope -> !scope.isWatched())
        .ifPresent(
            scope -> {
              scope.leave();
              // Not every implementation runs the writer for a response to HEAD.
              boolean writes = response.hasEntity() && !isHead(request);
              scope.responds(response.getStatus(), writes);
            });
  }

  private static boolean isHead(ContainerRequestContext request) {
    return request.getMethod().equals(HttpMethod.HEAD);
  }

  @Override
  public void aroundWriteTo(WriterInterceptorContext context) throws IOException {
    Optional<RequestScope> scope =
        RequestScope.of(context.getProperty(RequestScope.PROPERTY))
            .filter(RequestScope::needsOutcome);
    if (scope.isPresent()) {
      write(scope.get(), context);
    } else {
      context.proceed();
    }
  }

  private static OptionalLong length(WriterInterceptorContext context) {
    Object announced = context.getHeaders().getFirst(HttpHeaders.CONTENT_LENGTH);
    try {
      return announced == null
          ? OptionalLong.empty()
          : OptionalLong.of(Long.parseLong(announced.toString()));
    } catch (NumberFormatException garbled) {
      return OptionalLong.empty();
    }
  }

  private static void write(RequestScope scope, WriterInterceptorContext context)
      throws IOException {
    context.setOutputStream(
        new DisconnectWatch(context.getOutputStream(), () -> length(context), scope::succeeded));
    boolean written = false;
    try {
      context.proceed();
      written = true;
    } finally {
      if (written) {
        scope.succeeded();
      } else if (!scope.isWatched()) {
        scope.failed();
      } // else Jersey reports how the exception ends
    }
  }
}

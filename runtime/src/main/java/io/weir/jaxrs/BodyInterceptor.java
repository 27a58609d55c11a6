package io.weir.jaxrs;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.ext.WriterInterceptor;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Completes a request right before the end of the response's body, so that a refund is made before
 * the caller has read the response.
 *
 * <p>Safe for concurrent use.
 */
final class BodyInterceptor implements WriterInterceptor {
  @Override
  public void aroundWriteTo(WriterInterceptorContext context) throws IOException {
    Optional<RequestScope> begun = RequestScope.of(context.getProperty(RequestScope.PROPERTY));
    if (begun.isEmpty()) {
      context.proceed();
    } else if (begun.get().isWatched()) {
      writeWatched(begun.get(), context);
    } else {
      try {
        write(begun.get(), context);
      } finally {
        begun.get().endResponse();
      }
    }
  }

  /** Jersey reports the end of a request whose charges don't depend on it. */
  private static void writeWatched(RequestScope scope, WriterInterceptorContext context)
      throws IOException {
    if (scope.needsOutcome()) {
      write(scope, context);
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

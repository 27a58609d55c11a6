package io.weir.spring.webflux;

import org.springframework.core.Ordered;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.HttpHandlerDecoratorFactory;

/**
 * Watches each exchange from outside of all filters and exception handlers, and before forwarded
 * header fields are applied to it and removed.
 *
 * <p>Safe for concurrent use.
 */
final class WatchedHandler implements HttpHandlerDecoratorFactory, Ordered {
  @Override
  public HttpHandler apply(HttpHandler handler) {
    return (request, response) -> {
      WatchedResponse watched = WatchedResponse.of(request, response);
      return handler
          .handle(request, watched)
          .doOnSuccess(done -> watched.ended())
          .doOnError(failure -> watched.failed())
          .doOnCancel(watched::failed);
    };
  }

  /** The first is the outermost. */
  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE;
  }
}

package io.weir.quarkus.rest;

import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import io.weir.adapter.LimitedRequest;
import org.jspecify.annotations.Nullable;

/** Writes the header fields of a request's limits, and reports its end. */
final class ResponseWatch {
  /** The number of bytes that Quarkus REST collects before it writes any. */
  private static final int AT_ONCE = 8191;

  private ResponseWatch() {}

  static void start(RoutingContext routing, LimitedExchange exchange) {
    LimitedRequest request = exchange.limitedRequest();
    HttpServerResponse response = routing.response();
    watchHead(routing, exchange);
    routing.addEndHandler(
        ended -> {
          exchange.leave();
          if (ended.succeeded() && routing.failure() == null) {
            request.completed(response.getStatusCode());
          } else {
            request.aborted(response.headWritten() ? response.getStatusCode() : 0);
          }
        });
  }

  /** Does the part that Vert.x forgets where a request is routed again; may be done twice. */
  static void watchHead(RoutingContext routing, LimitedExchange exchange) {
    LimitedRequest request = exchange.limitedRequest();
    HttpServerResponse response = routing.response();
    routing.addHeadersEndHandler(
        any -> {
          request.headers().forEach(each -> response.headers().set(each.name(), each.value()));
          if (isWrittenAtOnce(response)) {
            request.completed(response.getStatusCode());
          } else {
            watchConnection(routing, request);
          }
        });
  }

  /** Streams replace the handlers by which Vert.x would report the end of the connection. */
  private static void watchConnection(RoutingContext routing, LimitedRequest request) {
    if (routing.request().connection() instanceof ConnectionBase connection) {
      int status = routing.response().getStatusCode();
      ChannelFutureListener closed = any -> request.aborted(status);
      connection.channel().closeFuture().addListener(closed);
      routing.addEndHandler(ended -> connection.channel().closeFuture().removeListener(closed));
    }
  }

  /**
   * Returns whether nothing comes after the head, or a body that leaves with it. A caller who has
   * read the response must find a permit refunded, so the end isn't waited for.
   */
  private static boolean isWrittenAtOnce(HttpServerResponse response) {
    @Nullable String length = response.headers().get(HttpHeaderNames.CONTENT_LENGTH);
    try {
      return length != null && Long.parseLong(length) <= AT_ONCE;
    } catch (NumberFormatException malformed) {
      return false;
    }
  }
}

package io.weir.quarkus.rest;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.weir.InvalidRequestException;
import io.weir.RateLimitExceededException;
import io.weir.adapter.Adapter;
import io.weir.adapter.Refusal;
import jakarta.ws.rs.core.Response;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sends refusals in place of a resource's response. */
final class Refusals {
  private Refusals() {}

  /** Sends one before Quarkus REST has the request. */
  static void send(Refusal refusal, HttpServerResponse response) {
    response.setStatusCode(refusal.status());
    refusal.headers().forEach(each -> response.putHeader(each.name(), each.value()));
    response.putHeader(HttpHeaderNames.CONTENT_TYPE, refusal.contentType());
    var unused = response.end(Buffer.buffer(refusal.bytes()));
  }

  /** Makes a response that passes the application's response filters. */
  static Response response(Refusal refusal) {
    Response.ResponseBuilder response =
        Response.status(refusal.status()).entity(refusal.bytes()).type(refusal.contentType());
    refusal.headers().forEach(each -> response.header(each.name(), each.value()));
    return response.build();
  }

  /**
   * Makes the response to the refusal of a limited call, for which the store may be asked.
   *
   * @param exchange makes it; null if the resource isn't known to Weir, or nobody may wait
   */
  static Response ofCall(Throwable thrown, @Nullable LimitedExchange exchange, Adapter adapter) {
    if (exchange != null) {
      var refusal = exchange.limitedRequest().refusalIn(thrown);
      if (refusal.isPresent()) {
        exchange.limitedRequest().answered(refusal.get());
        return response(refusal.get());
      }
    }
    return response(
        thrown instanceof RateLimitExceededException refused
            ? adapter.refusal(refused, header -> List.of())
            : adapter.refusal((InvalidRequestException) thrown));
  }
}

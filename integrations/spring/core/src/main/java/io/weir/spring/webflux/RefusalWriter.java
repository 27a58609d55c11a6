package io.weir.spring.webflux;

import io.weir.adapter.Refusal;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.observation.ServerRequestObservationContext;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Sends refusals in place of a handler's response. */
final class RefusalWriter {
  private RefusalWriter() {}

  /**
   * Sends the refusal of a phase. The mapping's header fields are sent too, so that callers from
   * other origins may read it.
   */
  static Mono<Void> refuse(ServerWebExchange exchange, LimitedExchange limited, Refusal refusal) {
    FoundHandler handler = limited.handler();
    if (handler != null) {
      HttpHeaders headers = exchange.getResponse().getHeaders();
      handler
          .headers()
          .forEach(
              (name, values) -> {
                if (headers.getFirst(name) == null) {
                  values.forEach(value -> headers.add(name, value));
                }
              });
      if (!handler.pattern().isEmpty()) { // else it would be counted as a request for nothing
        ServerRequestObservationContext.findCurrent(exchange.getAttributes())
            .ifPresent(observed -> observed.setPathPattern(handler.pattern()));
      }
    }
    return ConnectionPeer.inLaterTask(
        limited.info().arrived(), Mono.defer(() -> write(exchange, limited, refusal)));
  }

  /**
   * Sends the refusal of a limited call in place of the exception, unless the response is on its
   * way. To make it may take a call to the store, so another thread does it.
   *
   * @return fails with the exception if it is no refusal
   */
  static Mono<Void> answer(ServerWebExchange exchange, LimitedExchange limited, Throwable thrown) {
    if (Refusal.thrownIn(thrown).isEmpty() || exchange.getResponse().isCommitted()) {
      return Mono.error(thrown);
    }
    return Mono.fromCallable(() -> limited.limitedRequest().refusalIn(thrown))
        .subscribeOn(Schedulers.boundedElastic())
        .publishOn(ConnectionPeer.eventLoop(limited.info().arrived()))
        .flatMap(
            (Optional<Refusal> refusal) ->
                refusal.isPresent() ? write(exchange, limited, refusal.get()) : Mono.error(thrown));
  }

  private static Mono<Void> write(
      ServerWebExchange exchange, LimitedExchange limited, Refusal refusal) {
    ServerHttpResponse response = exchange.getResponse();
    if (!response.setStatusCode(HttpStatusCode.valueOf(refusal.status()))) {
      return Mono.empty(); // a filter has answered already
    }
    limited.limitedRequest().answered(refusal);
    HttpHeaders headers = response.getHeaders();
    headers.clearContentHeaders();
    refusal.headers().forEach(each -> headers.set(each.name(), each.value()));
    headers.set(HttpHeaders.CONTENT_TYPE, refusal.contentType());
    headers.setContentLength(refusal.length());
    return HttpMethod.HEAD.equals(exchange.getRequest().getMethod())
        ? response.setComplete()
        : response.writeWith(
            Mono.fromSupplier(() -> response.bufferFactory().wrap(refusal.bytes())));
  }
}

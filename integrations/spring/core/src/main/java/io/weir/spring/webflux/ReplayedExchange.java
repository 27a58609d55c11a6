package io.weir.spring.webflux;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.http.codec.multipart.Part;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Shows a body that was read for policies as if nobody had read it. */
final class ReplayedExchange extends ServerWebExchangeDecorator {
  private final ServerHttpRequest request;
  private final ServerWebExchange forms;

  /**
   * Replaces the body of an exchange.
   *
   * @param request shows the body
   * @param forms reads forms from it; the exchange itself would read those of the server's request
   */
  ReplayedExchange(ServerWebExchange exchange, ServerHttpRequest request, ServerWebExchange forms) {
    super(exchange);
    this.request = request;
    this.forms = forms;
  }

  /** Returns whether an exchange shows it already, perhaps below decorators of filters. */
  static boolean isIn(ServerWebExchange exchange) {
    ServerWebExchange each = exchange;
    while (each instanceof ServerWebExchangeDecorator decorator) {
      if (each instanceof ReplayedExchange) {
        return true;
      }
      each = decorator.getDelegate();
    }
    return false;
  }

  @Override
  public ServerHttpRequest getRequest() {
    return request;
  }

  @Override
  public Mono<MultiValueMap<String, String>> getFormData() {
    return forms.getFormData();
  }

  @Override
  public Mono<MultiValueMap<String, Part>> getMultipartData() {
    return forms.getMultipartData();
  }

  /** Shows the first bytes of a body, then the others. */
  static final class Request extends ServerHttpRequestDecorator {
    private final Flux<DataBuffer> body;

    Request(
        ServerHttpRequest request, DataBufferFactory buffers, byte[] first, Flux<DataBuffer> rest) {
      super(request);
      this.body =
          first.length == 0
              ? rest
              : Flux.concat(Mono.fromSupplier(() -> buffers.wrap(first)), rest);
    }

    @Override
    public Flux<DataBuffer> getBody() {
      return body;
    }
  }
}

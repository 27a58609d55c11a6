package io.weir.spring.webflux;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseCookie;
import org.springframework.http.codec.multipart.Part;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.http.server.reactive.observation.ServerRequestObservationContext;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Shows an exchange to handler mappings without letting them change it: they set attributes, the
 * pattern of the current observation, and header fields for CORS. They see no body, since it can be
 * read only once.
 *
 * <p>Confine to one thread.
 */
final class TrialExchange extends ServerWebExchangeDecorator {
  private final Attributes attributes = new Attributes();
  private final ServerHttpRequest request;
  private final TrialResponse response;

  TrialExchange(ServerWebExchange exchange) {
    super(exchange);
    this.request = new TrialRequest(exchange.getRequest());
    this.response = new TrialResponse(exchange.getResponse());
    exchange
        .getAttributes()
        .forEach(
            (name, value) -> {
              if (!(value instanceof ServerRequestObservationContext)) {
                attributes.put(name, value);
              }
            });
  }

  /** Returns whether no mapping has asked for an attribute of the application. */
  boolean isCertain() {
    return !attributes.isAsked;
  }

  @Override
  public Map<String, Object> getAttributes() {
    return attributes;
  }

  @Override
  public ServerHttpRequest getRequest() {
    return request;
  }

  @Override
  public ServerHttpResponse getResponse() {
    return response;
  }

  @Override
  public Mono<MultiValueMap<String, String>> getFormData() {
    return Mono.just(new LinkedMultiValueMap<>());
  }

  @Override
  public Mono<MultiValueMap<String, Part>> getMultipartData() {
    return Mono.just(new LinkedMultiValueMap<>());
  }

  /** Notes whether a mapping asks for what filters of the application may set. */
  private static final class Attributes extends ConcurrentHashMap<String, Object> {
    private static final long serialVersionUID = 1L;

    private volatile boolean isAsked;

    @Override
    public @Nullable Object get(Object name) {
      if (!String.valueOf(name).startsWith("org.springframework.")) {
        isAsked = true;
      }
      return super.get(name);
    }
  }

  private static final class TrialRequest extends ServerHttpRequestDecorator {
    TrialRequest(ServerHttpRequest request) {
      super(request);
    }

    @Override
    public Flux<DataBuffer> getBody() {
      return Flux.empty();
    }
  }

  private static final class TrialResponse extends ServerHttpResponseDecorator {
    private final HttpHeaders headers = new HttpHeaders();
    private @Nullable HttpStatusCode status;

    TrialResponse(ServerHttpResponse response) {
      super(response);
      this.status = response.getStatusCode();
      response
          .getHeaders()
          .forEach((name, values) -> values.forEach(value -> headers.add(name, value)));
    }

    @Override
    public HttpHeaders getHeaders() {
      return headers;
    }

    @Override
    public boolean setStatusCode(@Nullable HttpStatusCode code) {
      status = code;
      return true;
    }

    @Override
    public boolean setRawStatusCode(@Nullable Integer code) {
      status = code == null ? null : HttpStatusCode.valueOf(code);
      return true;
    }

    @Override
    public @Nullable HttpStatusCode getStatusCode() {
      return status;
    }

    @Override
    public void addCookie(ResponseCookie cookie) {}

    @Override
    public void beforeCommit(Supplier<? extends Mono<Void>> action) {}

    @Override
    public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
      return Mono.empty();
    }

    @Override
    public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
      return Mono.empty();
    }

    @Override
    public Mono<Void> setComplete() {
      return Mono.empty();
    }
  }
}

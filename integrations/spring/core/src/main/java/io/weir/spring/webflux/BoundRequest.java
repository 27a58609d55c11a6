package io.weir.spring.webflux;

import io.weir.adapter.LimitedRequest;
import io.weir.spring.RequestContext;
import java.security.Principal;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.codec.multipart.Part;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.WebSession;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;
import reactor.util.context.Context;

/**
 * Binds a request to the threads in which its handler is called: that which subscribes, or that
 * which delivers what the arguments of the handler are made of.
 */
final class BoundRequest {
  private BoundRequest() {}

  /** Binds the request to the thread that starts the handler. */
  static <T> Mono<T> handled(Mono<T> handler, RequestContext context) {
    return new Handled<>(handler, context);
  }

  /** Binds the request wherever the exchange delivers something, unless it does so already. */
  static ServerWebExchange exchange(ServerWebExchange exchange, RequestContext context) {
    ServerWebExchange each = exchange;
    while (each instanceof ServerWebExchangeDecorator decorator
        && !(each instanceof ReplayedExchange)) { // what is below it delivers no body any more
      if (each instanceof BoundExchange) {
        return exchange;
      }
      each = decorator.getDelegate();
    }
    return new BoundExchange(exchange, context);
  }

  private static final class BoundExchange extends ServerWebExchangeDecorator {
    private final RequestContext context;
    private final ServerHttpRequest request;

    BoundExchange(ServerWebExchange exchange, RequestContext context) {
      super(exchange);
      this.context = context;
      this.request = new BoundHttpRequest(exchange.getRequest(), context);
    }

    @Override
    public ServerHttpRequest getRequest() {
      return request;
    }

    @Override
    public Mono<WebSession> getSession() {
      return new DeliveredMono<>(super.getSession(), context);
    }

    @Override
    public <T extends Principal> Mono<T> getPrincipal() {
      return new DeliveredMono<>(super.<T>getPrincipal(), context);
    }

    @Override
    public Mono<MultiValueMap<String, String>> getFormData() {
      return new DeliveredMono<>(super.getFormData(), context);
    }

    @Override
    public Mono<MultiValueMap<String, Part>> getMultipartData() {
      return new DeliveredMono<>(super.getMultipartData(), context);
    }
  }

  private static final class BoundHttpRequest extends ServerHttpRequestDecorator {
    private final RequestContext context;

    BoundHttpRequest(ServerHttpRequest request, RequestContext context) {
      super(request);
      this.context = context;
    }

    @Override
    public Flux<DataBuffer> getBody() {
      return new DeliveredFlux<>(super.getBody(), context);
    }
  }

  /** Binds the request while the handler is subscribed to, until it ends. */
  private static final class Handled<T> extends MonoOperator<T, T> {
    private final RequestContext context;

    Handled(Mono<T> source, RequestContext context) {
      super(source);
      this.context = context;
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
      try (LimitedRequest.Binding bound = context.bind()) {
        source.subscribe(new Unbinding<>(actual, bound));
      }
    }
  }

  /**
   * Unbinds the request before its end is passed on: the same thread may serve the next one then.
   */
  private record Unbinding<T>(CoreSubscriber<? super T> actual, LimitedRequest.Binding bound)
      implements CoreSubscriber<T> {
    @Override
    public Context currentContext() {
      return actual.currentContext();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      actual.onSubscribe(subscription);
    }

    @Override
    public void onNext(T value) {
      bound.close();
      actual.onNext(value);
    }

    @Override
    public void onError(Throwable failure) {
      bound.close();
      actual.onError(failure);
    }

    @Override
    public void onComplete() {
      bound.close();
      actual.onComplete();
    }
  }

  private static final class DeliveredMono<T> extends MonoOperator<T, T> {
    private final RequestContext context;

    DeliveredMono(Mono<T> source, RequestContext context) {
      super(source);
      this.context = context;
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
      source.subscribe(new Delivered<>(actual, context));
    }
  }

  private static final class DeliveredFlux<T> extends FluxOperator<T, T> {
    private final RequestContext context;

    DeliveredFlux(Flux<T> source, RequestContext context) {
      super(source);
      this.context = context;
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
      source.subscribe(new Delivered<>(actual, context));
    }
  }

  /** Binds the request to the thread of each signal. */
  private record Delivered<T>(CoreSubscriber<? super T> actual, RequestContext context)
      implements CoreSubscriber<T> {
    @Override
    public Context currentContext() {
      return actual.currentContext();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      actual.onSubscribe(subscription);
    }

    @Override
    public void onNext(T value) {
      try (LimitedRequest.Binding unused = context.bind()) {
        actual.onNext(value);
      }
    }

    @Override
    public void onError(Throwable failure) {
      try (LimitedRequest.Binding unused = context.bind()) {
        actual.onError(failure);
      }
    }

    @Override
    public void onComplete() {
      try (LimitedRequest.Binding unused = context.bind()) {
        actual.onComplete();
      }
    }
  }
}

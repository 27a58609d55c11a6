package io.weir.spring.webflux;

import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Sends a refusal that is held in place of what filters answer, until the handler is known: so a
 * caller that is refused can't find out by them whether its password is right.
 */
final class HeldResponse extends ServerHttpResponseDecorator {
  private final ServerWebExchange exchange;
  private final LimitedExchange limited;

  private HeldResponse(ServerWebExchange exchange, LimitedExchange limited) {
    super(exchange.getResponse());
    this.exchange = exchange;
    this.limited = limited;
  }

  /** Returns an exchange for the filters, whose response is the refusal as long as it is held. */
  static ServerWebExchange of(ServerWebExchange exchange, LimitedExchange limited) {
    ServerHttpResponse held = new HeldResponse(exchange, limited);
    return exchange.mutate().response(held).build();
  }

  @Override
  public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
    return Mono.defer(() -> limited.isHeld() ? send(exchange, limited) : super.writeWith(body));
  }

  @Override
  public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
    return Mono.defer(
        () -> limited.isHeld() ? send(exchange, limited) : super.writeAndFlushWith(body));
  }

  @Override
  public Mono<Void> setComplete() {
    return Mono.defer(() -> limited.isHeld() ? send(exchange, limited) : super.setComplete());
  }

  /** Sends the refusal if it is held still. */
  static Mono<Void> send(ServerWebExchange exchange, LimitedExchange limited) {
    return Mono.justOrEmpty(limited.takeHeld())
        .flatMap(refusal -> RefusalWriter.refuse(exchange, limited, refusal));
  }
}

package io.weir.spring.webflux;

import io.weir.adapter.LimitedRequest;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ZeroCopyHttpOutputMessage;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Ends the limited request of an exchange before the last bytes of its response leave: a caller
 * that has read the response finds the permits given back that it doesn't count. Whatever is
 * written counts, whether by a handler, a filter or an exception handler.
 *
 * <p>Safe for concurrent use, as far as the response is.
 */
class WatchedResponse extends ServerHttpResponseDecorator {
  private final ServerHttpRequest arrived;
  private volatile @Nullable LimitedRequest limited;

  /** Whether a body was begun and hasn't come to its end. */
  private volatile boolean isOpen;

  private WatchedResponse(ServerHttpRequest arrived, ServerHttpResponse response) {
    super(response);
    this.arrived = arrived;
  }

  /**
   * Watches a response.
   *
   * @param arrived the request, before any filter has seen it
   */
  static WatchedResponse of(ServerHttpRequest arrived, ServerHttpResponse response) {
    return response instanceof ZeroCopyHttpOutputMessage
        ? new ZeroCopy(arrived, response)
        : new WatchedResponse(arrived, response);
  }

  /** Finds the watched response below the decorators of filters; null if there is none. */
  static @Nullable WatchedResponse in(ServerHttpResponse response) {
    ServerHttpResponse each = response;
    while (each instanceof ServerHttpResponseDecorator decorator) {
      if (each instanceof WatchedResponse watched) {
        return watched;
      }
      each = decorator.getDelegate();
    }
    return null;
  }

  /** Returns the request, with the address and the header fields that the server received. */
  ServerHttpRequest arrived() {
    return arrived;
  }

  /** Ends a request with this response. */
  void end(LimitedRequest request) {
    limited = request;
  }

  /** Ends a request with a response that nothing watches, of a server without Spring Boot. */
  static void endOnCommit(ServerHttpResponse response, LimitedRequest request) {
    response.beforeCommit(
        () -> {
          request.completed(status(response));
          return Mono.empty();
        });
  }

  /**
   * Notes that nothing more will be written. If the caller has left a stream, WebFlux completes the
   * response although a part of it is missing.
   */
  void ended() {
    if (isOpen && isCommitted()) {
      failed();
    } else {
      completed();
    }
  }

  /** Notes that the response was written whole, or is about to be. */
  private void completed() {
    isOpen = false;
    LimitedRequest request = limited;
    if (request != null) {
      request.completed(status(this));
    }
  }

  /** Notes that no response was sent, or only a part of it. */
  void failed() {
    LimitedRequest request = limited;
    if (request != null) {
      request.aborted(isCommitted() ? status(this) : 0);
    }
  }

  private static int status(ServerHttpResponse response) {
    @Nullable HttpStatusCode status = response.getStatusCode();
    return status == null ? 200 : status.value();
  }

  /** If nothing was sent yet, an exception handler may still write another response. */
  private void bodyFailed() {
    if (isCommitted()) {
      failed();
    }
  }

  @Override
  public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
    if (limited == null) {
      return super.writeWith(body);
    }
    // Servers write a Mono in another way than a Flux, so it stays one.
    return super.writeWith(
        body instanceof Mono<? extends DataBuffer> one ? watched(one) : watched(Flux.from(body)));
  }

  private Mono<? extends DataBuffer> watched(Mono<? extends DataBuffer> body) {
    return body.doOnSubscribe(begun -> isOpen = true)
        .doOnSuccess(last -> completed())
        .doOnError(failure -> bodyFailed());
  }

  private Flux<? extends DataBuffer> watched(Flux<? extends DataBuffer> body) {
    return Flux.defer(
        () -> {
          isOpen = true;
          Remaining remaining = new Remaining(getHeaders().getContentLength());
          return body.doOnNext(
                  each -> {
                    if (remaining.isLast(each.readableByteCount())) {
                      completed();
                    }
                  })
              .doOnComplete(this::completed)
              .doOnError(failure -> bodyFailed());
        });
  }

  @Override
  public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
    return limited == null
        ? super.writeAndFlushWith(body)
        : super.writeAndFlushWith(
            Flux.from(body)
                .doOnSubscribe(begun -> isOpen = true)
                .doOnComplete(this::completed)
                .doOnError(failure -> bodyFailed()));
  }

  @Override
  public Mono<Void> setComplete() {
    return Mono.defer(
        () -> {
          ended();
          return super.setComplete();
        });
  }

  /** Counts the bytes of a body whose length is announced: its last ones end the response. */
  private static final class Remaining {
    private long bytes;

    Remaining(long announced) {
      bytes = announced > 0 ? announced : Long.MAX_VALUE;
    }

    boolean isLast(int length) {
      bytes -= length;
      return bytes <= 0;
    }
  }

  /** Keeps the server's own way to send files. */
  private static final class ZeroCopy extends WatchedResponse implements ZeroCopyHttpOutputMessage {
    ZeroCopy(ServerHttpRequest arrived, ServerHttpResponse response) {
      super(arrived, response);
    }

    @Override
    public Mono<Void> writeWith(Path file, long position, long count) {
      return Mono.defer(
          () -> {
            ended();
            return ((ZeroCopyHttpOutputMessage) getDelegate()).writeWith(file, position, count);
          });
    }
  }
}

package io.weir.micronaut;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.ServerHttpRequest;
import io.micronaut.http.body.ByteBody.SplitBackpressureMode;
import io.micronaut.http.body.CloseableByteBody;
import io.weir.adapter.BodyReader;
import io.weir.adapter.ReadBody;
import io.weir.adapter.RequestValues;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Reads the body of a request for policies, without waiting for the client in any thread. It reads
 * a copy, so the application gets the body as if nobody had read it.
 *
 * <p>Used by one thread after the other.
 */
final class HttpBody {
  private final HttpRequest<?> http;

  /** Null until the body was read for policies. */
  private volatile @Nullable ReadBody read;

  HttpBody(HttpRequest<?> http) {
    this.http = http;
  }

  /** Returns the body as policies read it; null until {@link #read(BodyReader)} has succeeded. */
  @Nullable ReadBody content() {
    return read;
  }

  /**
   * Reads the body within the bounds of the reader.
   *
   * @throws IOException as {@link BodyReader#read}
   */
  CompletionStage<ReadBody> read(BodyReader reader) throws IOException {
    int wanted = reader.wantedBytes();
    if (wanted == 0) {
      return CompletableFuture.completedFuture(
          keep(reader.read(InputStream::nullInputStream, Optional.empty())));
    }
    CloseableByteBody copy = copy();
    if (copy == null) {
      return CompletableFuture.completedFuture(keep(reader.taken()));
    }
    FirstBytes first = new FirstBytes(wanted);
    copy.allowDiscard().toByteArrayPublisher().subscribe(first);
    Mono<ReadBody> body =
        Mono.fromFuture(first.collected(), true)
            .flatMap(
                bytes ->
                    Mono.fromCallable(
                        () -> reader.read(() -> new ByteArrayInputStream(bytes), encoding())));
    return Mono.firstWithSignal(body, late(reader))
        .map(this::keep)
        .doFinally(end -> first.cancel())
        .toFuture();
  }

  /** Fails once the body is too late, unless the request has to wait for it all the same. */
  private static Mono<ReadBody> late(BodyReader reader) {
    return Mono.delay(reader.timeLeft())
        .flatMap(
            passed -> {
              reader.late();
              return Mono.never();
            });
  }

  /** Returns the charset by which Micronaut decodes forms. */
  private Optional<String> encoding() {
    return RequestValues.read(http::getCharacterEncoding).map(Charset::name);
  }

  /** Splits the body; null if the application has taken it before. */
  private @Nullable CloseableByteBody copy() {
    try {
      return http instanceof ServerHttpRequest<?> server
          ? server.byteBody().split(SplitBackpressureMode.NEW)
          : null;
    } catch (IllegalStateException taken) {
      return null;
    }
  }

  private ReadBody keep(ReadBody body) {
    read = body;
    return body;
  }
}

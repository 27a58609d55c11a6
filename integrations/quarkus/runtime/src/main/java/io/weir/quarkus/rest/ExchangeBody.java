package io.weir.quarkus.rest;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.HttpServerRequestInternal;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.impl.RoutingContextInternal;
import io.weir.adapter.BodyReader;
import io.weir.adapter.ReadBody;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a request for policies, without waiting for the client in any thread, and shows
 * it to the application as if nobody had read it.
 *
 * <p>Used by one thread after the other.
 */
final class ExchangeBody {
  private static final String FIELDS = "application/x-www-form-urlencoded";
  private static final String PARTS = "multipart/form-data";

  private final RoutingContext routing;

  /** Bytes that are discarded of a refused request, at most: a client may send without end. */
  private static final long MOST_DISCARDED = 2 * 1024 * 1024;

  /** Null until the body was read for policies. */
  private volatile @Nullable ReadBody read;

  /** True once more was sent than policies read. */
  private volatile boolean isPaused;

  ExchangeBody(RoutingContext routing) {
    this.routing = routing;
  }

  /** Returns the body as policies read it; null until it was read. */
  @Nullable ReadBody content() {
    return read;
  }

  /**
   * Reads the body within the bounds of the reader.
   *
   * @param view shows a body that isn't the one that was sent
   * @throws IOException as {@link BodyReader#read}
   */
  CompletionStage<ReadBody> read(BodyReader reader, RequestView view) throws IOException {
    Optional<ReadBody> own = view.readBody(reader);
    if (own.isPresent()) {
      return keep(own.get());
    }
    if (reader.wantedBytes() == 0) {
      return keep(reader.read(InputStream::nullInputStream, Optional.empty()));
    }
    HttpServerRequest request = routing.request();
    @Nullable Buffer before = routing.body() == null ? null : routing.body().buffer();
    if (before != null) { // a handler of the application wanted all of it
      return keep(read(reader, before));
    }
    if (request.isEnded()) {
      return keep(announcesBody(request) ? reader.taken() : read(reader, Buffer.buffer()));
    }
    if (reader.admitsUnreadable() && !request.headers().contains(HttpHeaderNames.CONTENT_LENGTH)) {
      return keep(reader.untouched()); // it may be too long to be shown again
    }
    CompletableFuture<ReadBody> collected = collect(reader, request);
    return collected.thenApply(
        all -> {
          read = all;
          return all;
        });
  }

  private CompletionStage<ReadBody> keep(ReadBody body) {
    read = body;
    return CompletableFuture.completedFuture(body);
  }

  /** Returns whether the client is to send a body. */
  static boolean announcesBody(HttpServerRequest request) {
    @Nullable String length = request.getHeader(HttpHeaderNames.CONTENT_LENGTH);
    return length == null
        ? request.headers().contains(HttpHeaderNames.TRANSFER_ENCODING)
        : !length.equals("0");
  }

  private static ReadBody read(BodyReader reader, Buffer all) throws IOException {
    return reader.read(() -> new ByteArrayInputStream(all.getBytes()), Optional.empty());
  }

  /**
   * Has the event loop collect the body, and note it where Quarkus looks for it. Only there no byte
   * arrives between two steps: the request goes on as soon as it has a handler.
   */
  private CompletableFuture<ReadBody> collect(BodyReader reader, HttpServerRequest request) {
    CompletableFuture<ReadBody> collected = new CompletableFuture<>();
    ((HttpServerRequestInternal) request)
        .context()
        .runOnContext(
            loop -> {
              if (request.isEnded()) { // it has no body
                complete(collected, reader, Buffer.buffer());
              } else {
                collect(reader, request, collected);
              }
            });
    return collected;
  }

  private void collect(
      BodyReader reader, HttpServerRequest request, CompletableFuture<ReadBody> collected) {
    Buffer all = Buffer.buffer();
    int wanted = reader.wantedBytes();
    long wait = Math.max(1, reader.timeLeft().toMillis());
    long timer = routing.vertx().setTimer(wait, passed -> late(reader, collected));
    var unused = collected.whenComplete((body, failure) -> routing.vertx().cancelTimer(timer));
    request.exceptionHandler(
        failure -> collected.completeExceptionally(new IOException("the body ended", failure)));
    request.endHandler(
        end -> {
          ((RoutingContextInternal) routing).setBody(all);
          complete(collected, reader, all);
        });
    if (HttpHeaderValues.CONTINUE.toString().equalsIgnoreCase(request.getHeader("Expect"))) {
      routing.response().writeContinue();
    }
    request.handler(
        chunk -> {
          all.appendBuffer(chunk);
          if (all.length() >= wanted) {
            request.pause();
            isPaused = true;
            complete(collected, reader, all);
          }
        });
    request.resume();
  }

  /**
   * Discards what a refused request still sends: while it is paused, its connection serves no
   * further request of HTTP/1.1. Streams of HTTP/2 don't wait for each other.
   */
  void discardRest() {
    HttpServerRequest request = routing.request();
    if (isPaused && request.version() != HttpVersion.HTTP_2) {
      ((HttpServerRequestInternal) request).context().runOnContext(loop -> discard(request));
    }
  }

  private static void discard(HttpServerRequest request) {
    if (request.isEnded()) {
      return;
    }
    AtomicLong left = new AtomicLong(MOST_DISCARDED);
    request.endHandler(end -> {});
    request.handler(
        chunk -> {
          if (left.addAndGet(-chunk.length()) < 0) {
            request.connection().close();
          }
        });
    request.resume();
  }

  private static void complete(
      CompletableFuture<ReadBody> collected, BodyReader reader, Buffer all) {
    if (collected.isDone()) {
      return;
    }
    try {
      collected.complete(read(reader, all));
    } catch (IOException | RuntimeException refused) {
      collected.completeExceptionally(refused);
    }
  }

  private static void late(BodyReader reader, CompletableFuture<ReadBody> collected) {
    try {
      reader.late();
    } catch (RuntimeException refused) {
      collected.completeExceptionally(refused);
    }
  }

  /** Returns whether the body is a form of either kind. */
  static boolean isForm(HttpServerRequest request) {
    return isOfType(FIELDS, request) || isOfType(PARTS, request);
  }

  private static boolean isOfType(String start, HttpServerRequest request) {
    return String.valueOf(request.getHeader(HttpHeaderNames.CONTENT_TYPE))
        .toLowerCase(Locale.ROOT)
        .startsWith(start);
  }
}

package io.weir.spring.webflux;

import io.weir.adapter.BodyReader;
import io.weir.adapter.ReadBody;
import io.weir.adapter.RequestValues;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.codec.multipart.FormFieldPart;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.adapter.DefaultServerWebExchange;
import org.springframework.web.server.i18n.AcceptHeaderLocaleContextResolver;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads the body of an exchange for policies, without waiting for the client in any thread, and
 * shows it to the application as if nobody had read it.
 *
 * <p>Safe for concurrent use.
 */
final class ExchangeBody {
  private static final String UTF_8 = "UTF-8";

  private final ServerWebExchange exchange;
  private final Supplier<ServerCodecConfigurer> codecs;

  /** Null until the body is touched. */
  private volatile @Nullable BodyCollector collector;

  /** Null until the body was read for policies. */
  private volatile @Nullable ReadBody read;

  /** Replaces the body for the application; null if that is untouched. */
  private volatile @Nullable Replay replay;

  /**
   * A body that was read.
   *
   * @param first its first bytes
   * @param rest the others
   * @param forms reads the data of forms from both, and keeps them
   */
  @SuppressWarnings("ArrayRecordComponent") // none is compared with another
  private record Replay(byte[] first, Flux<DataBuffer> rest, ServerWebExchange forms) {}

  /**
   * Takes a body that nobody has touched for policies.
   *
   * @param exchange as the filters before have left it
   * @param codecs those of the application, which read forms
   */
  ExchangeBody(ServerWebExchange exchange, Supplier<ServerCodecConfigurer> codecs) {
    this.exchange = exchange;
    this.codecs = codecs;
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
    Mono<ReadBody> body =
        Mono.fromFuture(collect(wanted), true)
            .flatMap(all -> all.bytes().length == 0 ? empty(all, reader) : content(all, reader));
    return Mono.firstWithSignal(body, late(reader)).map(this::keep).toFuture();
  }

  /** Fails once the body is too late, unless the exchange has to wait for it all the same. */
  private static Mono<ReadBody> late(BodyReader reader) {
    return Mono.delay(reader.timeLeft())
        .flatMap(
            passed -> {
              reader.late();
              return Mono.never();
            });
  }

  private ReadBody keep(ReadBody body) {
    read = body;
    return body;
  }

  private CompletableFuture<BodyCollector.Collected> collect(int wanted) {
    BodyCollector begun = collector;
    if (begun == null) {
      begun = new BodyCollector(wanted);
      collector = begun;
      exchange.getRequest().getBody().subscribe(begun);
    }
    return begun.collected();
  }

  private Mono<ReadBody> content(BodyCollector.Collected all, BodyReader reader) {
    return Mono.fromCallable(
        () -> {
          replay(all);
          return reader.read(() -> new ByteArrayInputStream(all.bytes()), encoding());
        });
  }

  /**
   * Returns the charset by which WebFlux decodes forms: for multipart ones UTF-8, whatever the
   * request names.
   */
  private Optional<String> encoding() {
    if (isOfType("multipart/")) {
      return Optional.of(UTF_8);
    }
    try {
      return Optional.ofNullable(headers().getContentType())
          .map(type -> type.getCharset() == null ? UTF_8 : type.getCharset().name());
    } catch (InvalidMediaTypeException malformed) {
      return Optional.empty(); // refused where it is read
    }
  }

  private boolean isOfType(String start) {
    String type = String.valueOf(headers().getFirst(HttpHeaders.CONTENT_TYPE));
    return type.toLowerCase(Locale.ROOT).startsWith(start);
  }

  private HttpHeaders headers() {
    return exchange.getRequest().getHeaders();
  }

  /** A filter may have had the exchange read a form before, which then keeps its data. */
  private Mono<ReadBody> empty(BodyCollector.Collected nothing, BodyReader reader) {
    return fieldsReadBefore()
        .onErrorResume(malformed -> Mono.empty())
        .filter(fields -> !fields.isEmpty())
        .map(fields -> reader.ofParameters(withQuery(fields)))
        .switchIfEmpty(
            Mono.defer(
                () ->
                    nothing.wasTaken() || announcesBody()
                        ? Mono.fromCallable(reader::taken)
                        : content(nothing, reader)));
  }

  private boolean announcesBody() {
    return headers().getContentLength() > 0
        || headers().getFirst(HttpHeaders.TRANSFER_ENCODING) != null;
  }

  private Mono<MultiValueMap<String, String>> fieldsReadBefore() {
    if (isOfType("multipart/form-data")) {
      return exchange
          .getMultipartData()
          .map(
              parts -> {
                MultiValueMap<String, String> fields = new LinkedMultiValueMap<>();
                parts.forEach(
                    (name, each) ->
                        each.stream()
                            .filter(FormFieldPart.class::isInstance)
                            .forEach(part -> fields.add(name, ((FormFieldPart) part).value())));
                return fields;
              });
    }
    return isOfType("application/x-www-form-urlencoded") ? exchange.getFormData() : Mono.empty();
  }

  private Map<String, List<String>> withQuery(MultiValueMap<String, String> fields) {
    MultiValueMap<String, String> all = new LinkedMultiValueMap<>();
    RequestValues.read(exchange.getRequest()::getQueryParams).ifPresent(all::addAll);
    all.addAll(fields);
    Map<String, List<String>> values = new HashMap<>();
    all.forEach((name, each) -> values.put(name, withoutNull(each)));
    return values;
  }

  /** A parameter or field without {@code =} has a null as its value. */
  static List<String> withoutNull(List<@Nullable String> values) {
    return values.stream().map(each -> each == null ? "" : each).toList();
  }

  private void replay(BodyCollector.Collected all) {
    BodyCollector from = collector;
    if (replay == null && from != null) {
      Flux<DataBuffer> rest = all.isWhole() ? Flux.empty() : from.rest();
      replay = new Replay(all.bytes(), rest, forms(all.bytes(), rest));
    }
  }

  /** An exchange reads forms from the request that it was made with. */
  private ServerWebExchange forms(byte[] first, Flux<DataBuffer> rest) {
    return new DefaultServerWebExchange(
        request(exchange.getRequest(), first, rest),
        exchange.getResponse(),
        any -> Mono.empty(),
        codecs.get(),
        new AcceptHeaderLocaleContextResolver());
  }

  private ServerHttpRequest request(
      ServerHttpRequest request, byte[] first, Flux<DataBuffer> rest) {
    return new ReplayedExchange.Request(
        request, exchange.getResponse().bufferFactory(), first, rest);
  }

  /**
   * Shows the body to whoever gets the exchange next as if nobody had read it for policies.
   *
   * @return the same exchange if its body is untouched, or it shows it already
   */
  ServerWebExchange unread(ServerWebExchange passed) {
    Replay again = replay;
    return again == null || ReplayedExchange.isIn(passed)
        ? passed
        : new ReplayedExchange(
            passed, request(passed.getRequest(), again.first(), again.rest()), again.forms());
  }

  /** Leaves what nobody has read to the server, once the exchange has ended. */
  void end() {
    BodyCollector begun = collector;
    if (begun != null) {
      begun.cancel();
    }
    Replay again = replay;
    if (again != null) {
      again.forms().cleanupMultipart().subscribe();
    }
  }
}

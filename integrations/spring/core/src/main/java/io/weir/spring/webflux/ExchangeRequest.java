package io.weir.spring.webflux;

import io.weir.adapter.Adapter;
import io.weir.adapter.BodyReader;
import io.weir.adapter.BodySource;
import io.weir.adapter.ReadBody;
import io.weir.adapter.RequestValues;
import io.weir.spi.UserNames;
import io.weir.spring.UserName;
import java.io.IOException;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Reads a request of WebFlux for policies. Malformed input counts as missing; reading never throws.
 *
 * <p>Used by one thread after the other.
 */
final class ExchangeRequest implements BodySource {
  private final Adapter adapter;

  /** As the server received it: only its forwarded fields are what the peer has sent. */
  private final ServerHttpRequest arrived;

  /** As the filters before have left it. */
  private final ServerHttpRequest request;

  private final Supplier<ServerCodecConfigurer> codecs;

  /** As the latest filter has left it. */
  private volatile ServerWebExchange exchange;

  /** Null until policies have the body read. */
  private volatile @Nullable ExchangeBody body;

  private volatile @Nullable FoundHandler handler;
  private volatile Optional<String> user = Optional.empty();
  private volatile Optional<String> issuer = Optional.empty();
  private volatile Optional<String> peer = Optional.empty();

  ExchangeRequest(
      Adapter adapter,
      ServerHttpRequest arrived,
      ServerWebExchange exchange,
      Supplier<ServerCodecConfigurer> codecs) {
    this.adapter = adapter;
    this.arrived = arrived;
    this.request = exchange.getRequest();
    this.exchange = exchange;
    this.codecs = codecs;
  }

  /** Returns the same request as a filter has changed it, of the same user. */
  ExchangeRequest of(ServerWebExchange changed) {
    ExchangeRequest made = new ExchangeRequest(adapter, arrived, changed, codecs);
    made.body = body;
    made.user = user;
    made.issuer = issuer;
    made.peer = peer;
    return made;
  }

  /** Notes the exchange whose body the application gets: a filter may have changed that. */
  void arriveAs(ServerWebExchange latest) {
    if (exchange != latest) {
      exchange = latest;
    }
  }

  void setHandler(FoundHandler found) {
    handler = found;
  }

  void setUser(Optional<String> name) {
    user = name;
  }

  /**
   * Reads the name of a principal, and notes its issuer. One that can't be read counts as missing,
   * as Spring Security's user for everybody does.
   */
  Mono<Optional<String>> nameOf(Mono<? extends Principal> principal) {
    return principal
        .map(this::nameOf)
        .onErrorResume(unreadable -> Mono.just(Optional.empty()))
        .defaultIfEmpty(Optional.empty());
  }

  private Optional<String> nameOf(Principal principal) {
    UserNames names = adapter.userNames();
    Optional<String> name = UserName.of(principal, names);
    issuer = name.isPresent() ? names.issuer(principal) : Optional.empty();
    return name;
  }

  ServerHttpRequest request() {
    return request;
  }

  ServerHttpRequest arrived() {
    return arrived;
  }

  @Override
  public String method() {
    return request.getMethod().name();
  }

  @Override
  public String answeredMethod() {
    FoundHandler found = handler;
    String method = method();
    return method.equals("HEAD") && found != null && !found.answersHead() ? "GET" : method;
  }

  @Override
  public String endpoint() {
    FoundHandler found = handler;
    return found == null ? "" : found.template();
  }

  @Override
  public boolean mayBeLeftOut() {
    return RequestValues.mayBeLeftOut(headerNames(request), request.getURI().getRawQuery());
  }

  @Override
  public boolean hasTemplate() {
    FoundHandler found = handler;
    return found != null && !found.template().isEmpty();
  }

  @Override
  public String mapping() {
    return endpoint();
  }

  @Override
  public List<String> headers(String name) {
    return RequestValues.trim(
        RequestValues.isForwarded(name)
            ? ConnectionPeer.reported(arrived, name)
                .orElseGet(() -> lines(arrived.getHeaders(), name))
            : lines(request.getHeaders(), name));
  }

  /** Uses only methods that Spring 6 and 7 have in common. */
  private static List<String> lines(HttpHeaders headers, String name) {
    if (headers.getFirst(name) == null) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    headers.forEach(
        (each, values) -> {
          if (each.equalsIgnoreCase(name)) {
            lines.addAll(values);
          }
        });
    return lines;
  }

  @Override
  public Optional<String> query(String name) {
    return queries(name).stream().findFirst();
  }

  @Override
  public List<String> queries(String name) {
    return RequestValues.read(() -> request.getQueryParams().get(name))
        .map(ExchangeBody::withoutNull)
        .orElseGet(() -> RequestValues.queries(request.getURI().getRawQuery(), name));
  }

  @Override
  public CompletionStage<ReadBody> readBody(BodyReader reader) throws IOException {
    ExchangeBody begun = body;
    if (begun == null) {
      begun = new ExchangeBody(exchange, codecs);
      body = begun;
    }
    return begun.read(reader);
  }

  /** Shows the body to whoever gets the exchange next as if nobody had read it for policies. */
  ServerWebExchange unread(ServerWebExchange passed) {
    ExchangeBody begun = body;
    return begun == null ? passed : begun.unread(passed);
  }

  /** Ends the reading of the body with the exchange. */
  void end() {
    ExchangeBody begun = body;
    if (begun != null) {
      begun.end();
    }
  }

  @Override
  public Optional<ReadBody> content() {
    return Optional.ofNullable(body).map(ExchangeBody::content);
  }

  @Override
  public Optional<String> path(String name) {
    FoundHandler found = handler;
    return found == null ? Optional.empty() : Optional.ofNullable(found.variables().get(name));
  }

  @Override
  public Optional<String> cookie(String name) {
    return cookies(name).stream().findFirst();
  }

  @Override
  public List<String> cookies(String name) {
    return RequestValues.read(() -> request.getCookies().get(name)).orElse(List.of()).stream()
        .map(HttpCookie::getValue)
        .toList();
  }

  @Override
  public Optional<String> user() {
    return user;
  }

  @Override
  public Optional<String> issuer() {
    return user.isPresent() ? issuer : Optional.empty();
  }

  /** WebFlux joins the values of a parameter, and the lines of a header field, for a handler. */
  @Override
  public boolean isJoined(String text) {
    return text.indexOf(',') >= 0
        && handler != null
        && (RequestValues.read(request::getQueryParams)
                .filter(all -> all.values().stream().anyMatch(each -> isJoined(each, text)))
                .isPresent()
            || isJoinedHeader(text));
  }

  private boolean isJoinedHeader(String text) {
    return headerNames(request).stream()
        .anyMatch(name -> isJoined(lines(request.getHeaders(), name), text));
  }

  /** Lists the names by the one method for it that all versions of Spring have. */
  static List<String> headerNames(ServerHttpRequest request) {
    List<String> names = new ArrayList<>();
    request.getHeaders().forEach((name, lines) -> names.add(name));
    return names;
  }

  private static boolean isJoined(List<@Nullable String> values, String text) {
    return values.size() > 1 && String.join(",", ExchangeBody.withoutNull(values)).equals(text);
  }

  /** Kept once known: a closed connection may have forgotten its address. */
  @Override
  public Optional<String> peer() {
    Optional<String> known = peer;
    if (known.isEmpty()) {
      known =
          adapter.findsPeer()
              ? adapter.peer(arrived).or(() -> ConnectionPeer.of(arrived))
              : ConnectionPeer.of(arrived);
      peer = known;
    }
    return known;
  }

  @Override
  public Optional<String> address() {
    return adapter.address(this);
  }
}

package io.weir.quarkus.rest;

import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;
import io.weir.adapter.Adapter;
import io.weir.adapter.BodyReader;
import io.weir.adapter.BodySource;
import io.weir.adapter.LimitedEndpoint;
import io.weir.adapter.ReadBody;
import io.weir.adapter.RequestValues;
import java.io.IOException;
import java.security.Principal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a request for policies, as it is seen at one place. Malformed input counts as missing;
 * reading never throws.
 *
 * <p>Used by one thread after the other.
 */
final class ExchangeRequest implements BodySource {
  private final ResourceLimits limits;
  private final Adapter adapter;
  private final RoutingContext arrived;
  private final LimitedResource resource;
  private final RequestView view;

  /** Null until it is noted. */
  private volatile @Nullable SentRequest sent;

  /** Null until it is read for policies. */
  private volatile @Nullable ExchangeBody body;

  private volatile Optional<String> user = Optional.empty();
  private volatile Optional<String> issuer = Optional.empty();
  private volatile Optional<String> peer = Optional.empty();

  /**
   * Reads a request.
   *
   * @param resource that may answer it, or does
   */
  ExchangeRequest(
      ResourceLimits limits, RoutingContext arrived, LimitedResource resource, RequestView view) {
    this.limits = limits;
    this.adapter = limits.adapter();
    this.arrived = arrived;
    this.resource = resource;
    this.view = view;
  }

  /** Returns whether an earlier one asks for the same, so that it has the same keys. */
  boolean isSentAs(ExchangeRequest earlier) {
    SentRequest before = earlier.sent;
    return before != null && before.isSame(resource, view, isLimited()) && hasBodyOf(earlier);
  }

  private boolean isLimited() {
    return !resource.endpoint().isEmpty() || adapter.limitsPaths();
  }

  /** Notes what it asks for now, to be compared with what it asks for later. */
  void noteSent() {
    sent = SentRequest.of(resource, view, isLimited());
  }

  private boolean hasBodyOf(ExchangeRequest earlier) {
    return earlier.content().map(view::hasStill).orElse(true);
  }

  /** Returns what limits it: its resource and, by the settings, its path. */
  LimitedEndpoint limits() {
    return adapter.limitsPaths()
        ? resource.endpoint().and(adapter.endpoint(limits.pathWithinApplication(view.path()), true))
        : resource.endpoint();
  }

  /** Takes what is known from the same request before a filter has perhaps changed it. */
  void takeFrom(ExchangeRequest earlier) {
    if (hasBodyOf(earlier)) {
      body = earlier.body;
    }
    sent = earlier.sent;
    user = earlier.user;
    issuer = earlier.issuer;
    peer = earlier.peer;
  }

  /** Finds whom a filter or Quarkus Security has signed in. */
  CompletionStage<@Nullable Principal> signedIn() {
    return view.user();
  }

  /** Notes who has signed in. */
  void setUser(@Nullable Principal principal) {
    Optional<Principal> signedIn = Optional.ofNullable(principal);
    user = signedIn.flatMap(adapter.userNames()::name);
    issuer = user.isPresent() ? signedIn.flatMap(adapter.userNames()::issuer) : Optional.empty();
  }

  @Override
  public String method() {
    return view.method();
  }

  @Override
  public String answeredMethod() {
    String method = method();
    return method.equals("HEAD") && !resource.answersHead() ? "GET" : method;
  }

  @Override
  public String endpoint() {
    return resource.template();
  }

  @Override
  public boolean hasTemplate() {
    return true;
  }

  @Override
  public String mapping() {
    return endpoint();
  }

  @Override
  public boolean mayBeLeftOut() {
    return RequestValues.mayBeLeftOut(
        arrived.request().headers().names(), arrived.request().query());
  }

  /**
   * Fields in which proxies report addresses are those that arrived, even if a filter has set
   * others.
   */
  @Override
  public List<String> headers(String name) {
    return RequestValues.trim(
        RequestValues.isForwarded(name)
            ? arrived.request().headers().getAll(name)
            : view.headers(name));
  }

  @Override
  public Optional<String> query(String name) {
    return queries(name).stream().findFirst();
  }

  @Override
  public List<String> queries(String name) {
    return view.queries(name);
  }

  @Override
  public Optional<String> path(String name) {
    return view.variable(name);
  }

  @Override
  public Optional<String> cookie(String name) {
    return cookies(name).stream().findFirst();
  }

  @Override
  public List<String> cookies(String name) {
    return headers("Cookie").stream()
        .flatMap(line -> Stream.of(line.split(";")))
        .map(pair -> pair.split("=", 2))
        .filter(pair -> pair.length == 2 && pair[0].strip().equals(name))
        .map(pair -> pair[1].strip())
        .toList();
  }

  @Override
  public CompletionStage<ReadBody> readBody(BodyReader reader) throws IOException {
    ExchangeBody known = body;
    if (known == null) {
      known = new ExchangeBody(arrived);
      body = known;
    }
    return known.read(reader, view);
  }

  /** Shows the body to the resource as if nobody had read it for policies. */
  void showBody() {
    content().ifPresent(view::show);
  }

  /** Discards the rest of a body that policies have begun to read: the request is refused. */
  void discardBody() {
    ExchangeBody known = body;
    if (known != null) {
      known.discardRest();
    }
  }

  @Override
  public Optional<ReadBody> content() {
    return Optional.ofNullable(body).map(ExchangeBody::content);
  }

  @Override
  public Optional<String> user() {
    return user;
  }

  @Override
  public Optional<String> issuer() {
    return issuer;
  }

  /** Compares the lines of header fields, which {@code getHeaderString} joins. */
  @Override
  public boolean isJoined(String text) {
    return text.indexOf(',') >= 0
        && arrived.request().headers().names().stream()
            .map(arrived.request().headers()::getAll)
            .anyMatch(lines -> lines.size() > 1 && String.join(",", lines).equals(text));
  }

  /** Kept once known: a closed connection may have forgotten its address. */
  @Override
  public Optional<String> peer() {
    Optional<String> known = peer;
    if (known.isEmpty()) {
      known = adapter.findsPeer() ? adapter.peer(arrived).or(this::connected) : connected();
      peer = known;
    }
    return known;
  }

  /**
   * Returns the address of the connection itself, which Quarkus' own handling of proxies doesn't
   * change.
   *
   * @return blank for a Unix-domain socket
   */
  private Optional<String> connected() {
    @Nullable SocketAddress address = arrived.request().connection().remoteAddress();
    if (address == null) {
      return Optional.empty();
    }
    return Optional.of(address.isInetSocket() ? address.hostAddress() : "");
  }

  @Override
  public Optional<String> address() {
    return adapter.address(this);
  }
}

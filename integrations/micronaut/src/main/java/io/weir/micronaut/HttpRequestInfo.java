package io.weir.micronaut;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.cookie.Cookie;
import io.micronaut.web.router.UriRouteMatch;
import io.weir.adapter.Adapter;
import io.weir.adapter.BodyReader;
import io.weir.adapter.BodySource;
import io.weir.adapter.ReadBody;
import io.weir.adapter.RequestValues;
import io.weir.micronaut.LimitedRoutes.LimitedRoute;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Reads a request of Micronaut for policies. Malformed input counts as missing; reading never
 * throws.
 *
 * <p>Used by one thread after the other.
 */
final class HttpRequestInfo implements BodySource {
  private final Adapter adapter;
  private final LimitedRoute route;
  private final @Nullable UriRouteMatch<?, ?> match;
  private final HttpBody body;

  /** The request as received: only its forwarded fields are what the peer has sent. */
  private final HttpRequest<?> arrived;

  /** The request as the latest filter left it. */
  private volatile HttpRequest<?> http;

  private volatile Optional<String> peer = Optional.empty();

  HttpRequestInfo(
      Adapter adapter,
      HttpRequest<?> http,
      LimitedRoute route,
      @Nullable UriRouteMatch<?, ?> match) {
    this.adapter = adapter;
    this.arrived = http;
    this.http = http;
    this.route = route;
    this.match = match;
    this.body = new HttpBody(http);
  }

  /** Notes the request as a filter has changed it, such as by its user. */
  void setLatest(HttpRequest<?> latest) {
    http = latest;
  }

  @Override
  public String method() {
    return http.getMethodName();
  }

  @Override
  public String answeredMethod() {
    String method = method();
    return method.equals("HEAD") && route.httpMethod().equals("GET") ? "GET" : method;
  }

  @Override
  public String endpoint() {
    return route.template();
  }

  @Override
  public boolean hasTemplate() {
    return !route.template().isEmpty();
  }

  @Override
  public String mapping() {
    return route.template();
  }

  @Override
  public boolean mayBeLeftOut() {
    return RequestValues.mayBeLeftOut(http.getHeaders().names(), query());
  }

  private @Nullable String query() {
    return RequestValues.read(() -> http.getUri().getRawQuery()).orElse(null);
  }

  @Override
  public List<String> headers(String name) {
    HttpRequest<?> seen = RequestValues.isForwarded(name) ? arrived : http;
    return RequestValues.trim(seen.getHeaders().getAll(name));
  }

  @Override
  public Optional<String> query(String name) {
    return queries(name).stream().findFirst();
  }

  @Override
  public List<String> queries(String name) {
    return RequestValues.read(() -> http.getParameters().getAll(name))
        .orElseGet(() -> RequestValues.queries(query(), name));
  }

  @Override
  public Optional<String> path(String name) {
    return match == null
        ? Optional.empty()
        : Optional.ofNullable(match.getVariableValues().get(name)).map(Object::toString);
  }

  @Override
  public Optional<String> cookie(String name) {
    return cookies(name).stream().findFirst();
  }

  @Override
  public List<String> cookies(String name) {
    return RequestValues.read(() -> http.getCookies().getAll()).stream()
        .flatMap(all -> all.stream())
        .filter(each -> each.getName().equals(name))
        .map(Cookie::getValue)
        .toList();
  }

  @Override
  public CompletionStage<ReadBody> readBody(BodyReader reader) throws IOException {
    return body.read(reader);
  }

  @Override
  public Optional<ReadBody> content() {
    return Optional.ofNullable(body.content());
  }

  @Override
  public Optional<String> user() {
    return principal().flatMap(adapter.userNames()::name);
  }

  @Override
  public Optional<String> issuer() {
    return user().isPresent()
        ? principal().flatMap(each -> adapter.userNames().issuer(each))
        : Optional.empty();
  }

  private Optional<Principal> principal() {
    return http.getUserPrincipal();
  }

  /** Kept once known: a closed connection may have forgotten its address. */
  @Override
  public Optional<String> peer() {
    Optional<String> known = peer;
    if (known.isEmpty()) {
      known =
          adapter.findsPeer()
              ? adapter.peer(arrived).or(() -> ofConnection(arrived))
              : ofConnection(arrived);
      peer = known;
    }
    return known;
  }

  /** Returns the address of the connection; blank if it has none, such as a Unix-domain socket. */
  private static Optional<String> ofConnection(HttpRequest<?> http) {
    try {
      InetSocketAddress remote = http.getRemoteAddress();
      return Optional.of(
          remote.getAddress() == null
              ? remote.getHostString()
              : remote.getAddress().getHostAddress());
    } catch (ClassCastException ofAnotherKind) {
      return Optional.of("");
    } catch (RuntimeException unknown) {
      return Optional.empty();
    }
  }

  @Override
  public Optional<String> address() {
    return adapter.address(this);
  }
}

package io.weir.servlet;

import io.weir.adapter.Adapter;
import io.weir.adapter.RequestValues;
import io.weir.spi.RequestInfo;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a servlet request for policies, from the request object that the latest filter got: filters
 * before it, such as a sign-in, may have wrapped the original. The peer is the container's.
 */
final class ServletRequestInfo implements RequestInfo {
  private final Adapter adapter;
  private volatile FilterPass at;

  ServletRequestInfo(Adapter adapter, FilterPass at) {
    this.adapter = adapter;
    this.at = at;
  }

  /** Reads the request as a filter sees it from now on. */
  void readAt(FilterPass filter) {
    if (at != filter) {
      at = filter;
    }
  }

  @Override
  public String endpoint() {
    return at.target().path();
  }

  @Override
  public String mapping() {
    return at.target().mapping();
  }

  @Override
  public boolean mayBeLeftOut() {
    return ExceptedRequests.contain(request(), endpoint());
  }

  @Override
  public String method() {
    return request().getMethod();
  }

  @Override
  public String answeredMethod() {
    String method = method();
    return method.equals("HEAD") && !at.endpoint().answersHead() ? "GET" : method;
  }

  @Override
  public List<String> headers(String name) {
    return ServletPeer.headers(request(), name);
  }

  @Override
  public Optional<String> query(String name) {
    return Optional.ofNullable(request().getQueryString())
        .flatMap(query -> RawUri.find(query, name));
  }

  @Override
  public List<String> queries(String name) {
    @Nullable String query = request().getQueryString();
    return query == null ? List.of() : RawUri.findAll(query, name);
  }

  /** Servlets have no templates. */
  @Override
  public Optional<String> path(String name) {
    return Optional.empty();
  }

  @Override
  public Optional<String> cookie(String name) {
    return values(name).findFirst();
  }

  @Override
  public List<String> cookies(String name) {
    return values(name).toList();
  }

  private Stream<String> values(String cookieName) {
    return RequestValues.read(request()::getCookies).stream()
        .flatMap(Arrays::stream)
        .filter(cookie -> cookie.getName().equals(cookieName))
        .map(Cookie::getValue);
  }

  @Override
  public Optional<String> parameter(String name) {
    return Optional.empty();
  }

  @Override
  public Optional<String> user() {
    HttpServletRequest request = request();
    Principal principal = principal(request);
    return principal != null
        ? adapter.userNames().name(principal)
        : RequestValues.read(request::getRemoteUser);
  }

  @Override
  public Optional<String> issuer() {
    Principal principal = principal(request());
    return principal == null ? Optional.empty() : adapter.userNames().issuer(principal);
  }

  /** Returns null if it is missing or can't be read. No lambdas: rules read it for each request. */
  private static @Nullable Principal principal(HttpServletRequest request) {
    try {
      return request.getUserPrincipal();
    } catch (RuntimeException | LinkageError unreadable) {
      return null;
    }
  }

  @Override
  public Optional<String> peer() {
    return ServletPeer.address(request(), adapter);
  }

  @Override
  public Optional<String> address() {
    return adapter.address(this);
  }

  private HttpServletRequest request() {
    return at.request();
  }
}

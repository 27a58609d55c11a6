package io.weir.spring.web;

import io.weir.adapter.Adapter;
import io.weir.adapter.RequestValues;
import io.weir.servlet.ServletPeer;
import io.weir.spi.DecisionPhase;
import io.weir.spi.RequestInfo;
import io.weir.spring.UserName;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a request for policies, from the request object that its latest handler gets: filters such
 * as a sign-in may have wrapped the original. The peer is the container's.
 */
final class MvcRequestInfo implements RequestInfo {
  private final Adapter adapter;
  private volatile View view;

  /**
   * The request at one handler. Remembers the user once that was read: Spring Security knows the
   * user of a thread, and the end of a request may be in another one.
   */
  static final class View {
    private final HttpServletRequest request;
    private final HandlerMatch match;
    private @Nullable String user;

    /** Written after the user. */
    private volatile boolean isUserKnown;

    private View(HttpServletRequest request, HandlerMatch match) {
      this.request = request;
      this.match = match;
    }

    /** Reads the user, which may load the session. */
    private Optional<String> user() {
      if (!isUserKnown) {
        Optional<Principal> principal = RequestValues.read(request::getUserPrincipal);
        user =
            (principal.isPresent()
                    ? principal.flatMap(UserName::of)
                    : RequestValues.read(request::getRemoteUser))
                .orElse(null);
        isUserKnown = true;
      }
      return Optional.ofNullable(user);
    }
  }

  MvcRequestInfo(Adapter adapter, View view) {
    this.adapter = adapter;
    this.view = view;
  }

  /** Shows a request at a handler, and reads its user if the limits of the handler need it. */
  static View view(HttpServletRequest request, HandlerMatch match) {
    View view = new View(request, match);
    if (match.endpoint().decides(DecisionPhase.AFTER_AUTHENTICATION)) {
      view.user();
    }
    return view;
  }

  void show(View newView) {
    this.view = newView;
  }

  @Override
  public String endpoint() {
    return view.match.name();
  }

  @Override
  public boolean hasTemplate() {
    return view.match.hasTemplate();
  }

  @Override
  public String mapping() {
    return hasTemplate() ? endpoint() : "";
  }

  @Override
  public String method() {
    return view.request.getMethod();
  }

  @Override
  public String answeredMethod() {
    String method = method();
    return method.equals("HEAD") && !view.match.answersHead() ? "GET" : method;
  }

  @Override
  public List<String> headers(String name) {
    return ServletPeer.headers(view.request, name);
  }

  @Override
  public Optional<String> query(String name) {
    return Optional.ofNullable(view.request.getQueryString())
        .flatMap(query -> QueryParameters.find(query, name));
  }

  @Override
  public List<String> queries(String name) {
    @Nullable String query = view.request.getQueryString();
    return query == null ? List.of() : QueryParameters.findAll(query, name);
  }

  @Override
  public Optional<String> path(String name) {
    return Optional.ofNullable(view.match.variables().get(name));
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
    return RequestValues.read(view.request::getCookies).stream()
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
    return view.user();
  }

  @Override
  public Optional<String> peer() {
    return ServletPeer.address(view.request, adapter);
  }
}

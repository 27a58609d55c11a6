package io.weir.spring.web;

import io.weir.adapter.Adapter;
import io.weir.adapter.RequestValues;
import io.weir.servlet.ServletRequestInfo;
import io.weir.spi.DecisionPhase;
import io.weir.spi.UserNames;
import io.weir.spring.UserName;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UrlPathHelper;

/** Reads the request object that the latest handler gets. */
final class MvcRequestInfo extends ServletRequestInfo {
  private volatile View view;

  /**
   * The request at one handler, or on its way there. Remembers the user once that was read: Spring
   * Security knows the user of a thread, and the end of a request may be in another one. That there
   * is none is remembered at a handler alone, since a sign-in may follow before it.
   */
  static final class View {
    private final HttpServletRequest request;
    private final HandlerMatch match;
    private final boolean isAtHandler;
    private final Adapter adapter;
    private @Nullable String user;
    private @Nullable String issuer;

    /** Written after the user and its issuer. */
    private volatile boolean isUserKnown;

    private View(
        Adapter adapter, HttpServletRequest request, HandlerMatch match, boolean isAtHandler) {
      this.adapter = adapter;
      this.request = request;
      this.match = match;
      this.isAtHandler = isAtHandler;
    }

    private Optional<String> user() {
      readUser();
      return Optional.ofNullable(user);
    }

    private Optional<String> issuer() {
      readUser();
      return Optional.ofNullable(issuer);
    }

    /**
     * Reads the user, which may load the session. Asks Spring Security too, whose own request only
     * what comes behind it gets.
     */
    private void readUser() {
      if (isUserKnown) {
        return;
      }
      UserNames names = adapter.userNames();
      Optional<Principal> principal =
          RequestValues.<Principal>read(request::getUserPrincipal).or(UserName::principalOfThread);
      user =
          (principal.isPresent()
                  ? principal.flatMap(each -> UserName.of(each, names))
                  : RequestValues.read(request::getRemoteUser))
              .orElse(null);
      issuer = user == null ? null : principal.flatMap(names::issuer).orElse(null);
      isUserKnown = isAtHandler || user != null;
    }
  }

  MvcRequestInfo(Adapter adapter, View view) {
    super(adapter);
    this.view = view;
  }

  @Override
  protected HttpServletRequest request() {
    return view.request;
  }

  @Override
  protected String path() {
    return pathOf(request());
  }

  /** At a handler, Spring MVC has the request already, and an interceptor can't replace it. */
  @Override
  protected boolean wasPassedOn() {
    return view.isAtHandler;
  }

  /** Reads the decoded path of a request within the application, as Spring MVC matches it. */
  static String pathOf(HttpServletRequest request) {
    return path(request, MvcRequestInfo::undecodedPath);
  }

  /** Resolves no dot segments, as patterns of Spring MVC don't. */
  private static String undecodedPath(HttpServletRequest request) {
    return RequestValues.read(() -> UrlPathHelper.defaultInstance.getPathWithinApplication(request))
        .orElse("/");
  }

  /** Shows a request at a handler, and reads its user if the limits of the handler need it. */
  static View view(Adapter adapter, HttpServletRequest request, HandlerMatch match) {
    View view = new View(adapter, request, match, true);
    if (match.endpoint().decides(DecisionPhase.AFTER_AUTHENTICATION)) {
      view.user();
    }
    return view;
  }

  /**
   * Shows a request before its handler, to filters and servlets that call limited methods. Its user
   * is read when they need it.
   */
  static View onTheWay(Adapter adapter, HttpServletRequest request, HandlerMatch match) {
    return new View(adapter, request, match, false);
  }

  View view() {
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
  public String answeredMethod() {
    String method = method();
    return method.equals("HEAD") && !view.match.answersHead() ? "GET" : method;
  }

  @Override
  public Optional<String> path(String name) {
    return Optional.ofNullable(view.match.variables().get(name));
  }

  /** Before a handler nothing has been joined, and reading a form would take the body from it. */
  @Override
  public boolean isJoined(String text) {
    View now = view;
    return text.indexOf(',') >= 0
        && now.isAtHandler
        && JoinedValues.areIn(now.request, now.match.handlerMethod(), text);
  }

  @Override
  public Optional<String> user() {
    return view.user();
  }

  @Override
  public Optional<String> issuer() {
    return view.issuer();
  }
}

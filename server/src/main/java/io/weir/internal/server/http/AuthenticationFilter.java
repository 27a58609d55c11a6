package io.weir.internal.server.http;

import io.weir.internal.control.access.ServerOrigins;
import io.weir.internal.server.access.Authentication;
import io.weir.internal.server.access.CredentialVerifier;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates callers by a bearer token or by the cookie of a session. Rejects invalid tokens;
 * requests without one continue anonymously, and the endpoint decides. Those with one get 503 until
 * tokens have been read once. The console's files hold no data: nobody is authenticated there.
 *
 * <p>Safe for concurrent use.
 */
final class AuthenticationFilter implements Filter {
  private static final String BEARER = "Bearer ";
  private static final String GATEWAY_TOKEN = "X-Weir-Token";
  private static final String CONSOLE = "/v1/console";
  private static final String SESSION = "/v1/session";
  private static final String FORWARD = "/v1/ratelimit/forward";

  private final CredentialVerifier credentials;
  private final ServerOrigins site;
  private final BooleanSupplier isStopping;

  AuthenticationFilter(
      CredentialVerifier credentials, ServerOrigins site, BooleanSupplier isStopping) {
    this.credentials = credentials;
    this.site = site;
    this.isStopping = isStopping;
  }

  @Override
  public void doFilter(ServletRequest any, ServletResponse anyResponse, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest request = (HttpServletRequest) any;
    HttpServletResponse response = (HttpServletResponse) anyResponse;
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Cache-Control", "no-store");
    if (isStopping.getAsBoolean()) {
      response.setHeader("Connection", "close");
    }
    if (isOpenToAnyone(request.getRequestURI())) {
      chain.doFilter(request, response);
      return;
    }
    String authorization = authorization(request);
    Optional<Authentication> caller;
    Supplier<Optional<Authentication>> current;
    if (authorization != null) {
      String token = token(authorization);
      boolean mayBeUnread = credentials.mayBeUnread(token);
      caller = credentials.verifyToken(token);
      current = () -> credentials.verifyKnownToken(token);
      if (caller.isEmpty() && mayBeUnread) {
        unread(response);
        return;
      }
      if (caller.isEmpty()) {
        ProblemResponses.unauthorized(
            response,
            "Bearer realm=\"weir\", error=\"invalid_token\"",
            "The token is unknown or has expired.");
        return;
      }
    } else {
      Optional<String> cookie = SessionCookie.read(request);
      if (cookie.isPresent() && !site.hasHost(request.getHeader("Host"))) {
        ProblemResponses.forbidden(
            response, "With a cookie, Host must be loopback or one of weir.control.hosts.");
        return;
      }
      boolean mayBeUnread =
          cookie.isPresent() && credentials.mayBeUnreadSession() && !isSignOut(request);
      caller = cookie.flatMap(credentials::verifySession);
      if (caller.isEmpty() && mayBeUnread) {
        unread(response);
        return;
      }
      current = () -> cookie.flatMap(credentials::verifyKnownSession);
    }
    chain.doFilter(
        caller.isPresent()
            ? new AuthenticatedRequest(
                request, caller.get(), authorization == null ? null : BEARER.strip(), current)
            : request,
        response);
  }

  private static void unread(HttpServletResponse response) throws IOException {
    response.setHeader("Retry-After", "1");
    ProblemResponses.answer(
        response,
        HttpServletResponse.SC_SERVICE_UNAVAILABLE,
        "Service Unavailable",
        "The server hasn't been able to read the tokens since its start. Retry later.");
  }

  /** Returns whether a session ends, for which the browser's cookie is enough. */
  private static boolean isSignOut(HttpServletRequest request) {
    return request.getMethod().equals("DELETE") && request.getRequestURI().equals(SESSION);
  }

  /**
   * Returns whether a path needs no credentials, and so accepts wrong ones. Whatever else such a
   * path may lead to, the caller stays anonymous there.
   */
  private static boolean isOpenToAnyone(String path) {
    return path.equals("/") || path.equals(CONSOLE) || path.startsWith(CONSOLE + "/");
  }

  /** Returns the gateway's own token if it has one, since it passes on that of its client. */
  private static @Nullable String authorization(HttpServletRequest request) {
    String own = request.getHeader(GATEWAY_TOKEN);
    return own != null && request.getRequestURI().equals(FORWARD)
        ? BEARER + own
        : request.getHeader("Authorization");
  }

  /** Returns the token; an empty one, which is invalid, for another scheme. */
  private static String token(String authorization) {
    return authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
        ? authorization.substring(BEARER.length()).strip()
        : "";
  }
}

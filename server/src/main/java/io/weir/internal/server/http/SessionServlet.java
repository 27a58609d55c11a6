package io.weir.internal.server.http;

import io.weir.Decision;
import io.weir.Ticker;
import io.weir.internal.control.access.ExpectedCaller;
import io.weir.internal.control.access.ServerOrigins;
import io.weir.internal.control.http.Problem;
import io.weir.internal.server.access.Authentication;
import io.weir.internal.server.access.Role;
import io.weir.rules.access.Session;
import io.weir.rules.access.Sessions;
import io.weir.rules.problem.RulesUnavailableException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Serves {@code /v1/session}: {@code POST} with a bearer token opens a session, {@code GET} returns
 * the caller, {@code DELETE} ends the session (202 if other servers learn of it later). A session
 * lasts eight hours, and never longer than the token that opened it.
 *
 * <p>Safe for concurrent use.
 */
final class SessionServlet extends HttpServlet {
  private static final Duration SESSION_LENGTH = Duration.ofHours(8);
  private static final int TOO_MANY = 429;
  private static final String BEARER = "Bearer ";

  private static final String ENDS_LATER =
      "{\"detail\":\"The session has ended on this server. It will end on the others when the"
          + " database is available again, unless this server restarts before that.\"}";

  private final transient Sessions sessions;
  private final transient SessionRateLimit limit;
  private final transient ServerOrigins site;
  private final transient Ticker ticker;

  SessionServlet(Sessions sessions, SessionRateLimit limit, ServerOrigins site, Ticker ticker) {
    this.sessions = sessions;
    this.limit = limit;
    this.site = site;
    this.ticker = ticker;
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<Authentication> caller = AuthenticatedRequest.of(request);
    String authorization = request.getHeader("Authorization");
    if (caller.isEmpty() || authorization == null) {
      unauthenticated(response);
    } else if (!site.hasHost(request.getHeader("Host"))) {
      ProblemResponses.forbidden(response, "Host must be loopback or one of weir.control.hosts.");
    } else {
      signIn(caller.get(), authorization.substring(BEARER.length()).strip(), request, response);
    }
  }

  private void signIn(
      Authentication caller, String token, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<Decision> refusal = limit.refusalOf(caller);
    if (refusal.isPresent()) {
      tooMany(refusal.get(), response);
      return;
    }
    Instant now = ticker.instant();
    Instant end = now.plus(SESSION_LENGTH);
    Instant until = caller.validUntil().filter(end::isAfter).orElse(end);
    Session session =
        new Session(
            caller.identity().roles().stream().map(Role::text).collect(Collectors.toSet()),
            caller.identity().userId(),
            until);
    String secret;
    try {
      secret =
          caller.subject().isPresent()
              ? sessions.openBySubject(session, caller.subject().get())
              : sessions.openByToken(session, token);
    } catch (RulesUnavailableException away) {
      unavailable(response);
      return;
    } catch (IllegalArgumentException revokedJustNow) {
      unauthenticated(response);
      return;
    }
    long seconds = Math.max(0, Duration.between(now, until).toSeconds());
    response.setHeader("Set-Cookie", SessionCookie.write(secret, seconds, isSecure(request)));
    response.setStatus(HttpServletResponse.SC_NO_CONTENT);
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<Authentication> caller = AuthenticatedRequest.of(request);
    if (caller.isEmpty()) {
      unauthenticated(response);
    } else {
      ProblemResponses.json(
          response,
          HttpServletResponse.SC_OK,
          "application/json",
          AuthenticationDocument.json(caller.get()));
    }
  }

  @Override
  protected void doDelete(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<String> cookie = SessionCookie.read(request);
    if (cookie.isEmpty()) {
      unauthenticated(response);
    } else if (!isOwn(request)) {
      ProblemResponses.forbidden(
          response, "Signing out needs the console's own Origin and the header X-Weir: 1.");
    } else {
      Optional<Problem> other = otherCaller(request);
      if (other.isPresent()) {
        ProblemResponses.answer(response, other.get());
      } else {
        signOut(cookie.get(), request, response);
      }
    }
  }

  private static Optional<Problem> otherCaller(HttpServletRequest request) {
    return AuthenticatedRequest.of(request)
        .flatMap(caller -> ExpectedCaller.problem(request::getHeader, caller.name()));
  }

  /** Removes the cookie in any case: the person at the browser has signed out. */
  private void signOut(String secret, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setHeader("Set-Cookie", SessionCookie.write("", 0, isSecure(request)));
    try {
      if (sessions.end(secret)) {
        response.setStatus(HttpServletResponse.SC_NO_CONTENT);
      } else {
        ProblemResponses.json(
            response, HttpServletResponse.SC_ACCEPTED, "application/json", ENDS_LATER);
      }
    } catch (RulesUnavailableException away) {
      unavailable(response);
    }
  }

  private static void unauthenticated(HttpServletResponse response) throws IOException {
    ProblemResponses.unauthorized(response, "Bearer realm=\"weir\"", "Authentication is required.");
  }

  private static void tooMany(Decision decision, HttpServletResponse response) throws IOException {
    long seconds = decision.retryAfter().plusNanos(999_999_999).toSeconds();
    response.setHeader("Retry-After", Long.toString(Math.max(1, seconds)));
    ProblemResponses.answer(
        response,
        TOO_MANY,
        "Too Many Requests",
        "A user or token may open "
            + SessionRateLimit.MAX_PER_MINUTE
            + " sessions per minute. Retry after the time in Retry-After.");
  }

  private static void unavailable(HttpServletResponse response) throws IOException {
    ProblemResponses.answer(
        response,
        HttpServletResponse.SC_SERVICE_UNAVAILABLE,
        "Service Unavailable",
        "The database of the sessions is unavailable.");
  }

  /** Returns whether a page of the server has sent the request. */
  private boolean isOwn(HttpServletRequest request) {
    String origin = request.getHeader("Origin");
    return site.hasOrigin(origin, request.getScheme(), request.getHeader("Host"))
        && ServerOrigins.isMarked(request::getHeader);
  }

  private boolean isSecure(HttpServletRequest request) {
    return request.isSecure() || site.isSecure();
  }
}

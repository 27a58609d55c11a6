package io.weir.internal.server.http;

import io.weir.Decision;
import io.weir.internal.control.access.OwnSite;
import io.weir.internal.server.access.Role;
import io.weir.internal.server.access.SignedIn;
import io.weir.rules.problem.RulesUnavailableException;
import io.weir.rules.access.Session;
import io.weir.rules.access.Sessions;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * {@code /v1/session}: {@code POST} with a bearer token signs a page in, {@code GET} says who is
 * signed in, {@code DELETE} signs out. A session lasts eight hours, and never longer than what it
 * was made from.
 *
 * <p>Safe for concurrent use.
 */
final class SessionServlet extends HttpServlet {
  private static final Duration LENGTH = Duration.ofHours(8);
  private static final int TOO_MANY = 429;
  private static final String BEARER = "Bearer ";

  private final transient Sessions sessions;
  private final transient SessionLimit limit;
  private final transient OwnSite site;
  private final transient InstantSource clock;

  SessionServlet(Sessions sessions, SessionLimit limit, OwnSite site, InstantSource clock) {
    this.sessions = sessions;
    this.limit = limit;
    this.site = site;
    this.clock = clock;
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<SignedIn> who = SignedInRequest.of(request);
    String authorization = request.getHeader("Authorization");
    if (who.isEmpty() || authorization == null) {
      nobody(response);
    } else if (!site.hasHost(request.getHeader("Host"))) {
      Problems.forbidden(response, "Host must be loopback or one of weir.control.hosts.");
    } else {
      signIn(who.get(), authorization.substring(BEARER.length()).strip(), request, response);
    }
  }

  private void signIn(
      SignedIn who, String token, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<Decision> refusal = limit.refusalOf(who);
    if (refusal.isPresent()) {
      tooMany(refusal.get(), response);
      return;
    }
    Instant now = clock.instant();
    Instant end = now.plus(LENGTH);
    Instant until = who.validUntil().filter(end::isAfter).orElse(end);
    Session session =
        new Session(
            who.access().roles().stream().map(Role::text).collect(Collectors.toSet()),
            who.access().userId(),
            until);
    String secret;
    try {
      secret =
          who.subject().isPresent()
              ? sessions.openBySubject(session, who.subject().get())
              : sessions.openByToken(session, token);
    } catch (RulesUnavailableException away) {
      unavailable(response);
      return;
    } catch (IllegalArgumentException revokedJustNow) {
      nobody(response);
      return;
    }
    long seconds = Math.max(0, Duration.between(now, until).toSeconds());
    response.setHeader("Set-Cookie", SessionCookie.write(secret, seconds, isSecure(request)));
    response.setStatus(HttpServletResponse.SC_NO_CONTENT);
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<SignedIn> who = SignedInRequest.of(request);
    if (who.isEmpty()) {
      nobody(response);
    } else {
      Problems.json(
          response, HttpServletResponse.SC_OK, "application/json", WhoAmI.json(who.get()));
    }
  }

  @Override
  protected void doDelete(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<String> cookie = SessionCookie.read(request);
    if (cookie.isEmpty()) {
      nobody(response);
    } else if (!isOwn(request)) {
      Problems.forbidden(
          response, "Signing out needs the page's own Origin and the header X-Weir: 1.");
    } else {
      try {
        sessions.end(cookie.get());
      } catch (RulesUnavailableException away) {
        unavailable(response);
        return;
      }
      response.setHeader("Set-Cookie", SessionCookie.write("", 0, isSecure(request)));
      response.setStatus(HttpServletResponse.SC_NO_CONTENT);
    }
  }

  private static void nobody(HttpServletResponse response) throws IOException {
    Problems.unauthorized(response, "Bearer realm=\"weir\"", "Nobody is signed in.");
  }

  private static void tooMany(Decision decision, HttpServletResponse response) throws IOException {
    long seconds = decision.retryAfter().plusNanos(999_999_999).toSeconds();
    response.setHeader("Retry-After", Long.toString(Math.max(1, seconds)));
    Problems.answer(
        response,
        TOO_MANY,
        "Too Many Requests",
        "A user or token may open "
            + SessionLimit.MOST_A_MINUTE
            + " sessions per minute. Retry after the time in Retry-After.");
  }

  private static void unavailable(HttpServletResponse response) throws IOException {
    Problems.answer(
        response,
        HttpServletResponse.SC_SERVICE_UNAVAILABLE,
        "Service Unavailable",
        "The database with the sessions is away.");
  }

  /** Whether a page of the server has sent it. */
  private boolean isOwn(HttpServletRequest request) {
    String origin = request.getHeader("Origin");
    return site.hasOrigin(origin, request.getScheme(), request.getHeader("Host"))
        && OwnSite.isMarked(request::getHeader);
  }

  private boolean isSecure(HttpServletRequest request) {
    return request.isSecure() || site.isSecure();
  }
}

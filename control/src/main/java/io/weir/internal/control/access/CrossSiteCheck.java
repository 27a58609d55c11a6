package io.weir.internal.control.access;

import io.weir.internal.control.http.Problem;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.SecurityContext;
import java.util.Set;

/**
 * Rejects requests that another site makes a browser send. Browsers add cookies, Basic credentials
 * and client certificates by themselves, so these don't prove that a page of this server sent the
 * request; a {@code Bearer} token does. Without one, a change needs the {@code Origin} of this
 * server and a header that no form can send, and a request with a cookie needs a known {@code
 * Host}, against DNS rebinding.
 *
 * <p>Safe for concurrent use.
 */
final class CrossSiteCheck {
  private static final int FORBIDDEN = 403;
  private static final String SCHEME = "bearer";
  private static final String BEARER = SCHEME + " ";

  private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS");

  private final ServerOrigins own;

  CrossSiteCheck(ServerOrigins own) {
    this.own = own;
  }

  void check(ContainerRequestContext request) {
    if (bearsToken(request)) {
      return;
    }
    if (request.getHeaderString(HttpHeaders.COOKIE) != null) {
      checkHost(request);
    }
    if (!SAFE_METHODS.contains(request.getMethod())) {
      checkOrigin(request);
    }
  }

  /** Looks at how the caller signed in first: a gateway's token comes in a field of its own. */
  private static boolean bearsToken(ContainerRequestContext request) {
    SecurityContext caller = request.getSecurityContext();
    if (caller != null && SCHEME.equalsIgnoreCase(caller.getAuthenticationScheme())) {
      return true;
    }
    String authorization = request.getHeaderString(HttpHeaders.AUTHORIZATION);
    return authorization != null
        && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length());
  }

  private void checkHost(ContainerRequestContext request) {
    if (own.namesHosts() && !own.hasHost(request.getHeaderString(HttpHeaders.HOST))) {
      throw refused("A request with a cookie needs a Host that is listed in weir.control.hosts.");
    }
  }

  private void checkOrigin(ContainerRequestContext request) {
    String origin = request.getHeaderString("Origin");
    String scheme = request.getUriInfo().getBaseUri().getScheme();
    if (!own.hasOrigin(origin, scheme, request.getHeaderString(HttpHeaders.HOST))) {
      throw refused(
          "A change without a Bearer token needs the Origin of this server; see"
              + " weir.control.origin.");
    }
    if (!ServerOrigins.isMarked(request::getHeaderString)) {
      throw refused("A change without a Bearer token needs the header X-Weir: 1.");
    }
  }

  private static RuntimeException refused(String detail) {
    return Problem.of(FORBIDDEN, detail).exception();
  }
}

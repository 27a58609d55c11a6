package io.weir.internal.control.access;

import io.weir.internal.control.http.Problem;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.SecurityContext;
import java.util.Set;

/**
 * Refuses what another site has a browser send. What a browser adds by itself (a cookie, Basic, a
 * client certificate) proves nothing about who wrote the request; only a {@code Bearer} token does.
 * So without one, what changes something needs the {@code Origin} of the page itself and a header
 * that no form can send; and where there is a cookie the host must be a known one, or another
 * site's name could lead here.
 *
 * <p>Safe for concurrent use.
 */
final class CrossSiteCheck {
  private static final int FORBIDDEN = 403;
  private static final String SCHEME = "bearer";
  private static final String BEARER = SCHEME + " ";

  private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS");

  private final OwnSite own;

  CrossSiteCheck(OwnSite own) {
    this.own = own;
  }

  /** Refuses a request that another site may have made. */
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

  /** What counts is how the caller signed in: a gateway's token comes by a field of its own. */
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
      throw refused("With a cookie, Host must be one that weir.control.hosts names.");
    }
  }

  private void checkOrigin(ContainerRequestContext request) {
    String origin = request.getHeaderString("Origin");
    String scheme = request.getUriInfo().getBaseUri().getScheme();
    if (!own.hasOrigin(origin, scheme, request.getHeaderString(HttpHeaders.HOST))) {
      throw refused(
          "What changes something without a Bearer token needs the page's own Origin, see"
              + " weir.control.origin.");
    }
    if (!OwnSite.isMarked(request::getHeaderString)) {
      throw refused("What changes something without a Bearer token needs the header X-Weir: 1.");
    }
  }

  private static RuntimeException refused(String detail) {
    return Problem.of(FORBIDDEN, detail).exception();
  }
}

package io.weir.internal.control.access;

import io.weir.internal.control.ControlSettings;
import io.weir.internal.control.http.Problem;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what another site has a browser send. What a browser adds by itself (a cookie, Basic, a
 * client certificate) proves nothing about who wrote the request; only a {@code Bearer} token does.
 * So without one, what changes something needs the {@code Origin} of the page itself and a header
 * that no form can send; and where there is a cookie the host must be a known one, or another
 * site's name could lead here.
 *
 * <p>Safe for concurrent use.
 */
final class SameSite {
  private static final int FORBIDDEN = 403;
  private static final String BEARER = "bearer ";
  private static final String OWN_HEADER = "X-Weir";

  private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS");
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  private final UnaryOperator<String> settings;

  SameSite(UnaryOperator<String> settings) {
    this.settings = settings;
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

  private static boolean bearsToken(ContainerRequestContext request) {
    String authorization = request.getHeaderString(HttpHeaders.AUTHORIZATION);
    return authorization != null
        && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length());
  }

  private void checkHost(ContainerRequestContext request) {
    List<String> known = words(ControlSettings.HOSTS);
    if (known.isEmpty()) {
      return;
    }
    String host = hostName(request.getHeaderString(HttpHeaders.HOST));
    if (!LOOPBACK.contains(host) && !known.contains(host)) {
      throw refused("With a cookie, Host must be one that weir.control.hosts names.");
    }
  }

  private void checkOrigin(ContainerRequestContext request) {
    String origin = request.getHeaderString("Origin");
    if (origin == null || !owns(origin, request)) {
      throw refused(
          "What changes something without a Bearer token needs the page's own Origin, see"
              + " weir.control.origin.");
    }
    if (!"1".equals(request.getHeaderString(OWN_HEADER))) {
      throw refused("What changes something without a Bearer token needs the header X-Weir: 1.");
    }
  }

  private boolean owns(String origin, ContainerRequestContext request) {
    List<String> own = words(ControlSettings.ORIGIN);
    if (!own.isEmpty()) {
      return own.contains(origin.toLowerCase(Locale.ROOT));
    }
    String host = request.getHeaderString(HttpHeaders.HOST);
    URI base = request.getUriInfo().getBaseUri();
    return host != null && origin.equalsIgnoreCase(base.getScheme() + "://" + host);
  }

  private List<String> words(String setting) {
    String all = settings.apply(setting).toLowerCase(Locale.ROOT);
    return Arrays.stream(all.split(","))
        .map(String::strip)
        .filter(each -> !each.isEmpty())
        .toList();
  }

  /** Without the port, which begins after the bracket of an IPv6 address. */
  private static String hostName(@Nullable String host) {
    if (host == null) {
      return "";
    }
    int colon = host.indexOf(':', host.indexOf(']') + 1);
    return (colon < 0 ? host : host.substring(0, colon)).toLowerCase(Locale.ROOT);
  }

  private static RuntimeException refused(String detail) {
    return Problem.of(FORBIDDEN, detail).exception();
  }
}

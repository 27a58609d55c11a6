package io.weir.internal.server.http;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/**
 * The cookie with the secret of a session. Scripts can't read it, and other sites can't send it.
 */
final class SessionCookie {
  private static final String NAME = "weir-session";

  private SessionCookie() {}

  /** Returns the secret that a browser sends; empty if it sends none. */
  static Optional<String> read(HttpServletRequest request) {
    Cookie[] all = request.getCookies();
    if (all != null) {
      for (Cookie each : all) {
        if (each.getName().equals(NAME)) {
          return Optional.of(each.getValue());
        }
      }
    }
    return Optional.empty();
  }

  /** Returns the value of {@code Set-Cookie}; 0 seconds delete the cookie. */
  static String write(String secret, long seconds, boolean isSecure) {
    return NAME
        + "="
        + secret
        + "; Path=/; Max-Age="
        + seconds
        + "; HttpOnly; SameSite=Strict"
        + (isSecure ? "; Secure" : "");
  }
}

package io.weir.internal.server.http;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/**
 * The cookie that has the secret of a session. No script can read it, and no other site sends it.
 */
final class SessionCookie {
  private static final String NAME = "weir-session";

  private SessionCookie() {}

  /** The secret that a browser shows; nothing if it shows none. */
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

  /** The header field that brings it; with 0 seconds it takes it away. */
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

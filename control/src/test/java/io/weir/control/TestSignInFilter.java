package io.weir.control;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.security.Principal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Signs in as {@link TestSignIn} does, before a servlet. */
final class TestSignInFilter extends HttpFilter {
  @Serial private static final long serialVersionUID = 1;

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String said = said(request);
    if (said == null) {
      chain.doFilter(request, response);
      return;
    }
    String[] parts = said.split("/", 2);
    List<String> roles = parts.length < 2 ? List.of() : List.of(parts[1].split(","));
    chain.doFilter(
        new HttpServletRequestWrapper(request) {
          @Override
          public Principal getUserPrincipal() {
            return () -> parts[0];
          }

          @Override
          public boolean isUserInRole(String role) {
            return roles.contains(role);
          }
        },
        response);
  }

  private static @Nullable String said(HttpServletRequest request) {
    String authorization = request.getHeader("Authorization");
    if (authorization != null) {
      return authorization.substring(authorization.indexOf(' ') + 1);
    }
    Cookie[] cookies = request.getCookies();
    for (Cookie each : cookies == null ? new Cookie[0] : cookies) {
      if (each.getName().equals("who")) {
        return each.getValue();
      }
    }
    return null;
  }
}

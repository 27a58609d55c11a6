package io.weir.example.servlet;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.util.Optional;

/**
 * Signs in one of the {@link Accounts} by Basic authentication. With the parameter {@code required}
 * false, requests without one go on: everybody may have the files of the console, and the control
 * API itself refuses them elsewhere.
 */
public class SignInFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Optional<String> user =
        Accounts.user(request.getHeader("Authorization"), request.getServerName());
    if (user.isPresent()) {
      chain.doFilter(signedIn(request, user.get()), response);
    } else if ("false".equals(getInitParameter("required"))) {
      chain.doFilter(request, response);
    } else {
      response.setHeader("WWW-Authenticate", "Basic realm=\"example\"");
      response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
    }
  }

  private static HttpServletRequest signedIn(HttpServletRequest request, String user) {
    return new HttpServletRequestWrapper(request) {
      @Override
      public Principal getUserPrincipal() {
        return () -> user;
      }

      @Override
      public String getRemoteUser() {
        return user;
      }

      @Override
      public boolean isUserInRole(String role) {
        return Accounts.hasRole(user, role);
      }

      @Override
      public String getAuthType() {
        return BASIC_AUTH;
      }
    };
  }
}

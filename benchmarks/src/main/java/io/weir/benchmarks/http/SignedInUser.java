package io.weir.benchmarks.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;

/** Gives each request the same user, whatever its path, so that there is use to count. */
final class SignedInUser extends HttpFilter {
  private static final String NAME = "ann";
  private static final Principal PRINCIPAL = () -> NAME;

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    chain.doFilter(new SignedIn(request), response);
  }

  private static final class SignedIn extends HttpServletRequestWrapper {
    SignedIn(HttpServletRequest request) {
      super(request);
    }

    @Override
    public Principal getUserPrincipal() {
      return PRINCIPAL;
    }

    @Override
    public String getRemoteUser() {
      return NAME;
    }
  }
}

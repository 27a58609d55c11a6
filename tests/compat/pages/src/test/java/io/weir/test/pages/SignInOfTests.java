package io.weir.test.pages;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Base64;
import java.util.Map;
import java.util.Set;

/** Signs in by a token, or by Basic with the name as the password, as an application would. */
final class SignInOfTests extends HttpFilter {
  @Serial private static final long serialVersionUID = 1;

  private final transient Map<String, Set<String>> rolesByName;

  SignInOfTests(Map<String, Set<String>> rolesByName) {
    this.rolesByName = rolesByName;
  }

  /** Returns the token of somebody. */
  static String token(String name) {
    return "weir_" + name;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String name = name(request);
    chain.doFilter(name.isEmpty() ? request : new SignedIn(request, name), response);
  }

  private static String name(HttpServletRequest request) {
    String given = request.getHeader("Authorization");
    if (given == null) {
      return "";
    }
    String secret = given.substring(given.indexOf(' ') + 1);
    return given.startsWith("Basic ")
        ? new String(Base64.getDecoder().decode(secret), StandardCharsets.UTF_8).split(":")[0]
        : secret.substring("weir_".length());
  }

  private final class SignedIn extends HttpServletRequestWrapper {
    private final String name;

    SignedIn(HttpServletRequest request, String name) {
      super(request);
      this.name = name;
    }

    @Override
    public Principal getUserPrincipal() {
      return () -> name;
    }

    @Override
    public boolean isUserInRole(String role) {
      return rolesByName.getOrDefault(name, Set.of()).contains(role);
    }
  }
}

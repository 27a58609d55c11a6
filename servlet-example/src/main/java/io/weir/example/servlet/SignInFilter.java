package io.weir.example.servlet;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Signs in alice/alice and bob/bob by Basic authentication. */
public class SignInFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;
  private static final Set<String> ACCOUNTS = Set.of("alice:alice", "bob:bob");

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Optional<String> account =
        credentials(request.getHeader("Authorization")).filter(ACCOUNTS::contains);
    if (account.isPresent()) {
      String user = account.get().substring(0, account.get().indexOf(':'));
      chain.doFilter(signedIn(request, user), response);
    } else {
      response.setHeader("WWW-Authenticate", "Basic realm=\"example\"");
      response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
    }
  }

  private static Optional<String> credentials(@Nullable String header) {
    if (header == null || !header.regionMatches(true, 0, "Basic ", 0, 6)) {
      return Optional.empty();
    }
    try {
      byte[] decoded = Base64.getDecoder().decode(header.substring(6).trim());
      return Optional.of(new String(decoded, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
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
    };
  }
}

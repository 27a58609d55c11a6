package io.weir.example.jersey;

import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Signs in alice/alice and bob/bob by Basic authentication. */
@RequiresSignIn
@Priority(Priorities.AUTHENTICATION)
public class SignInFilter implements ContainerRequestFilter {
  private static final Set<String> ACCOUNTS = Set.of("alice:alice", "bob:bob");

  @Override
  public void filter(ContainerRequestContext request) {
    Optional<String> account =
        credentials(request.getHeaderString(HttpHeaders.AUTHORIZATION)).filter(ACCOUNTS::contains);
    account.ifPresentOrElse(
        known -> signIn(request, known.substring(0, known.indexOf(':'))),
        () ->
            request.abortWith(
                Response.status(Response.Status.UNAUTHORIZED)
                    .header(HttpHeaders.WWW_AUTHENTICATE, "Basic realm=\"example\"")
                    .build()));
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

  private static void signIn(ContainerRequestContext request, String user) {
    SecurityContext before = request.getSecurityContext();
    request.setSecurityContext(
        new SecurityContext() {
          @Override
          public Principal getUserPrincipal() {
            return () -> user;
          }

          @Override
          public boolean isUserInRole(String role) {
            return false;
          }

          @Override
          public boolean isSecure() {
            return before.isSecure();
          }

          @Override
          public String getAuthenticationScheme() {
            return SecurityContext.BASIC_AUTH;
          }
        });
  }
}

package io.weir.control;

import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Signs in every caller under the name and roles that it sends: {@code Bearer NAME/ROLE,ROLE}, or a
 * cookie {@code who} of the same form.
 */
@Priority(Priorities.AUTHENTICATION)
final class TestSignIn implements ContainerRequestFilter {
  @Override
  public void filter(ContainerRequestContext request) {
    String said = said(request);
    if (said != null) {
      String[] parts = said.split("/", 2);
      List<String> roles = parts.length < 2 ? List.of() : List.of(parts[1].split(","));
      request.setSecurityContext(new Somebody(parts[0], roles));
    }
  }

  private static @Nullable String said(ContainerRequestContext request) {
    String authorization = request.getHeaderString("Authorization");
    if (authorization != null) {
      return authorization.substring(authorization.indexOf(' ') + 1);
    }
    return request.getCookies().containsKey("who")
        ? request.getCookies().get("who").getValue()
        : null;
  }

  private record Somebody(String name, List<String> roles) implements SecurityContext {
    @Override
    public Principal getUserPrincipal() {
      return () -> name;
    }

    @Override
    public boolean isUserInRole(String role) {
      return roles.contains(role);
    }

    @Override
    public boolean isSecure() {
      return false;
    }

    @Override
    public String getAuthenticationScheme() {
      return "test";
    }
  }
}

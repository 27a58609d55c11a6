package io.weir.compat.stack;

import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Provider;
import java.security.Principal;

/** Signs in the user that {@code X-User} names. */
@Provider
@Priority(Priorities.AUTHENTICATION)
public class CheckedSignIn implements ContainerRequestFilter {
  /** For the implementation. */
  public CheckedSignIn() {}

  @Override
  public void filter(ContainerRequestContext context) {
    String name = context.getHeaderString("X-User");
    if (name != null) {
      context.setSecurityContext(new SignedIn(name));
    }
  }

  private record SignedIn(String name) implements SecurityContext {
    @Override
    public Principal getUserPrincipal() {
      return this::name;
    }

    @Override
    public boolean isUserInRole(String role) {
      return false;
    }

    @Override
    public boolean isSecure() {
      return false;
    }

    @Override
    public String getAuthenticationScheme() {
      return "checks";
    }
  }
}

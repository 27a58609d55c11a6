package io.weir.quarkus.deployment;

import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Provider;
import java.security.Principal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Signs in the user that {@code X-User} names, as a request filter of the application would. */
@Provider
@Priority(Priorities.AUTHENTICATION)
public class SignIn implements ContainerRequestFilter {
  @Override
  public void filter(ContainerRequestContext context) {
    as(context.getHeaderString("X-User"), context);
    if (context.getHeaderString("X-Broken-User") != null) {
      context.setSecurityContext(new SignedIn(null));
    }
  }

  static void as(@Nullable String name, ContainerRequestContext context) {
    if (name != null) {
      context.setSecurityContext(new SignedIn(name));
    }
  }

  /** Fails to find the user without a name. */
  private record SignedIn(@Nullable String name) implements SecurityContext {
    @Override
    public Principal getUserPrincipal() {
      String known = Objects.requireNonNull(name);
      return () -> known;
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
      return "tests";
    }
  }
}

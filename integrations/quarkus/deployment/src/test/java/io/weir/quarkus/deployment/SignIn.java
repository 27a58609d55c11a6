package io.weir.quarkus.deployment;

import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Provider;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/** Signs in the user that {@code X-User} names, as a request filter of the application would. */
@Provider
@Priority(Priorities.AUTHENTICATION)
public class SignIn implements ContainerRequestFilter {
  @Override
  public void filter(ContainerRequestContext context) {
    as(context.getHeaderString("X-User"), context);
  }

  static void as(@Nullable String name, ContainerRequestContext context) {
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
      return "tests";
    }
  }
}

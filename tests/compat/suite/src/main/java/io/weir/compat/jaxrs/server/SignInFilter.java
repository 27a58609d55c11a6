package io.weir.compat.jaxrs.server;

import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;
import java.util.concurrent.atomic.AtomicInteger;

/** The sign-in of an application, by the header field User. Safe for concurrent use. */
@Priority(Priorities.AUTHENTICATION)
public class SignInFilter implements ContainerRequestFilter {
  /** Signs in before a resource is matched. */
  @PreMatching
  @Priority(Priorities.AUTHENTICATION)
  public static final class Early extends SignInFilter {}

  private final AtomicInteger tried = new AtomicInteger();

  /** Returns the number of sign-ins that were tried with this filter. */
  public int tried() {
    return tried.get();
  }

  @Override
  public void filter(ContainerRequestContext context) {
    tried.incrementAndGet();
    String name = context.getHeaderString("User");
    if ("nobody".equals(name)) {
      context.abortWith(Response.status(401).build());
    } else if (name != null) {
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
      return "test";
    }
  }
}

package io.weir.example.jersey;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;
import java.util.Optional;

/** The user of a request, and the roles that it has. */
record SignedInCaller(String user, boolean isSecure) implements SecurityContext {
  /** Signs in the user whose name and password the request carries; false if there is none. */
  static boolean signIn(ContainerRequestContext request) {
    Optional<String> user =
        Accounts.user(
            request.getHeaderString(HttpHeaders.AUTHORIZATION),
            request.getUriInfo().getBaseUri().getHost());
    boolean isSecure = request.getSecurityContext().isSecure();
    user.ifPresent(known -> request.setSecurityContext(new SignedInCaller(known, isSecure)));
    return user.isPresent();
  }

  @Override
  public Principal getUserPrincipal() {
    return () -> user;
  }

  @Override
  public boolean isUserInRole(String role) {
    return Accounts.hasRole(user, role);
  }

  @Override
  public String getAuthenticationScheme() {
    return SecurityContext.BASIC_AUTH;
  }
}

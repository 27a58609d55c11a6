package io.weir.internal.control.access;

import io.weir.internal.control.http.Problem;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.OpenTo;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.SecurityContext;
import java.util.Optional;

/**
 * Lets in to one resource method who may use it, after the application has found out who asks.
 * Immutable.
 *
 * @param opened whom the method is for; nothing if it says nothing, which closes it
 * @param roles what the application calls the roles
 * @param sameSite refuses what another site may have made
 */
record AccessFilter(Optional<OpenTo> opened, RoleNames roles, SameSite sameSite)
    implements ContainerRequestFilter {
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;

  @Override
  public void filter(ContainerRequestContext request) {
    SecurityContext caller = request.getSecurityContext();
    if (!mayUse(request, caller)) {
      boolean isKnown = caller != null && caller.getUserPrincipal() != null;
      throw (isKnown
              ? Problem.of(FORBIDDEN, "This isn't open to who is signed in.")
              : Problem.of(UNAUTHORIZED, "Nobody is signed in."))
          .exception();
    }
    sameSite.check(request);
  }

  private boolean mayUse(ContainerRequestContext request, SecurityContext caller) {
    return caller != null
        && opened.isPresent()
        && (hasRole(opened.get(), caller) || isSelf(opened.get(), request, caller));
  }

  private boolean hasRole(OpenTo opened, SecurityContext caller) {
    for (ControlRole each : opened.value()) {
      if (roles.opens(each, caller)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isSelf(
      OpenTo opened, ContainerRequestContext request, SecurityContext caller) {
    String name = Callers.name(caller);
    return !opened.self().isEmpty()
        && !name.isEmpty()
        && name.equals(request.getUriInfo().getPathParameters().getFirst(opened.self()));
  }
}

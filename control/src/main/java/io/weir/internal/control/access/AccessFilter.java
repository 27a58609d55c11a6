package io.weir.internal.control.access;

import io.weir.internal.control.http.Problem;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.rules.database.StorableText;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.UriInfo;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
    UriInfo asked = request.getUriInfo();
    checkTexts(asked.getPathParameters());
    checkTexts(asked.getQueryParameters());
  }

  /** No database compares what has this character. */
  private static void checkTexts(MultivaluedMap<String, String> parameters) {
    parameters.forEach(
        (name, values) -> {
          if (!values.stream().allMatch(StorableText::is)) {
            throw new InvalidFieldException(name, StorableText.RULE);
          }
        });
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

  /** A token of a program may have the name of a user, and isn't one where users have a role. */
  private boolean isSelf(OpenTo opened, ContainerRequestContext request, SecurityContext caller) {
    return !opened.self().isEmpty()
        && roles.opens(ControlRole.USER, caller)
        && Callers.name(caller).equals(named(opened.self(), request.getUriInfo()));
  }

  /** Whom the resource method is asked about: by its path where that has the name. */
  private static @Nullable String named(String parameter, UriInfo asked) {
    return asked.getPathParameters().containsKey(parameter)
        ? asked.getPathParameters().getFirst(parameter)
        : asked.getQueryParameters().getFirst(parameter);
  }
}

package io.weir.internal.control.access;

import io.weir.internal.control.http.ParameterReader;
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
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Restricts one resource method to its roles, after the application has authenticated the caller.
 * Immutable.
 */
final class AccessFilter implements ContainerRequestFilter {
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final List<String> DRY_RUN = List.of("true");

  private final Optional<OpenTo> opened;
  private final RoleCheck roles;
  private final CrossSiteCheck crossSite;

  /** Allows no caller if {@code opened} is empty, since the method names no roles. */
  AccessFilter(Optional<OpenTo> opened, RoleCheck roles, CrossSiteCheck crossSite) {
    this.opened = opened;
    this.roles = roles;
    this.crossSite = crossSite;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    SecurityContext caller = request.getSecurityContext();
    if (!isOpenToAnyone()) {
      checkExpected(request, caller);
    }
    if (!mayUse(request, caller)) {
      boolean isKnown = caller != null && caller.getUserPrincipal() != null;
      throw (isKnown
              ? Problem.of(FORBIDDEN, "You aren't allowed to do this.")
              : Problem.of(UNAUTHORIZED, "Authentication is required."))
          .exception();
    }
    if (isOpenToAnyone()) {
      return;
    }
    crossSite.check(request);
    UriInfo asked = request.getUriInfo();
    checkTexts(asked.getPathParameters());
    checkTexts(asked.getQueryParameters());
  }

  /** Comes before the roles: whoever else has signed in may have fewer. */
  private static void checkExpected(ContainerRequestContext request, SecurityContext caller) {
    if (caller != null && caller.getUserPrincipal() != null) {
      ExpectedCaller.problem(request::getHeaderString, CallerName.of(caller))
          .ifPresent(
              problem -> {
                throw problem.exception();
              });
    }
  }

  /** Rejects characters that databases can't compare. */
  private static void checkTexts(MultivaluedMap<String, String> parameters) {
    parameters.forEach(
        (name, values) -> {
          if (!values.stream().allMatch(StorableText::is)) {
            throw new InvalidFieldException(name, StorableText.RULE);
          }
        });
  }

  private boolean isOpenToAnyone() {
    return opened.isPresent() && List.of(opened.get().value()).contains(ControlRole.ANYONE);
  }

  private boolean mayUse(ContainerRequestContext request, SecurityContext caller) {
    return caller != null
        && opened.isPresent()
        && (hasRole(opened.get().value(), caller)
            || isDryRun(request.getUriInfo()) && hasRole(opened.get().dryRun(), caller)
            || isSelf(opened.get(), request, caller));
  }

  /** A parameter that is repeated may mean something else to the method. */
  private static boolean isDryRun(UriInfo asked) {
    return DRY_RUN.equals(asked.getQueryParameters().get(ParameterReader.DRY_RUN));
  }

  private boolean hasRole(ControlRole[] needed, SecurityContext caller) {
    for (ControlRole each : needed) {
      if (roles.hasRole(each, caller)) {
        return true;
      }
    }
    return false;
  }

  /** If users have a role, a program's token with the name of a user isn't that user. */
  private boolean isSelf(OpenTo opened, ContainerRequestContext request, SecurityContext caller) {
    return !opened.self().isEmpty()
        && roles.hasRole(ControlRole.USER, caller)
        && CallerName.of(caller).equals(named(opened.self(), request.getUriInfo()));
  }

  /** Reads the user that the request is about: from the path, or else from the query. */
  private static @Nullable String named(String parameter, UriInfo asked) {
    return asked.getPathParameters().containsKey(parameter)
        ? asked.getPathParameters().getFirst(parameter)
        : asked.getQueryParameters().getFirst(parameter);
  }
}

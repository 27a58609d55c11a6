package io.weir.example.jersey;

import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;

/**
 * Signs in callers of the control API that send a name and a password. All others go on, since
 * everybody may have the files of the console; the API itself refuses them elsewhere.
 */
@Priority(Priorities.AUTHENTICATION)
public class ControlSignInFilter implements ContainerRequestFilter {
  @Override
  public void filter(ContainerRequestContext request) {
    if (request.getUriInfo().getPath().startsWith("v1/")) {
      SignedInCaller.signIn(request);
    }
  }
}

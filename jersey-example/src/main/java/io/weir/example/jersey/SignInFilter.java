package io.weir.example.jersey;

import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

/** Requires one of the {@link Accounts}, by Basic authentication. */
@RequiresSignIn
@Priority(Priorities.AUTHENTICATION)
public class SignInFilter implements ContainerRequestFilter {
  @Override
  public void filter(ContainerRequestContext request) {
    if (!SignedInCaller.signIn(request)) {
      request.abortWith(
          Response.status(Response.Status.UNAUTHORIZED)
              .header(HttpHeaders.WWW_AUTHENTICATE, "Basic realm=\"example\"")
              .build());
    }
  }
}

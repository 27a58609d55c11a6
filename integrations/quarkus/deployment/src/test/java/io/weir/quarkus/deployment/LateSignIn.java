package io.weir.quarkus.deployment;

import jakarta.ws.rs.container.ContainerRequestContext;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.WithFormRead;

/** Signs a user in after the form was read, and so after Weir's last filter. */
public class LateSignIn {
  @ServerRequestFilter
  @WithFormRead
  public void signIn(ContainerRequestContext context) {
    SignIn.as(context.getHeaderString("X-Late-User"), context);
  }
}

package io.weir.example.jersey;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.net.URI;

/** Makes a browser ask for name and password, which it then sends with all requests. */
@Path("/sign-in")
public class SignInResource {
  @GET
  @RequiresSignIn
  public Response signIn() {
    return Response.seeOther(URI.create("v1/console/")).build();
  }
}

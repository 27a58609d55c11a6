package io.weir.quarkus.deployment;

import io.weir.annotation.RateLimit;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** A resource whose source the test of dev mode changes. */
@Path("/changing")
public class Changing {
  @GET
  @RateLimit(limit = 1, window = 60)
  public String get() {
    return "any";
  }

  @GET
  @Path("/set")
  public String set() {
    return "set";
  }
}

package org.example.bakery;

import io.smallrye.mutiny.Uni;
import io.weir.annotation.RateLimit;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.time.temporal.ChronoUnit;

/** Bakes three loaves an hour for each address. */
@Path("/")
public class LoafResource {
  @Inject Oven oven;

  @GET
  @Path("loaves")
  @RateLimit(limit = 3, window = 1, unit = ChronoUnit.HOURS)
  public Uni<String> loaf() {
    return Uni.createFrom().item("rye");
  }

  @GET
  @Path("cakes")
  public String cake() {
    return oven.bake();
  }
}

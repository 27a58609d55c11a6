package io.weir.example.jersey;

import io.weir.annotation.Mode;
import io.weir.annotation.RateLimit;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A limit that follows the load of the node, and an endpoint that sets a simulated load. */
@Path("/api/feed")
@Produces(MediaType.APPLICATION_JSON)
public class FeedResource {
  private final PretendedLoad load;

  FeedResource(PretendedLoad load) {
    this.load = load;
  }

  @GET
  @RateLimit(limit = 10, window = 10, mode = Mode.ELASTIC, exceedBy = 100, name = "feed")
  public String feed(@Context ContainerRequestContext request) {
    return JsonAnswers.from("feed", request);
  }

  @POST
  @Path("load")
  public String load(@QueryParam("percent") @Nullable String percent) {
    load.simulate(Optional.ofNullable(percent).filter(text -> !text.isBlank()).map(this::parse));
    return JsonAnswers.from("feed/load");
  }

  private int parse(String percent) {
    if (!percent.matches("\\d{1,2}|100")) {
      throw JsonAnswers.badRequest("percent must be a whole number from 0 to 100");
    }
    return Integer.parseInt(percent);
  }
}

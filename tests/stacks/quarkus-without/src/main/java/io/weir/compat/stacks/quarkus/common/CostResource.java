package io.weir.compat.stacks.quarkus.common;

import io.weir.annotation.RateLimit;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.temporal.ChronoUnit;

/** Answers as little as a resource can. Runs without Weir too: Java skips missing annotations. */
@Path("/cost")
@Produces(MediaType.TEXT_PLAIN)
public class CostResource {
  private static final String ANSWER = "hello, world";

  @GET
  @Path("/free")
  public String free() {
    return ANSWER;
  }

  /** Never refused. */
  @GET
  @Path("/admitted")
  @RateLimit(limit = 1_000_000_000, window = 1, unit = ChronoUnit.MINUTES)
  public String admitted() {
    return ANSWER;
  }

  /** Refused, all but the first request. */
  @GET
  @Path("/refused")
  @RateLimit(limit = 1, window = 1, unit = ChronoUnit.DAYS)
  public String refused() {
    return ANSWER;
  }
}

package io.weir.example.jersey;

import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.Mode;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.time.temporal.ChronoUnit;

/** Endpoints that show one kind of limit each. */
@Path("/api")
@Produces(MediaType.APPLICATION_JSON)
public class LimitResource {
  @GET
  @Path("hello")
  @RateLimit(limit = 10, window = 10, name = "hello")
  public String hello() {
    return JsonAnswers.from("hello");
  }

  /** Up to 12 requests per 10 s; the last two are marked SOFT. */
  @GET
  @Path("search")
  @RateLimit(limit = 10, window = 10, mode = Mode.SOFT, exceedBy = 20, name = "search")
  public String search(@Context ContainerRequestContext request) {
    return JsonAnswers.from("search", request);
  }

  @GET
  @Path("items")
  @RateLimit(
      limit = 10,
      window = 1,
      unit = ChronoUnit.MINUTES,
      by = By.KEY,
      key = "header:X-Api-Key",
      tiers = @Tier(name = "premium", limit = 1000),
      name = "items-key")
  @RateLimit(limit = 2000, window = 1, unit = ChronoUnit.MINUTES, name = "items-ip")
  public String items() {
    return JsonAnswers.from("items");
  }

  /** Four requests per calendar month in Berlin: each takes 5 of 20 permits. */
  @GET
  @Path("report")
  @RateLimit(
      limit = 20,
      window = 1,
      unit = ChronoUnit.MONTHS,
      zone = "Europe/Berlin",
      cost = 5,
      name = "report")
  public String report() {
    return JsonAnswers.from("report");
  }

  /** Purchases of up to 200 in total, of which 50 are refilled each day. */
  @POST
  @Path("buy")
  @RateLimit(
      limit = 200,
      refill = 50,
      window = 1,
      unit = ChronoUnit.DAYS,
      algorithm = Algorithm.TOKEN_BUCKET,
      costFrom = "query:amount",
      name = "buy")
  public String buy() {
    return JsonAnswers.from("buy");
  }

  /** All or nothing: if one limit refuses a request, the other doesn't count it. */
  @GET
  @Path("stacked")
  @RateLimit(limit = 10, window = 1, unit = ChronoUnit.MINUTES, name = "stacked-minute")
  @RateLimit(limit = 500, window = 1, unit = ChronoUnit.HOURS, name = "stacked-hour")
  public String stacked() {
    return JsonAnswers.from("stacked");
  }

  /** 100 requests per minute for all callers together. */
  @GET
  @Path("exact")
  @RateLimit(
      limit = 100,
      window = 1,
      unit = ChronoUnit.MINUTES,
      by = By.ENDPOINT,
      algorithm = Algorithm.FIXED_WINDOW,
      name = "exact")
  public String exact() {
    return JsonAnswers.from("exact");
  }

  /** A limit that is hardly ever reached, to measure the cost of counting. */
  @GET
  @Path("hot")
  @RateLimit(limit = 1_000_000, window = 1, unit = ChronoUnit.MINUTES, name = "hot")
  public String hot() {
    return JsonAnswers.from("hot");
  }

  /** A cluster may admit 50 more per minute, so that requests don't wait for its store. */
  @GET
  @Path("ahead")
  @RateLimit(limit = 1000, window = 1, unit = ChronoUnit.MINUTES, overshoot = 5, name = "ahead")
  public String ahead() {
    return JsonAnswers.from("ahead");
  }

  @GET
  @Path("bucket")
  @RateLimit(
      limit = 60,
      window = 1,
      unit = ChronoUnit.MINUTES,
      algorithm = Algorithm.TOKEN_BUCKET,
      burst = 20,
      name = "bucket")
  public String bucket() {
    return JsonAnswers.from("bucket");
  }

  /** Fails on purpose. {@link BrokenMapper} makes the response, which has the headers, too. */
  @GET
  @Path("broken")
  @RateLimit(limit = 10, window = 10, name = "broken")
  public String broken() {
    throw new BrokenException();
  }

  /** Has no annotation: its limits are rules in a database, by the caller's plan. */
  @GET
  @Path("plan")
  public String plan() {
    return JsonAnswers.from("plan");
  }

  @GET
  @Path("free")
  public String free() {
    return JsonAnswers.from("free");
  }
}

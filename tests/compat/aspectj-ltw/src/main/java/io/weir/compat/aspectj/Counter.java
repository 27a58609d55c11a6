package io.weir.compat.aspectj;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.glassfish.jersey.server.ManagedAsync;

/** A woven JAX-RS resource. */
@Path("/")
@RateLimit(limit = 2, window = 60, by = By.ENDPOINT)
public class Counter {
  private final Sms sms = new Sms();

  @GET
  @Path("once")
  @RateLimit(limit = 2, window = 60, by = By.ENDPOINT)
  public String once() {
    return "once";
  }

  @GET
  @Path("managed")
  @ManagedAsync
  @RateLimit(limit = 2, window = 60, by = By.IP)
  public String managed() {
    return "managed";
  }

  @GET
  @Path("again")
  @RateLimit(limit = 2, window = 60, by = By.ENDPOINT)
  public String again(@QueryParam("more") int more) {
    return more == 0 ? "again" : again(more - 1);
  }

  @GET
  @Path("sms")
  @RateLimit(limit = 100, window = 60, by = By.ENDPOINT)
  public String sms(@QueryParam("digits") int digits) {
    return sms.send("1".repeat(digits), "text");
  }

  @GET
  @Path("stage")
  @RateLimit(limit = 100, window = 60, by = By.ENDPOINT)
  public CompletionStage<String> stage() {
    return CompletableFuture.supplyAsync(() -> sms.send("1", "text"));
  }

  @GET
  @Path("wrapped")
  @RateLimit(limit = 100, window = 60, by = By.ENDPOINT)
  public String wrapped() {
    return stage().toCompletableFuture().join();
  }

  @GET
  @Path("shared")
  public String shared() {
    return helper() + helper() + helper();
  }

  /** Public, but no endpoint. */
  public String helper() {
    return "h";
  }
}

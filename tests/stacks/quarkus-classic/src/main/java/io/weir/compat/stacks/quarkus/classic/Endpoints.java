package io.weir.compat.stacks.quarkus.classic;

import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** The endpoints of the checks, as an application with RESTEasy Classic would write them. */
@Path("/")
public class Endpoints {
  @GET
  @Path("ip")
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "ip")
  public String ip() {
    return "ip";
  }

  @GET
  @Path("user")
  @RateLimit(limit = 3, window = 60, by = By.USER, name = "user")
  public String user() {
    return "user";
  }

  @GET
  @Path("key")
  @RateLimit(limit = 3, window = 60, by = By.KEY, key = "header:X-Api-Key", name = "key")
  public String key() {
    return "key";
  }

  @GET
  @Path("async")
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "async")
  public CompletionStage<String> async() {
    return later("async");
  }

  @GET
  @Path("mapped")
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "mapped")
  public String mapped() {
    throw new ExpectedException();
  }

  @GET
  @Path("failures")
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "failures")
  public String failures(@QueryParam("status") int status) {
    if (status == 422) {
      throw new UnprocessableException();
    }
    return "fine";
  }

  @GET
  @Path("failures-async")
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "failures-async")
  public CompletionStage<String> failuresAsync(@QueryParam("status") int status) {
    return later("fine")
        .thenApply(
            fine -> {
              if (status == 422) {
                throw new UnprocessableException();
              }
              return fine;
            });
  }

  @GET
  @Path("unmapped")
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "unmapped")
  public String unmapped() {
    throw new IllegalStateException("on purpose");
  }

  @GET
  @Path("unmapped-success")
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.SUCCESSES, name = "unmapped-success")
  public String unmappedSuccess() {
    throw new IllegalStateException("on purpose");
  }

  @GET
  @Path("free")
  public String free() {
    return "free";
  }

  @GET
  @Path("items/{id}")
  public String item(@PathParam("id") String id) {
    return id;
  }

  private static CompletionStage<String> later(String answer) {
    return CompletableFuture.supplyAsync(
        () -> answer, CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS));
  }
}

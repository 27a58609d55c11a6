package io.weir.compat.jaxrs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.compat.CompletedRequests;
import io.weir.compat.jaxrs.server.Api;
import io.weir.compat.jaxrs.server.Await;
import io.weir.compat.jaxrs.server.SignInFilter;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests that a policy source is notified of each request once, in whatever way it ends. */
interface CompletedTests extends Serving {
  @Path("ends")
  class Ends {
    @GET
    @Path("both/{id: [0-9]+}")
    @RateLimit(limit = 2, window = 60, name = "early")
    @RateLimit(limit = 100, window = 60, by = By.USER, name = "late")
    public String both() {
      return "fine";
    }

    @GET
    @Path("empty")
    @RateLimit(limit = 100, window = 60, name = "empty")
    public void empty() {}

    @GET
    @Path("status")
    @RateLimit(limit = 100, window = 60, name = "status")
    public String status() {
      throw new WebApplicationException(404);
    }

    @GET
    @Path("unmapped")
    @RateLimit(limit = 100, window = 60, name = "unmapped")
    public String unmapped() {
      throw new UnsupportedOperationException("no mapper maps this");
    }

    @GET
    @Path("stage")
    @RateLimit(limit = 100, window = 60, name = "stage")
    public CompletionStage<String> stage() {
      return CompletableFuture.supplyAsync(() -> "fine");
    }

    @GET
    @Path("suspended")
    @RateLimit(limit = 100, window = 60, name = "suspended")
    public void suspended(@Suspended AsyncResponse response) {
      new Thread(() -> response.resume("fine")).start();
    }

    @GET
    @Path("late")
    @RateLimit(limit = 100, window = 60, name = "never")
    public void late(@Suspended AsyncResponse response) {
      response.setTimeout(1, TimeUnit.MILLISECONDS);
    }

    @GET
    @Path("free")
    public String free() {
      return "fine";
    }
  }

  @Test
  default void aPolicySourceIsToldOnceHowEachRequestEnded() throws Exception {
    CompletedRequests completed = new CompletedRequests();
    Api api =
        serving(Ends.class, SignInFilter.class)
            .weir(parts -> parts.policySource(completed))
            .start();
    List<String> expected = new ArrayList<>();
    for (String outcome : List.of("admitted early late", "admitted early late", "refused early")) {
      // A request refused before the sign-in has no user yet.
      String user = outcome.startsWith("refused") ? "nobody" : "alice";
      expected.add("GET /ends/both/{id} by " + user + ": " + outcome);
      api.get("/ends/both/" + expected.size(), "User", "alice");
      settled(api, expected, completed);
    }
    for (String name : List.of("empty", "status", "unmapped", "stage", "suspended")) {
      expected.add("GET /ends/" + name + " by alice: admitted " + name);
      api.get("/ends/" + name, "User", "alice");
      settled(api, expected, completed);
    }
    expected.add("GET /ends/late by alice: admitted never");
    assertEquals(503, api.get("/ends/late", "User", "alice").statusCode());
    settled(api, expected, completed);
    api.get("/ends/free", "User", "alice");
    api.get("/ends/nowhere", "User", "alice");
    settled(api, expected, completed);
  }

  private static void settled(Api api, List<String> expected, CompletedRequests completed) {
    Await.until(() -> api.weir().requestsInFlight() == 0);
    Await.until(() -> completed.told().size() >= expected.size());
    assertEquals(expected, completed.told());
  }
}

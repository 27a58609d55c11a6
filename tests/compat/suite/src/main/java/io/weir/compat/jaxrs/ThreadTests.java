package io.weir.compat.jaxrs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.restassured.response.Response;
import io.weir.annotation.RateLimit;
import io.weir.compat.BoundRequest;
import io.weir.compat.jaxrs.server.Api;
import io.weir.compat.jaxrs.server.SignInFilter;
import io.weir.spi.RequestInfo;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.StreamingOutput;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.glassfish.jersey.server.ManagedAsync;
import org.junit.jupiter.api.Test;

/** Tests that threads of Jersey know their caller if methods and filters run in several threads. */
public interface ThreadTests extends Serving {
  /** Endpoints that other threads answer. */
  @Path("/")
  class Threads {
    final CompletableFuture<AsyncResponse> suspended = new CompletableFuture<>();
    final CompletableFuture<String> answered = new CompletableFuture<>();
    final CompletableFuture<String> stillThere = new CompletableFuture<>();
    final CompletableFuture<String> afterwards = new CompletableFuture<>();

    /** Answers in a thread that Jersey manages. */
    @GET
    @Path("managed")
    @ManagedAsync
    @RateLimit(limit = 1000, window = 60)
    public void managed(@Suspended AsyncResponse response) throws NoSuchMethodException {
      String answer = caller() + " " + isCharged("managed") + " " + isCharged("managed");
      StreamingOutput body =
          output -> output.write((answer + " " + caller()).getBytes(StandardCharsets.US_ASCII));
      response.resume(body);
    }

    /** Answers in a managed thread without a parameter. */
    @GET
    @Path("returning")
    @ManagedAsync
    @RateLimit(limit = 1000, window = 60)
    public String returning() throws NoSuchMethodException {
      return caller() + " " + isCharged("returning") + " " + isCharged("returning");
    }

    /** Returns only when another request has answered this one. */
    @GET
    @Path("suspend")
    public void suspend(@Suspended AsyncResponse response) throws Exception {
      suspended.complete(response);
      stillThere.complete(answered.get(120, TimeUnit.SECONDS) + " " + caller());
    }

    /** Answers another request. */
    @GET
    @Path("resume")
    public String resume() throws Exception {
      suspended.get(120, TimeUnit.SECONDS).resume("resumed");
      answered.complete("answered");
      stillThere.get(120, TimeUnit.SECONDS);
      return caller();
    }

    /** Answers its own request, and continues. */
    @GET
    @Path("early")
    public void early(@Suspended AsyncResponse response) {
      response.resume("early");
      String peer = BoundRequest.get().flatMap(RequestInfo::peer).orElse("nowhere");
      afterwards.complete(caller() + " from " + peer);
    }

    /** Answers its own request in chunks, which are written after the last event. */
    @GET
    @Path("chunks")
    public void chunks(@Suspended AsyncResponse response) {
      response.resume((StreamingOutput) output -> output.write(new byte[100_000]));
      afterwards.complete(caller());
    }

    /** Returns a request without a user. */
    @GET
    @Path("plain")
    public String plain() {
      return caller();
    }

    private static boolean isCharged(String method) throws NoSuchMethodException {
      return BoundRequest.takeCharge(
          method.equals("managed")
              ? Threads.class.getMethod(method, AsyncResponse.class)
              : Threads.class.getMethod(method));
    }
  }

  /** Records the caller of each thread when a request begins, and of its response. */
  @PreMatching
  class Arrivals implements ContainerRequestFilter {
    final Queue<String> strangers = new ConcurrentLinkedQueue<>();

    @Override
    public void filter(ContainerRequestContext context) {
      BoundRequest.get()
          .ifPresent(left -> strangers.add(left.user().orElse("?") + " at " + context.getMethod()));
    }
  }

  /** Shows the caller of the thread that runs the response filters. */
  class Departures implements ContainerResponseFilter {
    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
      response.getHeaders().putSingle("Seen", caller());
    }
  }

  private static String caller() {
    return BoundRequest.get().flatMap(RequestInfo::user).orElse("nobody");
  }

  @Test
  default void aThreadThatJerseyManagesKnowsItsCallerAndWhatWasCharged() throws Exception {
    Api api = serving(Threads.class, SignInFilter.class).start();
    for (int i = 0; i < 30; i++) {
      String name = "user" + i;
      assertEquals(name + " true false", api.get("/returning", "User", name).body().asString());
      assertEquals(
          name + " true false " + name, api.get("/managed", "User", name).body().asString());
    }
  }

  @Test
  default void noThreadKeepsWhomItWorkedFor() throws Exception {
    Arrivals arrivals = new Arrivals();
    Api api = serving(Threads.class, SignInFilter.class).with(arrivals).start();
    for (int i = 0; i < 30; i++) {
      api.get("/managed", "User", "alice").then().statusCode(200);
      api.get("/returning", "User", "alice").then().statusCode(200);
      assertEquals("nobody", api.get("/plain").body().asString());
    }
    assertEquals("[]", arrivals.strangers.toString());
  }

  /** The thread that resumes is bob's; alice's hasn't returned yet. */
  @JerseyOnly("elsewhere a thread that resumes another request has lost its own afterwards")
  @Test
  default void whoIsAnsweredByAnotherCallersThreadLeavesNoneOfThemBehind() throws Exception {
    for (int i = 0; i < 5; i++) {
      Arrivals arrivals = new Arrivals();
      Threads threads = new Threads();
      Api api = serving(SignInFilter.class).with(threads, arrivals).start();
      CompletableFuture<Response> late =
          CompletableFuture.supplyAsync(() -> api.get("/suspend", "User", "alice"));
      assertEquals("bob", api.get("/resume", "User", "bob").body().asString());
      assertEquals("resumed", late.get(120, TimeUnit.SECONDS).body().asString());
      assertEquals("answered alice", threads.stillThere.join());
      for (int j = 0; j < 30; j++) {
        assertEquals("nobody", api.get("/plain").body().asString());
      }
      assertEquals("[]", arrivals.strangers.toString());
    }
  }

  @JerseyOnly("elsewhere a method that has answered its request itself is no longer bound to it")
  @Test
  default void aMethodKnowsItsCallerAlsoAfterItHasAnswered() throws Exception {
    Threads threads = new Threads();
    Arrivals arrivals = new Arrivals();
    Api api = serving(SignInFilter.class).with(threads, arrivals).start();
    api.get("/early", "User", "alice").then().statusCode(200);
    assertEquals("alice from 127.0.0.1", threads.afterwards.get(120, TimeUnit.SECONDS));
    for (int i = 0; i < 30; i++) {
      assertEquals("nobody", api.get("/plain").body().asString());
    }
    assertEquals("[]", arrivals.strangers.toString());
  }

  @JerseyOnly("elsewhere a method that has answered its request itself is no longer bound to it")
  @Test
  default void soItDoesAfterChunks() throws Exception {
    Threads threads = new Threads();
    Arrivals arrivals = new Arrivals();
    Api api = serving(SignInFilter.class).with(threads, arrivals).start();
    api.get("/chunks", "User", "alice").then().statusCode(200);
    assertEquals("alice", threads.afterwards.get(120, TimeUnit.SECONDS));
    for (int i = 0; i < 30; i++) {
      assertEquals("nobody", api.get("/plain").body().asString());
    }
    assertEquals("[]", arrivals.strangers.toString());
  }

  @Test
  default void filtersOfResponsesKnowTheCaller() throws Exception {
    Api api = serving(Threads.class, SignInFilter.class, Departures.class).start();
    assertEquals("alice", api.get("/plain", "User", "alice").header("Seen"));
    assertEquals("alice", api.get("/managed", "User", "alice").header("Seen"));
  }
}

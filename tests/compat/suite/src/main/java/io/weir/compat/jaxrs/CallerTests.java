package io.weir.compat.jaxrs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.restassured.response.Response;
import io.weir.Weir;
import io.weir.annotation.RateLimit;
import io.weir.compat.BoundRequest;
import io.weir.compat.jaxrs.server.Api;
import io.weir.compat.jaxrs.server.Await;
import io.weir.compat.jaxrs.server.SignInFilter;
import io.weir.spi.RequestInfo;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests that a handler's thread knows its caller, for methods that an aspect limits. */
interface CallerTests extends Serving {
  @Path("/")
  class Callers {
    final CompletableFuture<AsyncResponse> suspended = new CompletableFuture<>();
    final CompletableFuture<Weir> weir = new CompletableFuture<>();

    @GET
    @Path("user")
    public String user() {
      return caller();
    }

    @GET
    @Path("charged")
    @RateLimit(limit = 9, window = 60)
    public String charged() throws NoSuchMethodException {
      Method own = Callers.class.getMethod("charged");
      return BoundRequest.takeCharge(Callers.class.getMethod("user"))
          + " "
          + BoundRequest.takeCharge(own)
          + " "
          + BoundRequest.takeCharge(own);
    }

    @GET
    @Path("stream")
    public StreamingOutput stream() {
      return output -> output.write(caller().getBytes(StandardCharsets.US_ASCII));
    }

    @GET
    @Path("suspend")
    public void suspend(@Suspended AsyncResponse response) {
      suspended.complete(response);
    }

    @GET
    @Path("resume")
    public String resume() throws IOException {
      StreamingOutput late = output -> output.write(caller().getBytes(StandardCharsets.US_ASCII));
      suspended.join().resume(late);
      return caller();
    }

    @GET
    @Path("in-flight")
    public String inFlight() {
      return "" + weir.join().requestsInFlight();
    }

    private static String caller() {
      return BoundRequest.get().flatMap(RequestInfo::user).orElse("nobody");
    }
  }

  @Test
  default void theHandlerKnowsItsCaller() throws Exception {
    Api api = serving(Callers.class, SignInFilter.class).start();
    for (int i = 0; i < 20; i++) {
      assertEquals("user" + i, api.get("/user", "User", "user" + i).body().asString());
      assertEquals("nobody", api.get("/user").body().asString());
    }
  }

  @Test
  default void whatStreamsKnowsItsCaller() throws Exception {
    Api api = serving(Callers.class, SignInFilter.class).start();
    assertEquals("alice", api.get("/stream", "User", "alice").body().asString());
  }

  @Test
  default void onlyTheHandlersOwnMethodIsChargedAlreadyAndOnlyOnce() throws Exception {
    Api api = serving(Callers.class).start();
    assertEquals("false true false", api.get("/charged").body().asString());
  }

  /** The thread of one request resumes the request of another caller, then continues its own. */
  @JerseyOnly("elsewhere a thread that resumes another request has lost its own afterwards")
  @Test
  default void aResumedResponseBelongsToItsOwnCaller() throws Exception {
    Callers callers = new Callers();
    Api api = serving(SignInFilter.class).with(callers).start();
    CompletableFuture<Response> late =
        CompletableFuture.supplyAsync(() -> api.get("/suspend", "User", "alice"));
    Await.until(() -> callers.suspended.isDone() && callers.suspended.join().isSuspended());
    assertEquals("bob", api.get("/resume", "User", "bob").body().asString());
    assertEquals("alice", late.get(120, TimeUnit.SECONDS).body().asString());
  }

  @Test
  default void aRequestIsInFlightWhileItIsHandled() throws Exception {
    Callers callers = new Callers();
    Api api = serving().with(callers).start();
    callers.weir.complete(api.weir());
    assertEquals("1", api.get("/in-flight").body().asString());
    Await.until(() -> api.weir().requestsInFlight() == 0);
  }

  @Test
  default void thePeerAddressThatIsGivenGoesFirst() throws Exception {
    Api api =
        serving(KeyTests.Keys.class)
            .weir(
                weir ->
                    weir.keyResolver("plan", request -> Optional.empty())
                        .peerAddress(CallerTests::fromHeader))
            .start();
    assertEquals(1, api.admitted("/ip", "Peer", "192.0.2.1"));
    assertEquals(1, api.admitted("/ip", "Peer", "192.0.2.2"));
    assertEquals(0, api.admitted("/ip", "Peer", "192.0.2.1"));
    assertEquals(1, api.admitted("/ip"));
  }

  private static Optional<String> fromHeader(Object request) {
    return Optional.ofNullable(((ContainerRequestContext) request).getHeaderString("Peer"));
  }
}

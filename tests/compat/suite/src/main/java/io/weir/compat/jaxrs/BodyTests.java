package io.weir.compat.jaxrs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import io.weir.compat.jaxrs.server.Api;
import io.weir.compat.jaxrs.server.Await;
import io.weir.compat.jaxrs.server.RawClient;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.Status;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests responses that fail while their body is written. */
interface BodyTests extends Serving {
  @Path("/")
  class Bodies {
    @GET
    @Path("failures")
    @RateLimit(limit = 2, window = 60, count = Count.FAILURES)
    public Response failures(@QueryParam("how") @DefaultValue("") String how) {
      return Response.ok(Body.of(how)).build();
    }

    @GET
    @Path("announced")
    @RateLimit(limit = 2, window = 60, count = Count.FAILURES)
    public Response announced() {
      return Response.ok(Body.of("much")).header("Content-Length", Body.MUCH.length).build();
    }

    @GET
    @Path("successes")
    @RateLimit(limit = 2, window = 60, count = Count.SUCCESSES)
    public Response successes(@QueryParam("how") @DefaultValue("") String how) {
      return Response.ok(Body.of(how)).build();
    }

    @GET
    @Path("resumed")
    @RateLimit(limit = 2, window = 60, count = Count.FAILURES)
    public void resumed(
        @Suspended AsyncResponse response, @QueryParam("how") @DefaultValue("") String how) {
      new Thread(() -> response.resume(Body.of(how))).start();
    }

    @GET
    @Path("all")
    @RateLimit(limit = 5, window = 60)
    public Response all(@QueryParam("how") @DefaultValue("") String how) {
      return Response.ok(Body.of(how)).build();
    }
  }

  /** Entities that differ in how they are written. */
  final class Body {
    /** More than any server buffers before it sends. */
    static final byte[] MUCH = new byte[1 << 20];

    private Body() {}

    static Object of(String how) {
      return switch (how) {
        case "" -> (StreamingOutput) output -> output.write('!');
        case "none" -> "";
        case "much" -> (StreamingOutput) output -> output.write(MUCH);
        case "401" -> failing(new WebApplicationException(Status.UNAUTHORIZED));
        case "mapped" -> failing(new IllegalStateException("mapped"));
        case "unmapped" -> failing(new UnsupportedOperationException("no mapper maps this"));
        case "io" ->
            (StreamingOutput)
                output -> {
                  throw new IOException("the application's own");
                };
        case "late" ->
            (StreamingOutput)
                output -> {
                  output.write(MUCH);
                  throw new IOException("the application's own");
                };
        case "endless" ->
            (StreamingOutput)
                output -> {
                  while (true) {
                    output.write(MUCH);
                  }
                };
        default -> new Unwritable();
      };
    }

    private static StreamingOutput failing(RuntimeException thrown) {
      return output -> {
        throw thrown;
      };
    }
  }

  /** An entity that no writer supports. */
  final class Unwritable {}

  /** Maps one exception. */
  class Mapper implements ExceptionMapper<IllegalStateException> {
    @Override
    public Response toResponse(IllegalStateException exception) {
      return Response.status(422).entity("mapped").build();
    }
  }

  private Api bodies() throws Exception {
    return serving(Bodies.class, Mapper.class).start();
  }

  /** Waits for the last event of each request, which may come after its response. */
  private static void storeExecuted(Api api) {
    Await.until(() -> api.weir().requestsInFlight() == 0);
  }

  private static void fail(Api api, String path, String how) throws IOException {
    Optional<RawClient.Answer> answer =
        RawClient.send(api.base(), "GET " + path + "?how=" + how + " HTTP/1.1");
    storeExecuted(api);
    assertTrue(
        answer.isEmpty() || answer.get().status() >= 400 || how.equals("late"), answer.toString());
  }

  @Test
  default void whatFailsWhileItsBodyIsWrittenIsAFailure() throws Exception {
    for (String how : List.of("401", "mapped", "unmapped", "io", "late", "unwritable")) {
      Api api = bodies();
      fail(api, "/failures", how);
      assertEquals(0, Api.left(api.get("/failures")), how);
      fail(api, "/failures", how);
      assertEquals(429, api.get("/failures").statusCode(), how);
    }
  }

  @Test
  default void whatFailsWhileItsBodyIsWrittenIsNoSuccess() throws Exception {
    Api api = bodies();
    for (String how : List.of("401", "mapped", "unmapped", "io", "late", "unwritable")) {
      fail(api, "/successes", how);
      assertEquals(1, Api.left(api.get("/successes?how=401")), how);
      storeExecuted(api);
    }
    assertEquals(2, api.admitted("/successes"));
  }

  @Test
  default void whatFailsAfterItWasResumedIsAFailure() throws Exception {
    Api api = bodies();
    fail(api, "/resumed", "401");
    fail(api, "/resumed", "unwritable");
    assertEquals(429, api.get("/resumed").statusCode());
  }

  @Test
  default void aBodyThatIsWrittenIsASuccess() throws Exception {
    Api api = bodies();
    for (String how : List.of("", "none", "much")) {
      for (int i = 0; i < 3; i++) {
        assertEquals(1, Api.left(api.get("/failures?how=" + how)), how);
        assertEquals(200, api.request().head(api.base() + "/failures?how=" + how).statusCode());
      }
    }
    assertEquals(1, Api.left(api.get("/resumed")));
    assertEquals(1, Api.left(api.get("/resumed?how=much")));
    assertEquals(2, api.admitted("/successes"));
  }

  @Test
  default void aRequestOnAnotherConnectionFindsWhatIsGivenBack() throws Exception {
    Api api = bodies();
    for (int i = 0; i < 200; i++) {
      assertEquals(1, Api.left(api.get("/failures")));
    }
    for (int i = 0; i < 20; i++) {
      assertEquals(1, Api.left(api.get("/announced")));
    }
  }

  @Test
  default void everyFailureCountsUnlessSaidOtherwise() throws Exception {
    Api api = bodies();
    fail(api, "/all", "401");
    fail(api, "/all", "late");
    fail(api, "/all", "unwritable");
    assertEquals(1, Api.left(api.get("/all")));
  }

  /** Otherwise callers that hang up early would be charged wrongly. */
  @Test
  default void whoHangsUpHasHadASuccess() throws Exception {
    Api api = bodies();
    hangUp(api, "/failures");
    hangUp(api, "/successes");
    assertEquals(1, Api.left(api.get("/failures")));
    assertEquals(0, Api.left(api.get("/successes")));
    assertEquals(429, api.get("/successes").statusCode());
  }

  private static void hangUp(Api api, String path) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), api.base().getPort())) {
      socket.setSoTimeout(20_000);
      socket.setSoLinger(true, 0);
      String request = "GET " + path + "?how=endless HTTP/1.1\r\nHost: localhost\r\n\r\n";
      OutputStream output = socket.getOutputStream();
      output.write(request.getBytes(StandardCharsets.ISO_8859_1));
      assertTrue(socket.getInputStream().readNBytes(1_000).length == 1_000);
    }
    storeExecuted(api);
  }
}

package io.weir.compat.jaxrs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.restassured.response.Response;
import io.weir.annotation.By;
import io.weir.annotation.ClearOn;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import io.weir.compat.jaxrs.server.Api;
import io.weir.compat.jaxrs.server.Await;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Response.Status;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests the annotation's {@code count} with all ways to respond. */
interface CountTests extends Serving {
  @Path("/")
  class Counts {
    @GET
    @Path("failures")
    @RateLimit(limit = 2, window = 60, count = Count.FAILURES)
    public String failures(@QueryParam("how") @DefaultValue("") String how) {
      return Ways.respond(how);
    }

    @GET
    @Path("successes")
    @RateLimit(limit = 2, window = 60, count = Count.SUCCESSES)
    public String successes(@QueryParam("how") @DefaultValue("") String how) {
      return Ways.respond(how);
    }

    @GET
    @Path("all")
    @RateLimit(limit = 5, window = 60)
    public String all(@QueryParam("how") @DefaultValue("") String how) {
      return Ways.respond(how);
    }

    @GET
    @Path("cleared")
    @RateLimit(
        limit = 2,
        window = 60,
        by = By.KEY,
        key = "query:user",
        count = Count.FAILURES,
        clearOn = ClearOn.SUCCESS)
    public String cleared(@QueryParam("how") @DefaultValue("") String how) {
      return Ways.respond(how);
    }

    @GET
    @Path("stage")
    @RateLimit(limit = 2, window = 60, count = Count.FAILURES)
    public CompletionStage<String> stage(@QueryParam("how") @DefaultValue("") String how) {
      return CompletableFuture.supplyAsync(() -> Ways.respond(how));
    }

    @GET
    @Path("suspended")
    @RateLimit(limit = 2, window = 60, count = Count.FAILURES)
    public void suspended(
        @Suspended AsyncResponse response, @QueryParam("how") @DefaultValue("") String how) {
      if (how.equals("never")) {
        response.setTimeout(1, TimeUnit.MILLISECONDS);
        return;
      }
      new Thread(() -> CountTests.resume(response, how)).start();
    }
  }

  private static void resume(AsyncResponse response, String how) {
    try {
      response.resume(Ways.respond(how));
    } catch (RuntimeException wrong) {
      response.resume(wrong);
    }
  }

  /** The ways in which an endpoint responds. */
  final class Ways {
    private Ways() {}

    static String respond(String how) {
      return switch (how) {
        case "" -> "fine";
        case "304" -> throw new WebApplicationException(Status.NOT_MODIFIED);
        case "404" -> throw new WebApplicationException(Status.NOT_FOUND);
        case "mapped" -> throw new IllegalStateException("mapped");
        default -> throw new UnsupportedOperationException("no mapper maps this");
      };
    }
  }

  /** Maps one exception, and leaves others alone. */
  class Mapper implements ExceptionMapper<IllegalStateException> {
    @Override
    public jakarta.ws.rs.core.Response toResponse(IllegalStateException exception) {
      return jakarta.ws.rs.core.Response.status(422).entity("mapped").build();
    }
  }

  private Api counts() throws Exception {
    return serving(Counts.class, Mapper.class).start();
  }

  /** If nothing maps an exception, the server answers before the request is completed. */
  private static void unmapped(Api api, String path) {
    assertEquals(500, api.get(path + "?how=unmapped").statusCode());
    Await.until(() -> api.weir().requestsInFlight() == 0);
  }

  @Test
  default void onlyFailuresCount() throws Exception {
    Api api = counts();
    for (int i = 0; i < 5; i++) {
      assertEquals(200, api.get("/failures").statusCode());
    }
    assertEquals(404, api.get("/failures?how=404").statusCode());
    assertEquals(422, api.get("/failures?how=mapped").statusCode());
    assertEquals(429, api.get("/failures").statusCode());
  }

  @Test
  default void anExceptionThatNobodyMapsIsAFailure() throws Exception {
    Api api = counts();
    unmapped(api, "/failures");
    unmapped(api, "/failures");
    assertEquals(429, api.get("/failures").statusCode());
  }

  @Test
  default void aSuccessClearsTheFailuresBeforeIt() throws Exception {
    Api api = counts();
    assertEquals(404, api.get("/cleared?user=b&how=404").statusCode());
    assertEquals(404, api.get("/cleared?user=a&how=404").statusCode());
    assertEquals(200, api.get("/cleared?user=a").statusCode());
    assertEquals(422, api.get("/cleared?user=a&how=mapped").statusCode());
    assertEquals(304, api.get("/cleared?user=a&how=304").statusCode(), "this clears nothing");
    assertEquals(404, api.get("/cleared?user=a&how=404").statusCode());
    assertEquals(429, api.get("/cleared?user=a").statusCode());
    assertEquals(404, api.get("/cleared?user=b&how=404").statusCode());
    assertEquals(429, api.get("/cleared?user=b").statusCode(), "another account's success");
  }

  @Test
  default void onlySuccessesCount() throws Exception {
    Api api = counts();
    for (int i = 0; i < 3; i++) {
      assertEquals(404, api.get("/successes?how=404").statusCode());
      assertEquals(422, api.get("/successes?how=mapped").statusCode());
      unmapped(api, "/successes");
    }
    assertEquals(2, api.admitted("/successes"));
    assertEquals(429, api.get("/successes?how=404").statusCode());
  }

  @Test
  default void everythingCountsUnlessSaidOtherwise() throws Exception {
    Api api = counts();
    api.get("/all?how=404");
    api.get("/all?how=mapped");
    unmapped(api, "/all");
    assertEquals(2, api.admitted("/all"));
  }

  @Test
  default void mappedExceptionsShowTheLimit() throws Exception {
    Api api = counts();
    Response mapped = api.get("/all?how=mapped");
    assertEquals("mapped", mapped.body().asString());
    assertEquals(4, Api.left(mapped));
    assertEquals(3, Api.left(api.get("/all?how=404")));
  }

  @Test
  default void aStageCountsByWhatItBecomes() throws Exception {
    Api api = counts();
    for (int i = 0; i < 3; i++) {
      assertEquals(1, Api.left(api.get("/stage")));
    }
    assertEquals(1, Api.left(api.get("/stage?how=mapped")));
    unmapped(api, "/stage");
    assertEquals(429, api.get("/stage").statusCode());
  }

  @Test
  default void aSuspendedResponseCountsByHowItIsResumed() throws Exception {
    Api api = counts();
    for (int i = 0; i < 3; i++) {
      assertEquals(1, Api.left(api.get("/suspended")));
    }
    Response late = api.get("/suspended?how=never");
    assertEquals(503, late.statusCode());
    assertEquals(1, Api.left(late));
    assertEquals(0, Api.left(api.get("/suspended?how=mapped")));
    assertEquals(429, api.get("/suspended").statusCode());
  }

  @Test
  default void noRequestIsInFlightAfterwards() throws Exception {
    Api api = counts();
    api.get("/all");
    api.get("/nowhere");
    api.get("/stage?how=unmapped");
    api.get("/suspended?how=never");
    Await.until(() -> api.weir().requestsInFlight() == 0);
  }
}

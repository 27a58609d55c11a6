package io.weir.compat.stacks.cxf41;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.response.Response;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import io.weir.compat.jaxrs.JaxrsServing;
import io.weir.compat.jaxrs.server.Api;
import io.weir.compat.jaxrs.server.Await;
import io.weir.compat.jaxrs.server.Server;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that wait without a thread count as in flight until they end, however they do. */
class SuspendedRequestTest extends JaxrsServing {
  private static final long PATIENCE_SECONDS = 120;

  @TempDir java.nio.file.Path directory;

  /** Suspends requests, and leaves them to the test. */
  @Path("/")
  public static final class Suspending {
    private final CompletableFuture<AsyncResponse> response = new CompletableFuture<>();
    private final CompletableFuture<HttpServletRequest> request = new CompletableFuture<>();

    /** Suspends the request. */
    @GET
    @RateLimit(limit = 10, window = 60, count = Count.FAILURES)
    public void suspend(@Suspended AsyncResponse suspended, @Context HttpServletRequest servlet) {
      response.complete(suspended);
      request.complete(servlet);
    }

    boolean isSuspended() {
      return response.isDone()
          && response.join().isSuspended()
          && request.isDone()
          && request.join().isAsyncStarted();
    }
  }

  private final Suspending suspending = new Suspending();

  @Override
  protected Server start(Set<Class<?>> classes, Set<Object> instances) throws Exception {
    return TomcatSuiteTest.start(directory, classes, instances);
  }

  @Override
  protected boolean runsJersey() {
    return false;
  }

  @Test
  void oneThatIsResumedEndsWithItsResponse() throws Exception {
    Api api = serving().with(suspending).start();
    CompletableFuture<Response> answer = CompletableFuture.supplyAsync(() -> api.get("/"));
    Await.until(suspending::isSuspended);
    assertEquals(1, api.weir().requestsInFlight());
    assertTrue(suspending.response.join().resume("done"));
    assertEquals("done", answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS).asString());
    Await.until(() -> api.weir().requestsInFlight() == 0);
  }

  @Test
  void oneThatIsNeverResumedEndsWhenTheContainerGivesItUp() throws Exception {
    Api api = serving().with(suspending).start();
    CompletableFuture<Response> answer = CompletableFuture.supplyAsync(() -> api.get("/"));
    Await.until(suspending::isSuspended);
    assertEquals(1, api.weir().requestsInFlight());
    suspending.request.join().getAsyncContext().complete();
    Await.until(() -> api.weir().requestsInFlight() == 0);
    answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }
}

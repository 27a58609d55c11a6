package io.weir.compat.jaxrs;

import static io.restassured.RestAssured.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.weir.annotation.RateLimit;
import io.weir.compat.jaxrs.server.Server;
import io.weir.guard.Weir;
import io.weir.jaxrs.RateLimitFeature;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.junit.jupiter.api.Test;

/** What becomes of the application's own Weir where no servlet container says that it ends. */
public interface LifeTests extends Serving {
  /** An endpoint. */
  @Path("/")
  class Living {
    @GET
    @RateLimit(limit = 1000, window = 60)
    public String living() {
      return "";
    }
  }

  @Test
  default void theLastApplicationThatStopsClosesTheWeirMadeForIt() throws Exception {
    underAnOwnLoader(
        () -> {
          Server first = startLiving();
          Weir made = Weir.application();
          Server second = startLiving();
          first.stop().close();
          assertSame(made, Weir.application());
          assertEquals(200, get(second.base() + "/").statusCode());
          second.stop().close();
          try (Weir next = Weir.application()) {
            assertNotSame(made, next);
          }
        });
  }

  @Test
  default void oneThatWasInstalledStaysOpen() throws Exception {
    underAnOwnLoader(
        () -> {
          try (Weir installed = Weir.builder().build().install()) {
            startLiving().stop().close();
            assertSame(installed, Weir.application());
          }
        });
  }

  private Server startLiving() throws Exception {
    Server server = serving(Living.class).with(new RateLimitFeature()).startAsIs();
    assertEquals(200, get(server.base() + "/").statusCode());
    return server;
  }

  /** As each application has one. */
  private static void underAnOwnLoader(Action action) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(new ClassLoader(before) {});
    try {
      action.run();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** What a test does. */
  interface Action {
    /** Does it. */
    void run() throws Exception;
  }
}

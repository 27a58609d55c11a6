package io.weir.compat.jaxrs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.annotation.RateLimit;
import io.weir.compat.jaxrs.server.Api;
import io.weir.compat.jaxrs.server.Await;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.junit.jupiter.api.Test;

/**
 * Tests emergency settings. Not part of the suite, since settings are read again every few seconds
 * of real time, on all servers alike.
 */
public interface SwitchTests extends Serving {
  /** A resource with limits. */
  @Path("/")
  class Night {
    /** Limited. */
    @GET
    @RateLimit(limit = 3, window = 60, name = "night")
    public String get() {
      return "";
    }
  }

  /** Changes settings without a restart. */
  @Test
  default void switchesWorkWhileItRuns() throws Exception {
    Api api = serving(Night.class).start();
    assertEquals(3, api.admitted("/"));
    try {
      System.setProperty("weir.policy.night.shadow", "true");
      Await.until(() -> api.get("/").statusCode() == 200);
      System.setProperty("weir.enabled", "false");
      Await.until(() -> api.get("/").header("RateLimit") == null);
    } finally {
      System.clearProperty("weir.policy.night.shadow");
      System.clearProperty("weir.enabled");
    }
  }
}

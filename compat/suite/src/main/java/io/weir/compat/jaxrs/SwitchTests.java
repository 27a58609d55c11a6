package io.weir.compat.jaxrs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.annotation.RateLimit;
import io.weir.compat.jaxrs.server.Api;
import io.weir.compat.jaxrs.server.Wait;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.junit.jupiter.api.Test;

/**
 * The switches that people need at night. Apart from the suite, since settings are read again every
 * few seconds of real time, and no server has a part in that.
 */
public interface SwitchTests extends Serving {
  /** Something to switch. */
  @Path("/")
  class Night {
    /** Limited. */
    @GET
    @RateLimit(limit = 3, window = 60, name = "night")
    public String get() {
      return "";
    }
  }

  /** Without a restart. */
  @Test
  default void switchesWorkWhileItRuns() throws Exception {
    Api api = serving(Night.class).start();
    assertEquals(3, api.admitted("/"));
    try {
      System.setProperty("weir.policy.night.shadow", "true");
      Wait.until(() -> api.get("/").statusCode() == 200);
      System.setProperty("weir.enabled", "false");
      Wait.until(() -> api.get("/").header("RateLimit") == null);
    } finally {
      System.clearProperty("weir.policy.night.shadow");
      System.clearProperty("weir.enabled");
    }
  }
}

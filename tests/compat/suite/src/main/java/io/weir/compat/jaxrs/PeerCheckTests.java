package io.weir.compat.jaxrs;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.jaxrs.RateLimitFeature;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.glassfish.jersey.server.ApplicationHandler;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;

/**
 * Tests that an application which can't read the peer's address doesn't start. Jersey runs here
 * without a container, though the classes of some are on the class path.
 */
public abstract class PeerCheckTests {
  /** Counts by address. */
  @Path("pages")
  public static final class Pages {
    /** For Jersey. */
    public Pages() {}

    @GET
    @RateLimit(limit = 2, window = 1, unit = ChronoUnit.MINUTES, by = By.IP)
    public String page() {
      return "page";
    }
  }

  private static ApplicationHandler start(Weir weir) {
    return new ApplicationHandler(
        new ResourceConfig(Pages.class).register(new RateLimitFeature(weir)));
  }

  @Test
  void aContainerOnTheClassPathThatRunsNothingIsNoWayToReadIt() throws ClassNotFoundException {
    assertNotNull(Class.forName("org.glassfish.jersey.servlet.ServletContainer"));
    try (Weir weir = Weir.builder().build()) {
      IllegalStateException refused =
          assertThrows(IllegalStateException.class, () -> start(weir).getConfiguration());
      assertTrue(
          String.valueOf(refused.getMessage()).contains("io.weir.spi.PeerAddress"),
          refused::toString);
    }
  }

  @Test
  void aPeerAddressOfTheApplicationIs() {
    try (Weir weir = Weir.builder().peerAddress(request -> Optional.of("192.0.2.1")).build()) {
      assertNotNull(start(weir).getConfiguration());
    }
  }
}

package io.weir.compat.testing.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Weir;
import io.weir.annotation.RateLimit;
import io.weir.jaxrs.RateLimitFeature;
import io.weir.testkit.FakeTicker;
import io.weir.testkit.junit.WeirTest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.test.JerseyTest;
import org.glassfish.jersey.test.TestProperties;
import org.junit.jupiter.api.Test;

@WeirTest
class SearchResourceTest extends JerseyTest {
  @Path("search")
  public static class SearchResource {
    @GET
    @RateLimit(limit = 2, window = 60)
    public String search() {
      return "found";
    }
  }

  SearchResourceTest(Weir weir) {
    super(new ResourceConfig(SearchResource.class).register(new RateLimitFeature(weir)));
    forceSet(TestProperties.CONTAINER_PORT, "0"); // any free port
  }

  private Response search() {
    return target("search").request().get();
  }

  @Test
  void refusesTheThirdRequestUntilItsRetryAfter(FakeTicker ticker) {
    assertEquals(200, search().getStatus());
    assertEquals(200, search().getStatus());
    Response refused = search();
    assertEquals(429, refused.getStatus());

    long seconds = Long.parseLong(refused.getHeaderString("Retry-After"));
    ticker.advance(Duration.ofSeconds(seconds));
    assertEquals(200, search().getStatus());
  }
}

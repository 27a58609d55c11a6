package io.weir.compat.jaxrs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.restassured.response.Response;
import io.weir.Weir;
import io.weir.adapter.LimitedCall;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.compat.jaxrs.server.Api;
import io.weir.compat.jaxrs.server.Fields;
import io.weir.compat.jaxrs.server.Server;
import io.weir.jaxrs.RateLimitFeature;
import io.weir.testkit.FakeTicker;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Tests that an application is limited whether it registers the feature or not, once, where the
 * implementation finds features as services.
 */
public interface RegistrationTests extends Serving {
  /** Resources with a limit, and with a limited call at an endpoint without one. */
  @Path("/")
  class Registered {
    @GET
    @Path("limited")
    @RateLimit(limit = 3, window = 3600, name = "registered")
    public String limited() {
      return "limited";
    }

    @GET
    @Path("free")
    public String free() {
      return "free";
    }

    @GET
    @Path("calls")
    public String calls() throws Throwable {
      LimitedCall call = LimitedCall.of(Called.class, Called.class.getMethod("called"), List.of());
      return String.valueOf(call.run(new Object[0], () -> "called"));
    }
  }

  /** The policy of a method that woven code would limit. */
  class Called {
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT, name = "called")
    public String called() {
      return "called";
    }
  }

  /** Registers the feature late, when others are configured already. */
  class Registering implements Feature {
    private final Weir weir;

    Registering(Weir weir) {
      this.weir = weir;
    }

    @Override
    public boolean configure(FeatureContext context) {
      context.register(new RateLimitFeature(weir));
      return true;
    }
  }

  private static Api api(URI base) {
    return new Api(base, Weir.application(), new FakeTicker());
  }

  @Test
  default void anApplicationThatRegistersNothingIsLimitedOnce() throws Exception {
    Server server = serving(Registered.class).startAsIs();
    try (Weir weir = Weir.application()) {
      Api api = new Api(server.base(), weir, new FakeTicker());
      assertEquals(2, Api.left(api.get("/limited")));
      assertEquals(2, api.admitted("/limited"));
      assertEquals(429, api.get("/limited").statusCode());
      assertNull(api.get("/free").header("RateLimit"));
    }
  }

  @Test
  default void aFeatureThatIsRegisteredGoesBefore() throws Exception {
    Api api = serving(Registered.class).setting("weir.policy.registered.limit", "2").start();
    assertEquals(1, Api.left(api.get("/limited")));
    assertEquals(1, api.admitted("/limited"));
  }

  @Test
  default void soDoesOneThatAnotherFeatureRegisters() throws Exception {
    try (Weir weir = Weir.builder().settings(Map.of("weir.policy.registered.limit", "2")).build()) {
      Server server = serving(Registered.class).with(new Registering(weir)).startAsIs();
      Api api = new Api(server.base(), weir, new FakeTicker());
      assertEquals(1, Api.left(api.get("/limited")));
      assertEquals(1, api.admitted("/limited"));
    }
  }

  @Test
  default void aSettingSwitchesItOff() throws Exception {
    Api api = api(serving(Registered.class).startUnlimited());
    for (int i = 0; i < 5; i++) {
      Response free = api.get("/limited");
      assertEquals(200, free.statusCode());
      assertNull(free.header("RateLimit"));
    }
  }

  @Test
  default void aLimitedCallReportsAtAnEndpointWithoutLimits() throws Exception {
    Api api = serving(Registered.class).start();
    Response first = api.get("/calls");
    assertEquals("called", first.body().asString());
    assertEquals(List.of("called"), Fields.names(first.header("RateLimit-Policy")));
    assertEquals(1, Api.left(first));
    assertEquals(0, Api.left(api.get("/calls")));
    assertEquals(429, api.get("/calls").statusCode());
    assertNull(api.get("/free").header("RateLimit-Policy"));
  }
}

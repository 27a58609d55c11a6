package io.weir.compat.jaxrs;

import static io.weir.compat.jaxrs.server.OutcomeFilter.OUTCOME;
import static io.weir.compat.jaxrs.server.OutcomeFilter.OVERSHOOT;
import static org.hamcrest.Matchers.containsString;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.restassured.response.Response;
import io.weir.annotation.Algorithm;
import io.weir.annotation.Mode;
import io.weir.annotation.OnStoreFailure;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import io.weir.compat.AwayStore;
import io.weir.compat.jaxrs.server.Api;
import io.weir.spi.CallerTier;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests the annotation's members for the behaviour at the limit, and for tiers. */
interface ModeTests extends Serving {
  @Path("/")
  class Modes {
    @GET
    @Path("soft")
    @RateLimit(limit = 10, window = 60, mode = Mode.SOFT)
    public String soft() {
      return "";
    }

    @GET
    @Path("softer")
    @RateLimit(limit = 10, window = 60, mode = Mode.SOFT, exceedBy = 50)
    public String softer() {
      return "";
    }

    @GET
    @Path("elastic")
    @RateLimit(limit = 10, window = 60, mode = Mode.ELASTIC, exceedBy = 100)
    public String elastic() {
      return "";
    }

    @GET
    @Path("shadow")
    @RateLimit(limit = 1, window = 60, shadow = true)
    public String shadow() {
      return "";
    }

    @GET
    @Path("tiers")
    @RateLimit(limit = 2, window = 60, tiers = @Tier(name = "premium", limit = 5))
    public String tiers() {
      return "";
    }
  }

  @Path("/")
  class Plans {
    @GET
    @Path("plan")
    @RateLimit(
        limit = 2,
        window = 60,
        algorithm = Algorithm.TOKEN_BUCKET,
        refill = 2,
        tiers = {@Tier(name = "premium", limit = 5), @Tier(name = "gold", limit = 6, refill = 1)})
    public String plan() {
      return "";
    }
  }

  @Path("/")
  class Stores {
    @GET
    @Path("default")
    @RateLimit(limit = 3, window = 60)
    public String byDefault() {
      return "";
    }

    @GET
    @Path("closed")
    @RateLimit(limit = 3, window = 60, onStoreFailure = OnStoreFailure.CLOSED)
    public String closed() {
      return "";
    }

    @GET
    @Path("open")
    @RateLimit(limit = 3, window = 60, onStoreFailure = OnStoreFailure.OPEN)
    public String open() {
      return "";
    }

    @GET
    @Path("ahead")
    @RateLimit(limit = 3, window = 60, overshoot = 25)
    public String ahead() {
      return "";
    }
  }

  @Test
  default void softAdmitsABitMoreAndSaysSo() throws Exception {
    Api api = serving(Modes.class).start();
    for (int i = 0; i < 10; i++) {
      assertEquals("ADMITTED", api.get("/soft").header(OUTCOME));
    }
    Response beyond = api.get("/soft");
    assertEquals("SOFT", beyond.header(OUTCOME));
    assertEquals(0, Api.left(beyond));
    assertNull(beyond.header("Retry-After"));
    assertEquals(429, api.get("/soft").statusCode());
  }

  @Test
  default void softGoesAsFarAsItSays() throws Exception {
    assertEquals(15, serving(Modes.class).start().admitted("/softer"));
  }

  @Test
  default void elasticGivesWhatTheNodeHasToSpare() throws Exception {
    Api api = serving(Modes.class).weir(weir -> weir.loadSensor(() -> 0.0)).start();
    assertEquals(20, api.admitted("/elastic"));
    assertEquals(429, api.get("/elastic").statusCode());
  }

  @Test
  default void elasticShedsWhenTheNodeIsOverloaded() throws Exception {
    Api api = serving(Modes.class).weir(weir -> weir.loadSensor(() -> 1.0)).start();
    assertEquals(5, api.admitted("/elastic"));
    Response shed = api.get("/elastic");
    assertEquals(503, shed.statusCode());
    shed.then().body("type", containsString("temporary-reduced-capacity"));
  }

  @Test
  default void shadowRefusesNobody() throws Exception {
    Api api = serving(Modes.class).start();
    assertEquals("ADMITTED", api.get("/shadow").header(OUTCOME));
    Response second = api.get("/shadow");
    assertEquals(200, second.statusCode());
    assertEquals("SHADOW_REFUSED", second.header(OUTCOME));
    assertNull(second.header("Retry-After"));
  }

  @Test
  default void aTierHasItsOwnLimit() throws Exception {
    Api api =
        serving(Modes.class)
            .weir(
                weir ->
                    weir.tierResolver(
                        (request, policy) -> CallerTier.named(request.headers("Plan").get(0))))
            .start();
    assertEquals(2, api.admitted("/tiers", "Plan", "unknown"));
    assertEquals(3, api.admitted("/tiers", "Plan", "premium"));
    assertEquals("5", api.get("/tiers", "Plan", "premium").header("X-RateLimit-Limit"));
  }

  @Test
  default void aTierHasItsShareOfARefillOrItsOwn() throws Exception {
    Api api =
        serving(Plans.class)
            .weir(
                weir ->
                    weir.tierResolver(
                        (request, policy) -> CallerTier.named(request.headers("Plan").get(0))))
            .start();
    assertEquals(2, api.admitted("/plan", "Plan", "unknown"));
    assertEquals(3, api.admitted("/plan", "Plan", "premium"), "what was used stays used");
    api.pass(Duration.ofSeconds(60));
    assertEquals(5, api.admitted("/plan", "Plan", "premium"));
    assertEquals(1, api.admitted("/plan", "Plan", "gold"));
    api.pass(Duration.ofSeconds(60));
    assertEquals(1, api.admitted("/plan", "Plan", "gold"));
  }

  @Test
  default void overshootReachesTheDecision() throws Exception {
    Api api = serving(Stores.class).start();
    assertEquals("25", api.get("/ahead").header(OVERSHOOT));
    assertEquals("0", api.get("/default").header(OVERSHOOT));
  }

  @Test
  default void withoutItsStoreANodeEnforcesByItself() throws Exception {
    Api api = serving(Stores.class).weir(weir -> weir.store(new AwayStore())).start();
    assertEquals(3, api.admitted("/default"));
    assertEquals(429, api.get("/default").statusCode());
  }

  @Test
  default void withoutItsStoreAClosedPolicyRefuses() throws Exception {
    Api api = serving(Stores.class).weir(weir -> weir.store(new AwayStore())).start();
    Response refused = api.get("/closed");
    assertEquals(503, refused.statusCode());
    refused.then().body("type", containsString("temporary-reduced-capacity"));
  }

  @Test
  default void withoutItsStoreAnOpenPolicyAdmits() throws Exception {
    Api api = serving(Stores.class).weir(weir -> weir.store(new AwayStore())).start();
    for (int i = 0; i < 5; i++) {
      assertEquals(200, api.get("/open").statusCode());
    }
  }

  @Test
  default void theSettingSaysWhatDefaultMeansWithoutAStore() throws Exception {
    Api api =
        serving(Stores.class)
            .setting("weir.on-store-failure", "closed")
            .weir(weir -> weir.store(new AwayStore()))
            .start();
    assertEquals(503, api.get("/default").statusCode());
  }
}

package io.weir.compat.jaxrs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.weir.annotation.RateLimit;
import io.weir.annotation.Unlimited;
import io.weir.compat.jaxrs.server.Api;
import io.weir.compat.jaxrs.server.Fields;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests settings that change policies without a rebuild. */
interface SettingsTests extends Serving {
  @Path("/")
  class Shop {
    @GET
    @Path("search")
    @RateLimit(limit = 3, window = 60)
    public String search() {
      return "";
    }

    @GET
    @Path("order")
    @RateLimit(limit = 10, window = 60, name = "order")
    public String look() {
      return "";
    }

    @POST
    @Path("order")
    @RateLimit(limit = 10, window = 60, name = "order")
    public String order() {
      return "";
    }

    @POST
    @Path("priced")
    @RateLimit(limit = 10, window = 60, cost = 2)
    public String priced() {
      return "";
    }

    @GET
    @Path("plain")
    public String plain() {
      return "";
    }

    @GET
    @Path("free")
    @Unlimited
    public String free() {
      return "";
    }
  }

  /** Read by GET and by HEAD. */
  @Path("/")
  class Shelf {
    @GET
    @Path("viewed")
    @RateLimit(limit = 10, window = 60, name = "viewed")
    public String viewed() {
      return "";
    }

    @GET
    @Path("headed")
    @RateLimit(limit = 10, window = 60, name = "headed")
    public String headed() {
      return "";
    }

    @HEAD
    @Path("headed")
    @RateLimit(limit = 10, window = 60, name = "headed")
    public Response head() {
      return Response.ok().build();
    }
  }

  /** Probes, and a page of any name. */
  @Path("/")
  class Probed {
    @GET
    @Path("healthz")
    public String probe() {
      return "";
    }

    @GET
    @Path("health/{part}")
    public String part() {
      return "";
    }

    @GET
    @Path("{page}")
    public String page() {
      return "";
    }
  }

  @Test
  default void whatASettingLeavesOutIsFree() throws Exception {
    Api api =
        serving(Probed.class)
            .setting("weir.application.limit", "3")
            .setting("weir.application.window", "1h")
            .setting("weir.application.except", "/healthz, /health/*")
            .setting("weir.default.limit", "100")
            .setting("weir.default.window", "1h")
            .setting("weir.default.except", "/healthz, /health/*")
            .start();
    for (String probe : List.of("/healthz", "/healthz;a=b", "/health/live", "/health/x;a=b")) {
      io.restassured.response.Response free = api.get(probe);
      assertNull(free.header("RateLimit-Policy"), probe + " " + free.statusCode());
    }
    for (String page : List.of("/page", "/HEALTHZ", "/page;a=b")) {
      List<String> policies = Fields.names(api.get(page).header("RateLimit-Policy"));
      assertEquals(2, policies.size(), page);
    }
    assertEquals(429, api.get("/page").statusCode());
    assertEquals(200, api.get("/healthz").statusCode());
  }

  @Test
  default void aMethodOfHttpHasItsCost() throws Exception {
    Api api = serving(Shop.class).setting("weir.cost.POST", "5").start();
    assertEquals(9, Api.left(api.get("/order")));
    assertEquals(4, Api.left(api.post("/order")));
    assertEquals(429, api.post("/order").statusCode());
    assertEquals(8, Api.left(api.post("/priced")));
  }

  @Test
  default void headCostsWhatGetCostsUnlessItHasAMethodOfItsOwn() throws Exception {
    Api api = serving(Shelf.class).setting("weir.cost.GET", "5").start();
    assertEquals(5, Api.left(api.request().head(api.base() + "/viewed")));
    assertEquals(0, Api.left(api.get("/viewed")));
    assertEquals(429, api.request().head(api.base() + "/viewed").statusCode());
    assertEquals(9, Api.left(api.request().head(api.base() + "/headed")));
    assertEquals(4, Api.left(api.get("/headed")));
  }

  @Test
  default void endpointsWithoutAnyLimitGetTheDefault() throws Exception {
    Api api =
        serving(Shop.class)
            .setting("weir.default.limit", "2")
            .setting("weir.default.window", "60s")
            .start();
    assertEquals(2, api.admitted("/plain"));
    assertNull(api.get("/free").header("RateLimit"));
    assertEquals(3, api.admitted("/search"));
  }

  @Test
  default void settingsOverrideAPolicyByItsName() throws Exception {
    Api api = serving(Shop.class).setting("weir.policy.Shop.search.limit", "5").start();
    assertEquals(5, api.admitted("/search"));
    assertEquals(
        List.of("Shop.search"), Fields.names(api.get("/search").header("RateLimit-Policy")));
  }

  @Test
  default void weirCanBeSwitchedOff() throws Exception {
    Api api = serving(Shop.class).setting("weir.enabled", "false").start();
    for (int i = 0; i < 5; i++) {
      assertEquals(200, api.get("/search").statusCode());
    }
    assertNull(api.get("/search").header("RateLimit"));
  }
}

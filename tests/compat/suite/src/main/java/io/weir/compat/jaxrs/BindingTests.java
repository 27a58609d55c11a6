package io.weir.compat.jaxrs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.response.Response;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Unlimited;
import io.weir.compat.jaxrs.server.Api;
import io.weir.compat.jaxrs.server.Fields;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests which policies apply to which resource method. */
interface BindingTests extends Serving {
  /** A limit under a name of the application's own. */
  @Retention(RetentionPolicy.RUNTIME)
  @RateLimit(limit = 2, window = 60)
  @interface Expensive {}

  @Path("/")
  class Own {
    @GET
    @Path("stacked")
    @RateLimit(limit = 3, window = 60)
    @RateLimit(limit = 100, window = 3600, name = "hourly")
    public String stacked() {
      return "";
    }

    @GET
    @Path("composed")
    @Expensive
    public String composed() {
      return "";
    }

    @GET
    @Path("free")
    public String free() {
      return "";
    }

    @Path("sub")
    public Sub sub() {
      return new Sub();
    }
  }

  class Sub {
    @GET
    @Path("{id}")
    @RateLimit(limit = 2, window = 60)
    public String get(@PathParam("id") String id) {
      return id;
    }

    @GET
    @Path("free")
    public String free() {
      return "";
    }
  }

  @Path("shared")
  @RateLimit(limit = 3, window = 60)
  class Shared {
    @GET
    public String one() {
      return "";
    }

    @GET
    @Path("two")
    public String two() {
      return "";
    }

    @GET
    @Path("own")
    @RateLimit(limit = 5, window = 60)
    public String own() {
      return "";
    }

    @GET
    @Path("free")
    @Unlimited
    public String free() {
      return "";
    }
  }

  @Path("inherited")
  interface Contract {
    @GET
    @RateLimit(limit = 2, window = 60)
    String get();

    @POST
    @RateLimit(limit = 2, window = 60)
    String post();
  }

  class Inherits implements Contract {
    @Override
    public String get() {
      return "";
    }

    @Override
    @POST
    @RateLimit(limit = 4, window = 60)
    public String post() {
      return "";
    }
  }

  class Base {
    @GET
    @Path("base")
    @RateLimit(limit = 2, window = 60)
    public String base() {
      return "";
    }
  }

  @Path("derived")
  class Derived extends Base {
    @Override
    public String base() {
      return "";
    }
  }

  private Api own() throws Exception {
    return serving(Own.class).start();
  }

  @Test
  default void allOfSeveralMustAdmit() throws Exception {
    Api api = own();
    Response first = api.get("/stacked");
    assertEquals(
        Set.of("Own.stacked.ip-1m", "hourly"),
        Set.copyOf(Fields.names(first.header("RateLimit-Policy"))));
    assertEquals(2, Api.left(first));
    assertEquals(2, api.admitted("/stacked"));
    api.get("/stacked").then().statusCode(429);
    api.ticker().advance(java.time.Duration.ofSeconds(61));
    assertEquals(3, api.admitted("/stacked"));
  }

  @Test
  default void anAnnotationOfOnesOwnCarriesALimit() throws Exception {
    assertEquals(2, own().admitted("/composed"));
  }

  @Test
  default void anEndpointWithoutAnyLimitIsLeftAlone() throws Exception {
    Response free = own().get("/free");
    assertEquals(200, free.statusCode());
    assertNull(free.header("RateLimit"));
    assertNull(free.header("X-RateLimit-Limit"));
  }

  @Test
  default void aSubResourceIsLimitedFromItsFirstRequest() throws Exception {
    Api api = own();
    assertEquals(1, Api.left(api.get("/sub/a")));
    assertEquals(0, Api.left(api.get("/sub/b")));
    assertEquals(429, api.get("/sub/a").statusCode());
    assertNull(api.get("/sub/free").header("RateLimit"));
  }

  @Test
  default void aClassHasOneBucketForItsEndpoints() throws Exception {
    Api api = serving(Shared.class).start();
    assertEquals(2, Api.left(api.get("/shared")));
    assertEquals(1, Api.left(api.get("/shared/two")));
    assertEquals(5, api.admitted("/shared/own"));
    assertNull(api.get("/shared/free").header("RateLimit"));
    assertEquals(0, Api.left(api.get("/shared")));
    assertEquals(429, api.get("/shared/two").statusCode());
    assertEquals(200, api.get("/shared/free").statusCode());
  }

  @Test
  default void aMethodTakesTheLimitOfTheInterfaceUnlessItHasOne() throws Exception {
    Api api = serving(Inherits.class).start();
    assertEquals(2, api.admitted("/inherited"));
    assertEquals(3, Api.left(api.post("/inherited")));
  }

  @Test
  default void aMethodTakesTheLimitOfTheSuperclass() throws Exception {
    assertEquals(2, serving(Derived.class).start().admitted("/derived/base"));
  }

  @Test
  default void headCountsAsGet() throws Exception {
    Api api = own();
    Response head = api.request().head(api.base() + "/composed");
    assertEquals(200, head.statusCode());
    assertEquals(1, Api.left(head));
    assertEquals(1, api.admitted("/composed"));
    Response refused = api.request().head(api.base() + "/composed");
    assertEquals(429, refused.statusCode());
    assertNotNull(refused.header("Retry-After"));
    assertEquals(List.of("Own.composed"), Fields.names(refused.header("RateLimit")));
    assertEquals("", refused.body().asString());
  }

  @Test
  default void whatNobodyWroteIsNotLimited() throws Exception {
    Api api =
        serving(Own.class, Shared.class)
            .setting("weir.default.limit", "2")
            .setting("weir.default.window", "60s")
            .start();
    for (String path : List.of("/free", "/composed", "/shared", "/application.wadl")) {
      for (int i = 0; i < 4; i++) {
        Response options = api.request().options(api.base() + path);
        assertNull(options.header("RateLimit"), path);
        assertTrue(options.statusCode() < 429, path);
      }
    }
    assertEquals(2, api.admitted("/free"));
  }
}

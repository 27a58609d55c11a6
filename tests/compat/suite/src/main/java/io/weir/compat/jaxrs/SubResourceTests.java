package io.weir.compat.jaxrs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Unlimited;
import io.weir.compat.jaxrs.server.Api;
import io.weir.compat.jaxrs.server.SignInFilter;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.OPTIONS;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests methods that a request reaches through a locator of sub-resources. */
public interface SubResourceTests extends Serving {
  /** Locates a sub-resource by its class, and one whose class only the request shows. */
  @Path("/")
  class Root {
    @Path("typed")
    public Leaf typed() {
      return new Leaf();
    }

    @Path("untyped")
    public Object untyped() {
      return new Leaf();
    }
  }

  class Leaf {
    @GET
    @Path("address")
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "leaf-address")
    public String address() {
      return "by address";
    }

    @GET
    @Path("user")
    @RateLimit(limit = 2, window = 60, by = By.USER, name = "leaf-user")
    public String user() {
      return "by user";
    }

    @GET
    @Path("both")
    @RateLimit(limit = 3, window = 3600, by = By.IP, name = "both-address")
    @RateLimit(limit = 1, window = 10, by = By.USER, name = "both-user")
    public String both() {
      return "by both";
    }

    @OPTIONS
    @Path("options")
    @RateLimit(limit = 2, window = 60, name = "leaf-options")
    public String options() {
      return "options of its own";
    }

    @Path("marked")
    public Marked marked() {
      return new Marked();
    }
  }

  /** Limited as a class. */
  @RateLimit(limit = 2, window = 60, name = "marked")
  class Marked {
    @GET
    public String get() {
      return "got";
    }

    @POST
    public String post() {
      return "posted";
    }

    @GET
    @Path("free")
    @Unlimited
    public String free() {
      return "free";
    }
  }

  private static List<Integer> statuses(Api api, int times, String path, String... fields) {
    return Stream.generate(() -> api.get(path, fields).statusCode()).limit(times).toList();
  }

  @Test
  default void methodsOfSubResourcesAreLimitedInBothPhases() throws Exception {
    for (String root : List.of("/typed", "/untyped")) {
      Api api = serving(Root.class, SignInFilter.class).start();
      assertEquals(List.of(200, 200, 429), statuses(api, 3, root + "/address"));
      assertEquals(List.of(200, 200, 429), statuses(api, 3, root + "/user", "User", "alice"));
      assertEquals(List.of(200, 200, 429), statuses(api, 3, root + "/user", "User", "bob"));
    }
  }

  @Test
  default void headOfASubResourceCountsAsGetAndOnlyItsOwnOptionsCounts() throws Exception {
    for (String root : List.of("/typed", "/untyped")) {
      Api api = serving(Root.class).start();
      for (String path : List.of("/address", "/user")) {
        String uri = api.base() + root + path;
        assertNull(api.request().options(uri).header("RateLimit"), path);
        assertEquals(1, Api.left(api.request().head(uri)), path);
        assertEquals(0, Api.left(api.request().get(uri)), path);
        assertEquals(429, api.request().head(uri).statusCode(), path);
      }
      String options = api.base() + root + "/options";
      assertEquals(1, Api.left(api.request().options(options)));
      assertEquals(0, Api.left(api.request().options(options)));
      assertEquals(429, api.request().options(options).statusCode());
    }
  }

  @Test
  default void aSubResourceOfASubResourceIsLimitedAsItsClassSays() throws Exception {
    for (String root : List.of("/typed", "/untyped")) {
      Api api = serving(Root.class).start();
      String path = root + "/marked";
      assertEquals(200, api.get(path).statusCode());
      assertEquals(200, api.post(path).statusCode());
      assertEquals(429, api.get(path).statusCode());
      assertEquals(429, api.post(path).statusCode());
      assertEquals(200, api.get(path + "/free").statusCode());
    }
  }

  @Test
  default void aRefusalByUserRefundsTheAddressIfNoFilterRunsBetween() throws Exception {
    for (String root : List.of("/typed", "/untyped")) {
      assertEquals(List.of(200, 200), afterRefusals(serving(Root.class).start(), root));
    }
  }

  @Test
  default void aRefusalByUserAfterASignInRefundsNothing() throws Exception {
    for (String root : List.of("/typed", "/untyped")) {
      Api api = serving(Root.class, SignInFilter.class).start();
      assertEquals(List.of(200, 429), afterRefusals(api, root));
    }
  }

  /** Is admitted once, refused by user five times, and tries again when the user has permits. */
  private static List<Integer> afterRefusals(Api api, String root) {
    int first = api.get(root + "/both").statusCode();
    assertEquals(List.of(429, 429, 429, 429, 429), statuses(api, 5, root + "/both"));
    api.pass(Duration.ofSeconds(11));
    return List.of(first, api.get(root + "/both").statusCode());
  }
}

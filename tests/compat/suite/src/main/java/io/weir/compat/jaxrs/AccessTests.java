package io.weir.compat.jaxrs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.restassured.response.Response;
import io.weir.access.AccessSubject;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Unlimited;
import io.weir.compat.jaxrs.server.Api;
import io.weir.compat.jaxrs.server.SignInFilter;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests access lists: who is denied gets 403 on every endpoint, who is allowed passes limits. */
interface AccessTests extends Serving {
  @Path("access")
  class Gate {
    @GET
    @Path("limited")
    @RateLimit(limit = 1, window = 60, name = "gate")
    public String limited() {
      return "";
    }

    @GET
    @Path("unlimited")
    @Unlimited
    public String unlimited() {
      return "";
    }

    @GET
    @Path("free")
    public String free() {
      return "";
    }
  }

  @Test
  default void accessListsDenyCallersEverywhereAndLetOthersThrough() throws Exception {
    Map<String, String> live = new TreeMap<>();
    live.put("weir.access.deny", "203.0.113.0/24, user:mallory, " + AccessSubject.keyOf("stolen"));
    live.put("weir.access.key", "header:Key");
    Api api =
        serving(Gate.class, SignInFilter.class)
            .behindProxy()
            .weir(parts -> parts.liveSettings(() -> live))
            .start();
    for (String path : new String[] {"/access/limited", "/access/unlimited", "/access/free"}) {
      assertForbidden(api.from("203.0.113.9", path));
      assertForbidden(api.get(path, "X-Forwarded-For", "192.0.2.2", "User", "mallory"));
      assertForbidden(api.get(path, "X-Forwarded-For", "192.0.2.1", "Key", "stolen"));
      assertEquals(200, api.from("192.0.2.1", path).statusCode(), path);
    }
    assertEquals(429, api.from("192.0.2.1", "/access/limited").statusCode());
    live.put("weir.access.deny", "");
    live.put("weir.access.allow", "192.0.2.0/24");
    api.weir().refresh();
    assertEquals(200, api.from("203.0.113.9", "/access/free").statusCode());
    Response let = api.from("192.0.2.1", "/access/limited");
    assertEquals(200, let.statusCode());
    assertNull(let.header("RateLimit"));
  }

  private static void assertForbidden(Response response) {
    assertEquals(403, response.statusCode());
    assertEquals("application/problem+json", response.contentType());
    assertEquals("Forbidden", response.jsonPath().getString("title"));
    assertNull(response.header("Retry-After"));
    assertNull(response.header("RateLimit"));
    assertNull(response.header("RateLimit-Policy"));
  }
}

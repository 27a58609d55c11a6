package io.weir.compat.jaxrs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.compat.jaxrs.server.Api;
import io.weir.compat.jaxrs.server.RawClient;
import io.weir.compat.jaxrs.server.RawClient.Answer;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests malformed requests: they cause no 5xx, and get no bucket of their own. */
interface GarbageTests extends Serving {
  @Path("/")
  class Targets {
    @GET
    @Path("query")
    @RateLimit(limit = 1000, window = 60, by = By.KEY, key = "query:q")
    public String query() {
      return "";
    }

    @GET
    @Path("cookie")
    @RateLimit(limit = 1000, window = 60, by = By.KEY, key = "cookie:sid")
    public String cookie() {
      return "";
    }

    @GET
    @Path("path/{id}")
    @RateLimit(limit = 1000, window = 60, by = By.KEY, key = "path:id")
    public String path(@PathParam("id") String id) {
      return "";
    }

    @GET
    @Path("address")
    @RateLimit(limit = 1000, window = 60)
    public String address() {
      return "";
    }
  }

  List<String> TARGETS =
      List.of(
          "/query?q=%",
          "/query?q=%zz",
          "/query?%zz=1",
          "/query?q=%c0%af",
          "/query?q=%00",
          "/query?q=a&x=%zz",
          "/query?&&=&=a&q",
          "/query?q=%F0%28%8C%28",
          "/query?" + "q=a&".repeat(500),
          "/query?q=" + "x".repeat(6_000),
          "/path/%",
          "/path/%zz",
          "/path/%00",
          "/path/%c0%af",
          "/path/%ff%fe",
          "/path/;q=1",
          "/path/\u00e9",
          "/address?%");

  List<String> COOKIES =
      List.of(
          "",
          "=",
          ";",
          "sid",
          "sid=",
          "=a",
          "sid=\"",
          "sid=\"a",
          "sid=a\"b",
          "$Version",
          "$Version=x; sid=1",
          "$Path=/; sid=1",
          "sid=a; sid=b",
          "sid=\u00e9",
          "s id=1",
          "sid=%zz",
          ",;,;=;=",
          "sid=a".repeat(500));

  /** Ignores requests on which the container itself fails. */
  private static void fails(Api api, URI unlimited, String... head) throws Exception {
    int alone = status(unlimited, head);
    int ours = status(api.base(), head);
    assertTrue(
        ours < 500 || alone >= 500, () -> List.of(head) + " gave " + ours + ", not " + alone);
  }

  private static int status(URI base, String... head) throws Exception {
    return RawClient.send(base, head).map(Answer::status).orElse(0);
  }

  @Test
  default void garbledTargetsAreNoErrorOfOurs() throws Exception {
    Api api = serving(Targets.class).start();
    URI unlimited = serving(Targets.class).startUnlimited();
    for (String target : TARGETS) {
      fails(api, unlimited, "GET " + target + " HTTP/1.1");
    }
  }

  @Test
  default void garbledCookiesAreNoErrorOfOurs() throws Exception {
    Api api = serving(Targets.class).start();
    URI unlimited = serving(Targets.class).startUnlimited();
    for (String cookie : COOKIES) {
      fails(api, unlimited, "GET /cookie HTTP/1.1", "Cookie: " + cookie);
    }
  }

  @Test
  default void garbledHopsAreNoErrorOfOurs() throws Exception {
    URI unlimited = serving(Targets.class).startUnlimited();
    for (String header : List.of("X-Forwarded-For", "Forwarded")) {
      Api api = serving(Targets.class).behindProxy().setting("weir.proxy.header", header).start();
      for (String hop : List.of("", ",", "unknown", "for=\"", "\u00e9", "[::1", "1.2.3.4:x")) {
        fails(api, unlimited, "GET /address HTTP/1.1", header + ": " + hop);
      }
    }
  }

  /** A malformed escape elsewhere in the query must not change the key. */
  @Test
  default void aGarbledNeighbourHidesNoKey() throws Exception {
    Api api = serving(Targets.class).setting("weir.policy.Targets.query.limit", "1").start();
    assertEquals(200, api.get("/query?q=victim").statusCode());
    for (String target :
        List.of("/query?x=%zz&q=victim", "/query?%=&q=victim", "/query?q=victim&%")) {
      assertNotEquals(200, status(api.base(), "GET " + target + " HTTP/1.1"), target);
    }
  }
}

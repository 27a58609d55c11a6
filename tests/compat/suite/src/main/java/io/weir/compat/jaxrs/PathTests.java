package io.weir.compat.jaxrs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.RateLimit;
import io.weir.compat.jaxrs.server.Api;
import io.weir.compat.jaxrs.server.RawClient;
import io.weir.compat.jaxrs.server.RawClient.Answer;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests spellings of paths: exactly the requests that reach a handler are counted for it. */
interface PathTests extends Serving {
  @Path("shop")
  class Shop {
    final AtomicLong items = new AtomicLong();
    final AtomicLong others = new AtomicLong();

    @GET
    @Path("items")
    @RateLimit(limit = 1000, window = 60)
    public String items() {
      return "HANDLED items " + items.incrementAndGet();
    }

    @POST
    @Path("items")
    @RateLimit(limit = 1000, window = 60)
    public String post() {
      return "HANDLED others " + others.incrementAndGet();
    }

    @DELETE
    @Path("items")
    public String delete() {
      return "";
    }

    @GET
    @Path("{any: .*}")
    @RateLimit(limit = 1000, window = 60)
    public String any() {
      return "HANDLED others " + others.incrementAndGet();
    }
  }

  /** An application that uses the header. */
  @PreMatching
  class Overrides implements ContainerRequestFilter {
    @Override
    public void filter(ContainerRequestContext context) {
      String method = context.getHeaderString("X-HTTP-Method-Override");
      if (method != null) {
        context.setMethod(method);
      }
    }
  }

  List<String> SPELLINGS =
      List.of(
          "/shop/items",
          "/shop/items/",
          "/shop/items//",
          "//shop/items",
          "/shop//items",
          "/shop/./items",
          "/shop/x/../items",
          "/./shop/items",
          "/../shop/items",
          "/shop/items/.",
          "/shop/items/..",
          "/shop/%69tems",
          "/shop/%49tems",
          "/sh%6fp/items",
          "/%73hop/items",
          "/shop/items%2f",
          "/shop%2fitems",
          "/shop/%2e/items",
          "/shop/%2e%2e/shop/items",
          "/shop/x/%2e%2e/items",
          "/shop/items;matrix=1",
          "/shop/items;jsessionid=1",
          "/shop;a=b/items",
          "/shop/items;",
          "/shop/items/;",
          "/shop/items%3B",
          "/shop/items%3Bmatrix=1",
          "/shop/items%3b",
          "/shop/ITEMS",
          "/SHOP/items",
          "/Shop/Items",
          "/shop/items?",
          "/shop/items?a=b",
          "/shop/items#x",
          "/shop/items%23x",
          "/shop/items%3F",
          "/shop/items%20",
          "/shop/items+",
          "/shop/items%00",
          "/shop/items%0a",
          "/shop/items\\",
          "\\shop\\items",
          "/shop/items%5c",
          "/shop/items.json",
          "/shop/items,",
          "/shop/items%c0%ae",
          "/shop/%252e/items",
          "/shop/i\u00edtems",
          "shop/items",
          "*",
          "http://localhost/shop/items",
          "http://elsewhere.example/shop/items",
          "HTTP://LOCALHOST/shop/items",
          "http://localhost:1//shop/items");

  @Test
  default void whateverReachesTheHandlerIsCountedInItsBucket() throws Exception {
    Shop shop = new Shop();
    Api api = serving().with(shop).start();
    URI unlimited = serving(Shop.class).startUnlimited();
    for (String spelling : SPELLINGS) {
      for (String method : List.of("GET", "HEAD", "get", "OPTIONS", "POST", "DELETE")) {
        shows(api, method + " " + spelling + " HTTP/1.1");
      }
      fails(api, unlimited, "GET " + spelling + " HTTP/1.1");
    }
    assertTrue(shop.items.get() > 10, "some reach it");
    long before = shop.items.get();
    assertEquals(1000 - before - 1, Api.left(api.get("/shop/items")));
  }

  @Test
  default void anotherMethodByHeaderChangesNothing() throws Exception {
    Shop shop = new Shop();
    Api api = serving().with(shop).start();
    for (String field : List.of("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override")) {
      shows(api, "GET /shop/items HTTP/1.1", field + ": DELETE");
      shows(api, "DELETE /shop/items HTTP/1.1", field + ": GET");
      shows(api, "POST /shop/items?_method=GET HTTP/1.1", field + ": GET");
    }
    counted(api, shop, 3, 3);
  }

  @Test
  default void whereTheApplicationHeedsSuchAHeaderTheOtherMethodCounts() throws Exception {
    Shop shop = new Shop();
    Api api = serving(Overrides.class).with(shop).start();
    shows(api, "POST /shop/items HTTP/1.1", "X-HTTP-Method-Override: GET");
    shows(api, "GET /shop/items HTTP/1.1", "X-HTTP-Method-Override: POST");
    shows(api, "GET /shop/items HTTP/1.1", "X-HTTP-Method-Override: DELETE");
    counted(api, shop, 1, 1);
  }

  private static void counted(Api api, Shop shop, long items, long others) {
    assertEquals(items, shop.items.get());
    assertEquals(others, shop.others.get());
    assertEquals(999 - items, Api.left(api.get("/shop/items")));
    assertEquals(999 - others, Api.left(api.post("/shop/items")));
  }

  /** Only the response of a limited handler shows its limit. */
  private static void shows(Api api, String... head) throws Exception {
    Answer answer = answer(api.base(), head);
    boolean items = answer.body().contains("HANDLED items ");
    boolean limited = items || answer.body().contains("HANDLED others ");
    boolean bodiless = head[0].startsWith("HEAD ") && answer.status() == 200;
    assertEquals(
        limited || bodiless,
        answer.values("RateLimit").size() == 1,
        () -> head[0] + " gave " + answer);
    if (items) {
      assertTrue(answer.values("RateLimit").get(0).startsWith("\"Shop.items\""), head[0]);
    }
  }

  /** Ignores requests on which the container itself fails. */
  private static void fails(Api api, URI unlimited, String... head) throws Exception {
    int alone = answer(unlimited, head).status();
    int ours = answer(api.base(), head).status();
    assertTrue(ours < 500 || alone >= 500, () -> head[0] + " gave " + ours + ", not " + alone);
  }

  private static Answer answer(URI base, String... head) throws Exception {
    return RawClient.send(base, head).orElse(new Answer(0, List.of(), ""));
  }
}

package io.weir.quarkus.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import io.weir.testkit.FakeTicker;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RestTest {
  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      new QuarkusUnitTest()
          .withApplicationRoot(
              jar ->
                  jar.addClasses(
                      Shop.class,
                      Mailer.class,
                      SignIn.class,
                      LateSignIn.class,
                      Gate.class,
                      Time.class,
                      Client.class,
                      Waiting.class))
          .overrideConfigKey("quarkus.vertx.event-loops-pool-size", "1")
          .overrideConfigKey("quarkus.http.proxy.proxy-address-forwarding", "true")
          .overrideConfigKey("quarkus.http.proxy.allow-x-forwarded", "true")
          .overrideRuntimeConfigKey("weir.proxy.trusted", "127.0.0.1")
          .overrideRuntimeConfigKey("weir.access.deny", "203.0.113.66");

  /** The time of the limits. */
  @Singleton
  public static class Time {
    @Produces
    @Singleton
    FakeTicker ticker() {
      return new FakeTicker();
    }
  }

  @TestHTTPResource URI base;
  @Inject FakeTicker ticker;
  private Client client;

  @BeforeEach
  void start() {
    client = new Client(base);
    ticker.advance(Duration.ofMinutes(2));
  }

  private List<Integer> statuses(int times, String path, String... fields) throws Exception {
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      statuses.add(client.status(path, fields));
    }
    return statuses;
  }

  @Test
  void limitsMethodsOfEveryKind() throws Exception {
    for (String each : List.of("blocking", "uni", "items/abc", "parts/1")) {
      assertEquals(List.of(200, 429), statuses(2, "/shop/" + each), each);
    }
    ticker.advance(Duration.ofMinutes(2));
    assertEquals(200, client.status("/shop/blocking"));
  }

  @Test
  void readsVariablesOfThePath() throws Exception {
    assertEquals(200, client.status("/shop/items/abc"));
    assertEquals(200, client.status("/shop/items/def"));
    assertEquals(429, client.status("/shop/items/abc;x=1"), "with a matrix parameter");
  }

  @Test
  void knowsTheMethodByItsMediaTypes() throws Exception {
    assertEquals(List.of(200, 200, 429), statuses(3, "/shop/kinds", "Accept", "application/xml"));
    assertEquals(List.of(200, 429), statuses(2, "/shop/kinds", "Accept", "text/plain"));
    ticker.advance(Duration.ofMinutes(2));
    assertEquals(List.of(200, 429), statuses(2, "/shop/kinds", "Accept", "text/plain"));
    assertEquals(List.of(200, 200, 429), statuses(3, "/shop/kinds", "Accept", "application/xml"));
  }

  @Test
  void countsByTheUserThatAFilterSignsIn() throws Exception {
    assertEquals(200, client.status("/shop/account", "X-User", "anna"));
    assertEquals(200, client.status("/shop/account", "X-User", "ben"));
    assertEquals(429, client.status("/shop/account", "X-User", "anna"));
  }

  @Test
  void countsByTheUserThatALaterFilterSignsIn() throws Exception {
    String type = "application/x-www-form-urlencoded";
    for (String each : List.of("anna", "ben")) {
      HttpResponse<String> first =
          client.post("/shop/late", "more=1", "Content-Type", type, "X-Late-User", each);
      assertEquals("200 late 1", first.statusCode() + " " + first.body(), each);
      assertEquals(
          429,
          client
              .post("/shop/late", "more=1", "Content-Type", type, "X-Late-User", each)
              .statusCode());
    }
  }

  @Test
  void judgesStreamsAtTheirEnd() throws Exception {
    assertEquals(List.of(200, 200, 200), statuses(3, "/shop/multi"));
  }

  @Test
  void countsAStreamThatTheCallerLeavesAsAFailure() throws Exception {
    try (Socket events =
        client.open("GET /shop/events HTTP/1.1\r\nHost: shop\r\n\r\n", "event-0")) {
      assertTrue(events.isConnected());
    }
    Waiting.until("the end of the stream", () -> isRefused("/shop/events"));
  }

  private boolean isRefused(String path) throws Exception {
    try (Socket again =
        client.open("GET " + path + " HTTP/1.1\r\nHost: shop\r\n\r\n", "HTTP/1.1 ")) {
      return Client.read(again, "\r\n").startsWith("429");
    }
  }

  @Test
  void countsABodyThatBreaksOffAsAFailure() throws Exception {
    try {
      client.get("/shop/broken");
    } catch (java.io.IOException brokenOff) {
      // as it should be
    }
    Waiting.until("the end of the response", () -> status("/shop/broken") == 429);
  }

  private int status(String path) throws Exception {
    try {
      return client.status(path);
    } catch (java.io.IOException brokenOff) {
      return 0;
    }
  }

  @Test
  void readsNoBodyOfARefusedCallerAndKeepsTheConnection() throws Exception {
    String request =
        "POST /shop/orders HTTP/1.1\r\nHost: shop\r\nContent-Type: text/plain\r\n"
            + "Content-Length: 5\r\n\r\nhello";
    try (Socket socket = client.open(request, "hello")) {
      for (int i = 0; i < 3; i++) {
        Client.write(socket, request);
        assertTrue(Client.read(socket, "retryAfter").contains("429"));
      }
    }
  }

  @Test
  void readsKeysInTheBodyAndShowsItToTheResource() throws Exception {
    String type = "application/x-www-form-urlencoded";
    for (String each : List.of("form", "form-blocking")) {
      HttpResponse<String> first =
          client.post("/shop/" + each, "user=anna&more=%C3%A4", "Content-Type", type);
      assertEquals("200 anna+\u00e4", first.statusCode() + " " + first.body(), each);
      assertEquals(
          429, client.post("/shop/" + each, "user=anna", "Content-Type", type).statusCode());
      assertEquals(
          200, client.post("/shop/" + each, "user=ben", "Content-Type", type).statusCode());
    }
    String json = "{\"user\":\"anna\"}";
    HttpResponse<String> first =
        client.post("/shop/json", json, "Content-Type", "application/json");
    assertEquals("200 " + json, first.statusCode() + " " + first.body());
    assertEquals(
        429, client.post("/shop/json", json, "Content-Type", "application/json").statusCode());
    assertEquals(
        413,
        client
            .post("/shop/json", "x".repeat(70_000), "Content-Type", "application/json")
            .statusCode());
  }

  @Test
  void readsTheCostInTheBodyForAUser() throws Exception {
    String json = "{\"amount\":2}";
    HttpResponse<String> first =
        client.post("/shop/json-user", json, "Content-Type", "application/json", "X-User", "anna");
    assertEquals("200 " + json, first.statusCode() + " " + first.body());
    assertTrue(
        first.headers().map().get("RateLimit").toString().contains("\"json-cost\";r=3"),
        () -> first.headers().map().toString());
  }

  @Test
  void answersTheRefusalOfALimitedCall() throws Exception {
    assertEquals(200, client.status("/shop/mail"));
    HttpResponse<String> refused = client.get("/shop/mail");
    assertEquals(429, refused.statusCode());
    assertTrue(refused.headers().firstValue("Retry-After").isPresent());
    assertTrue(refused.body().contains("\"violated-policies\":[\"mail\"]"), refused.body());
  }

  @Test
  void knowsTheCallerOfALimitedCallInAnotherThread() throws Exception {
    assertEquals(200, client.status("/shop/mail-later", "X-Forwarded-For", "203.0.113.1"));
    assertEquals(200, client.status("/shop/mail-later", "X-Forwarded-For", "203.0.113.2"));
    assertEquals(429, client.status("/shop/mail-later", "X-Forwarded-For", "203.0.113.1"));
  }

  @Test
  void countsByTheConnectionWhateverTheProxySettingsOfQuarkusBelieve() throws Exception {
    // The first address is what a caller behind the trusted proxy has sent itself.
    assertEquals(200, client.status("/shop/uni", "X-Forwarded-For", "198.51.100.1, 203.0.113.9"));
    assertEquals(429, client.status("/shop/uni", "X-Forwarded-For", "198.51.100.2, 203.0.113.9"));
  }

  @Test
  void deniesWhomTheAccessListNames() throws Exception {
    assertEquals(403, client.status("/shop/free", "X-Forwarded-For", "203.0.113.66"));
    assertEquals(200, client.status("/shop/free", "X-Forwarded-For", "203.0.113.67"));
  }

  @Test
  void blocksNoEventLoopWhileADecisionWaits() throws Exception {
    Gate.arrived = new CountDownLatch(1);
    Gate.open = new CountDownLatch(1);
    try {
      CompletableFuture<HttpResponse<String>> waiting =
          client.getLater("/shop/uni", "X-Patient", "yes");
      Gate.arrived.await();
      assertTrue(client.get("/shop/free").body().contains("eventloop"));
      assertFalse(waiting.isDone());
      Gate.open.countDown();
      assertEquals(200, waiting.get().statusCode());
    } finally {
      Gate.open.countDown();
    }
    assertEquals(429, client.status("/shop/uni"));
  }
}

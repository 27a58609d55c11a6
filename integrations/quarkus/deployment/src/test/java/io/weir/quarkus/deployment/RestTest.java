package io.weir.quarkus.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import io.weir.bodies.UnreadBody;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RestTest {
  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      new QuarkusUnitTest()
          .withApplicationRoot(
              jar ->
                  jar.addClasses(
                      Shop.class,
                      Desk.class,
                      Desk.Rewriting.class,
                      Mailer.class,
                      SignIn.class,
                      LateSignIn.class,
                      Gate.class,
                      Rerouting.class,
                      Tally.class,
                      Time.class,
                      Client.class,
                      Waiting.class))
          .overrideConfigKey("quarkus.vertx.event-loops-pool-size", "1")
          .overrideConfigKey("quarkus.http.proxy.proxy-address-forwarding", "true")
          .overrideConfigKey("quarkus.http.proxy.allow-x-forwarded", "true")
          .overrideRuntimeConfigKey("weir.proxy.trusted", "127.0.0.1")
          .overrideRuntimeConfigKey("weir.access.deny", "203.0.113.66")
          .overrideRuntimeConfigKey("weir.policy.tables.url", "/shop/caf\u00e9/1,/shop/parts/2")
          .overrideRuntimeConfigKey("weir.policy.tables.limit", "2")
          .overrideRuntimeConfigKey("weir.policy.tables.window", "60");

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
  void reportsDecisionsToTheMetricsOfTheApplication() throws Exception {
    long before = Tally.DECISIONS.get();
    assertEquals(200, client.status("/shop/blocking"));
    assertEquals(before + 1, Tally.DECISIONS.get());
  }

  @Test
  void limitsPathsOfTheSettings() throws Exception {
    assertEquals(List.of(200, 200, 429), statuses(3, "/shop/caf%C3%A9/1"));
    assertEquals(List.of(200, 200, 200), statuses(3, "/shop/caf%C3%A9/2"));
    assertEquals(429, client.status("/shop/parts/2"), "of a sub-resource");
    assertEquals(429, client.status("/shop/parts/2;x=1"), "with a matrix parameter");
    assertEquals(200, client.status("/shop/parts/3"));
  }

  @Test
  void namesEndpointsByTheirDecodedPath() throws Exception {
    assertEquals(200, client.status("/shop/caf%C3%A9/1"));
    assertEquals("/shop/caf\u00e9/{table}", Gate.endpoint);
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

  @ParameterizedTest
  @ValueSource(strings = {"header", "query?tenant=", "body", "body-uni"})
  void decidesForWhatAFilterHasMadeOfTheRequest(String place) throws Exception {
    assertEquals("200 x", sentBy("anna", place, "x"));
    assertEquals("429", sentBy("ben", place, "x"));
    assertEquals("200 anna", sentBy("anna", place, ""));
    assertEquals("429", sentBy("anna", place, ""));
    assertEquals("200 y", sentBy("anna", place, "y"));
  }

  /** Sends a request of a tenant, and returns as which the resource has seen it. */
  private String sentBy(String tenant, String place, String rewrite) throws Exception {
    String path = "/desk/" + place + (place.endsWith("=") ? tenant : "");
    String[] fields =
        rewrite.isEmpty()
            ? new String[] {"Content-Type", "application/json", "X-Tenant", tenant}
            : new String[] {
              "Content-Type", "application/json", "X-Tenant", tenant, "X-Rewrite", rewrite
            };
    HttpResponse<String> response =
        place.startsWith("body")
            ? client.post(path, Desk.json(tenant), fields)
            : client.get(path, fields);
    return response.statusCode() == 200
        ? "200 " + response.body().replaceAll("\\{\"tenant\":\"(\\w+)\"}", "$1")
        : Integer.toString(response.statusCode());
  }

  @Test
  void countsAUserThatCannotBeReadByAddress() throws Exception {
    assertEquals(List.of(200, 429), statuses(2, "/shop/account", "X-Broken-User", "anna"));
  }

  @Test
  void appliesTheLimitsOfQuarkusToAFormThatPoliciesHaveRead() throws Exception {
    String type = "application/x-www-form-urlencoded";
    for (String each : List.of("form", "form-blocking", "form-user", "form-user-uni")) {
      String body = "user=anna&amount=1&more=" + "x".repeat(2_100);
      assertEquals(
          413, client.post("/shop/" + each, body, "Content-Type", type).statusCode(), each);
    }
  }

  @Test
  void showsABodyAlsoIfAFilterHasAskedForItsStream() throws Exception {
    String type = "application/x-www-form-urlencoded";
    for (String each : List.of("form", "form-blocking")) {
      String body = "user=touch&more=1";
      HttpResponse<String> first =
          client.post("/shop/" + each, body, "Content-Type", type, "X-Touch", "yes");
      assertEquals("200 touch+1", first.statusCode() + " " + first.body(), each);
    }
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
  void refundsAStreamThatTheCallerLeaves() throws Exception {
    try (Socket events =
        client.open("GET /shop/events HTTP/1.1\r\nHost: shop\r\n\r\n", "event-0")) {
      assertFalse(isAdmitted("/shop/events"), "while the stream lasts");
    }
    Waiting.until("the end of the stream", () -> isAdmitted("/shop/events"));
  }

  private boolean isAdmitted(String path) throws Exception {
    try (Socket again =
        client.open("GET " + path + " HTTP/1.1\r\nHost: shop\r\n\r\n", "HTTP/1.1 ")) {
      return Client.read(again, "\r\n").startsWith("200");
    }
  }

  @Test
  void refundsABodyThatBreaksOff() throws Exception {
    assertTrue(isAdmitted("/shop/broken"));
    Waiting.until("the end of the response", () -> isAdmitted("/shop/broken"));
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
  void closesNoConnectionUnannouncedAfterARefusal() throws Exception {
    for (UnreadBody each : UnreadBody.values()) {
      String json = "Content-Type: application/json";
      assertEquals(413, each.post(base.getPort(), "/shop/json", json), each.name());
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

  @ParameterizedTest
  @CsvSource({
    "json-user, json-cost",
    "json-user-uni, uni-cost",
    "form-user, form-cost",
    "form-user-uni, form-uni",
    "parts/json, part-cost"
  })
  void readsTheCostInTheBodyForAUser(String path, String policy) throws Exception {
    boolean isForm = path.startsWith("form");
    String body = isForm ? "amount=2" : "{\"amount\":2}";
    String type = isForm ? "application/x-www-form-urlencoded" : "application/json";
    for (String signIn : List.of("X-User", "X-Late-User", "X-Nobody")) {
      HttpResponse<String> first =
          client.post("/shop/" + path, body, "Content-Type", type, signIn, "anna-" + signIn);
      assertEquals("200 " + (isForm ? "2" : body), first.statusCode() + " " + first.body(), signIn);
      String limits = first.headers().map().get("RateLimit").toString();
      assertTrue(limits.contains("\"" + policy + "\";r=3"), signIn + limits);
      ticker.advance(Duration.ofMinutes(2));
    }
  }

  @Test
  void readsKeysInAMultipartFormAndShowsItToTheResource() throws Exception {
    String body = // long, so that it takes a while to parse
        part("other", "x".repeat(1_900)).repeat(25)
            + part("user", "anna")
            + part("more", "1")
            + part("amount", "3")
            + "--b--\r\n";
    for (String each : List.of("form", "form-blocking")) {
      String type = "multipart/form-data; boundary=b";
      HttpResponse<String> first = client.post("/shop/" + each, body, "Content-Type", type);
      assertEquals("200 anna+1", first.statusCode() + " " + first.body(), each);
      assertEquals(429, client.post("/shop/" + each, body, "Content-Type", type).statusCode());
    }
    for (String each : List.of("form-user", "form-user-uni")) {
      for (String signIn : List.of("X-User", "X-Late-User", "X-Nobody")) {
        ticker.advance(Duration.ofMinutes(2));
        String[] fields = {
          "Content-Type", "multipart/form-data; boundary=b", signIn, "carl-" + signIn
        };
        HttpResponse<String> first = client.post("/shop/" + each, body, fields);
        assertEquals("200 3", first.statusCode() + " " + first.body(), each + signIn);
        assertEquals(429, client.post("/shop/" + each, body, fields).statusCode());
      }
    }
  }

  private static String part(String name, String value) {
    return "--b\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n"
        .formatted(name, value);
  }

  @Test
  void keepsTheHeaderFieldsOfARequestThatIsRoutedAgain() throws Exception {
    HttpResponse<String> routed = client.get("/shop/free", "X-Reroute", "/shop/uni");
    assertEquals("200 uni", routed.statusCode() + " " + routed.body());
    assertTrue(routed.headers().firstValue("RateLimit").isPresent());
    assertEquals(429, client.status("/shop/free", "X-Reroute", "/shop/uni"));
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

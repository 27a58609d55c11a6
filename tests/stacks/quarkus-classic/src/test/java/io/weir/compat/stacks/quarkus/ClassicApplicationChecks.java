package io.weir.compat.stacks.quarkus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import io.weir.compat.stacks.quarkus.classic.Users;
import io.weir.testkit.FakeTicker;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks of an application with RESTEasy Classic, whenever Quarkus Security signs in. */
abstract class ClassicApplicationChecks {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  static QuarkusUnitTest application() {
    return new QuarkusUnitTest()
        .withApplicationRoot(
            jar ->
                jar.addClasses(
                    Shop.class,
                    Shop.Api.class,
                    Shop.Mailer.class,
                    Shop.Parts.class,
                    Shop.Rewriting.class,
                    Time.class,
                    Users.class,
                    ClassicApplicationChecks.class))
        .overrideConfigKey("quarkus.http.auth.basic", "true")
        .overrideConfigKey("quarkus.http.root-path", "/base")
        .overrideConfigKey("quarkus.http.proxy.proxy-address-forwarding", "true")
        .overrideConfigKey("quarkus.http.proxy.allow-x-forwarded", "true")
        .overrideRuntimeConfigKey("weir.proxy.trusted", "127.0.0.1")
        .overrideRuntimeConfigKey("weir.access.deny", "203.0.113.66")
        .overrideRuntimeConfigKey("weir.policy.tables.url", "/api/shop/tables/1")
        .overrideRuntimeConfigKey("weir.policy.tables.limit", "1")
        .overrideRuntimeConfigKey("weir.policy.tables.window", "60");
  }

  /** The time of the limits. */
  @Singleton
  public static class Time {
    @Produces
    @Singleton
    FakeTicker ticker() {
      return new FakeTicker();
    }
  }

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @TestHTTPResource("/api/shop/")
  URI base;

  @Inject FakeTicker ticker;

  @BeforeEach
  void start() {
    ticker.advance(Duration.ofMinutes(2));
  }

  private HttpResponse<String> send(String path, String body, String... fields) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path)).timeout(PATIENCE);
    for (int i = 0; i < fields.length; i += 2) {
      request.header(fields[i], fields[i + 1]);
    }
    if (!body.isEmpty()) {
      request.POST(HttpRequest.BodyPublishers.ofString(body));
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private int status(String path, String... fields) throws Exception {
    return send(path, "", fields).statusCode();
  }

  private List<Integer> statuses(int times, String path, String... fields) throws Exception {
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      statuses.add(status(path, fields));
    }
    return statuses;
  }

  private static String basic(String user, String password) {
    byte[] credential = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(credential);
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "items/abc", "parts/1", "tables/1", "mail"})
  void limitsResourcesOfEveryKind(String path) throws Exception {
    assertEquals(List.of(200, 429), statuses(2, path));
    assertEquals(429, status(path + ";x=1"), "with a matrix parameter");
    ticker.advance(Duration.ofMinutes(2));
    HttpResponse<String> first = send(path, "");
    assertEquals(200, first.statusCode());
    assertTrue(first.headers().firstValue("RateLimit").isPresent());
    HttpResponse<String> refused = send(path, "");
    assertTrue(refused.headers().firstValue("Retry-After").isPresent());
    assertTrue(refused.body().contains("\"violated-policies\""), refused.body());
  }

  @Test
  void limitsOnlyWhatPoliciesName() throws Exception {
    assertEquals(List.of(200, 429), statuses(2, "items/abc"));
    assertEquals(200, status("items/def"));
    assertEquals(List.of(200, 200), statuses(2, "tables/2"));
  }

  @Test
  void knowsTheMethodByItsMediaTypes() throws Exception {
    assertEquals(List.of(200, 200, 429), statuses(3, "kinds", "Accept", "application/xml"));
    assertEquals(List.of(200, 429), statuses(2, "kinds", "Accept", "text/plain"));
  }

  @Test
  void countsByTheConnectionWhateverTheProxySettingsOfQuarkusBelieve() throws Exception {
    // The first address is what a caller behind the trusted proxy has sent itself.
    assertEquals(200, status("plain", "X-Forwarded-For", "198.51.100.1, 203.0.113.9"));
    assertEquals(429, status("plain", "X-Forwarded-For", "198.51.100.2, 203.0.113.9"));
    assertEquals(403, status("tables/2", "X-Forwarded-For", "203.0.113.66"));
  }

  @Test
  void countsRequestsThatTheSignInRejects() throws Exception {
    for (int i = 0; i < 2; i++) {
      HttpResponse<String> rejected =
          send("login", "", "Authorization", basic("anna", "wrong-" + i));
      assertEquals(401, rejected.statusCode());
      assertTrue(rejected.headers().firstValue("RateLimit").isPresent());
    }
    assertEquals(429, status("login", "Authorization", basic("anna", "secret")));
    assertEquals(
        200,
        status(
            "login", "Authorization", basic("anna", "secret"), "X-Forwarded-For", "203.0.113.2"));
  }

  @Test
  void countsByTheUserOfQuarkusSecurity() throws Exception {
    for (String each : List.of("anna", "ben")) {
      assertEquals(List.of(200, 429), statuses(2, "mine", "Authorization", basic(each, "secret")));
    }
    assertEquals(List.of(200, 429), statuses(2, "mine"), "by address");
  }

  @ParameterizedTest
  @ValueSource(strings = {"form", "json"})
  void readsKeysInTheBodyAndShowsItToTheResource(String path) throws Exception {
    boolean isForm = path.equals("form");
    String type = isForm ? "application/x-www-form-urlencoded" : "application/json";
    for (String each : List.of("anna", "ben")) {
      String body = isForm ? "tenant=" + each : Shop.body(each);
      HttpResponse<String> first = send(path, body, "Content-Type", type);
      assertEquals("200 " + (isForm ? each : body), first.statusCode() + " " + first.body(), each);
      assertEquals(429, send(path, body, "Content-Type", type).statusCode());
    }
    assertEquals(413, send(path, "x".repeat(70_000), "Content-Type", type).statusCode());
  }

  @Test
  void readsTheCostInTheBodyForAUser() throws Exception {
    String body = "{\"amount\":2}";
    String[] fields = {
      "Content-Type", "application/json", "Authorization", basic("carl", "secret")
    };
    HttpResponse<String> first = send("cost", body, fields);
    assertEquals("200 " + body, first.statusCode() + " " + first.body());
    assertEquals(429, send("cost", body, fields).statusCode());
  }

  @ParameterizedTest
  @ValueSource(strings = {"tenant", "json"})
  void decidesForWhatAFilterHasMadeOfTheRequest(String path) throws Exception {
    assertEquals("200 x", sentBy("anna", path, "x"));
    assertEquals("429", sentBy("ben", path, "x"));
    assertEquals("200 anna", sentBy("anna", path, "anna"));
    assertEquals("429", sentBy("anna", path, "anna"));
    assertEquals("200 y", sentBy("anna", path, "y"));
  }

  /** Sends a request of a tenant, and returns as which the resource has seen it. */
  private String sentBy(String tenant, String path, String rewrite) throws Exception {
    HttpResponse<String> response =
        send(
            path,
            path.equals("json") ? Shop.body(tenant) : "",
            "Content-Type",
            "application/json",
            "X-Tenant",
            tenant,
            "X-Rewrite",
            rewrite);
    return response.statusCode() == 200
        ? "200 " + response.body().replaceAll("\\{\"tenant\":\"(\\w+)\"}", "$1")
        : Integer.toString(response.statusCode());
  }

  @Test
  void isLimitedByOneLayer() throws Exception {
    assertEquals("false", send("twice", "").body());
  }

  @Test
  void refundsABodyThatBreaksOff() throws Exception {
    assertEquals(200, statusOfStream());
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (statusOfStream() != 200) {
      assertTrue(System.nanoTime() - end < 0, "never refunded");
      Thread.sleep(10);
    }
  }

  /** Reads no body, which ends too early. */
  private int statusOfStream() throws Exception {
    HttpResponse<InputStream> response =
        http.send(
            HttpRequest.newBuilder(base.resolve("broken")).timeout(PATIENCE).build(),
            HttpResponse.BodyHandlers.ofInputStream());
    response.body().close();
    return response.statusCode();
  }
}

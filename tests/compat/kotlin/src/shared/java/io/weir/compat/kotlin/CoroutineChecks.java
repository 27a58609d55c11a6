package io.weir.compat.kotlin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.kotlin.shop.Gates;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Tries the limits of coroutines in one application. Each test has users and addresses of its own.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class CoroutineChecks {
  private final HttpClient client = HttpClient.newHttpClient();
  private final Class<?> application;
  private final WebApplicationType type;
  private ConfigurableApplicationContext context;
  private String base;

  CoroutineChecks(Class<?> application, WebApplicationType type) {
    this.application = application;
    this.type = type;
  }

  @BeforeAll
  void start() {
    context =
        new SpringApplicationBuilder(application)
            .web(type)
            .run(
                "--server.port=0",
                "--spring.main.banner-mode=off",
                "--weir.proxy.trusted=127.0.0.1");
    base = "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
  }

  @AfterAll
  void stop() {
    context.close();
  }

  private HttpRequest request(String path, String caller) {
    String login =
        Base64.getEncoder().encodeToString((caller + ":secret").getBytes(StandardCharsets.UTF_8));
    return HttpRequest.newBuilder(URI.create(base + path))
        .header("Authorization", "Basic " + login)
        .header("X-Forwarded-For", address(caller))
        .build();
  }

  /** Gives the users of one test, which {@code @} separates from its name, one address. */
  private static String address(String caller) {
    int test = caller.substring(caller.indexOf('@') + 1).hashCode();
    return "2001:db8:"
        + Integer.toHexString(test >>> 16)
        + ":"
        + Integer.toHexString(test & 0xffff)
        + "::1";
  }

  private HttpResponse<String> get(String path, String caller)
      throws IOException, InterruptedException {
    return client.send(request(path, caller), BodyHandlers.ofString());
  }

  private List<Integer> statuses(int times, String path, String caller) throws Exception {
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      found.add(get(path, caller).statusCode());
    }
    return found;
  }

  @Test
  void limitsASuspendHandlerOnceForEachRequest() throws Exception {
    assertEquals("tea", get("/tea", "tea").body());
    assertEquals(List.of(200, 429), statuses(2, "/tea", "tea"));
    HttpResponse<String> refused = get("/tea", "tea");
    assertEquals(List.of("application/problem+json"), refused.headers().allValues("Content-Type"));
    assertTrue(refused.headers().firstValue("Retry-After").isPresent());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/order?gate=", "/stream?gate=", "/letters/deliver?gate="})
  void judgesWhatSuspendsAtItsEnd(String path) throws Exception {
    String caller = "end@" + path;
    String gate = "end-" + type + path.hashCode();
    CompletableFuture<HttpResponse<String>> first =
        client.sendAsync(request(path + gate, caller), BodyHandlers.ofString());
    Gates.awaitArrival(gate);
    assertEquals(429, get(path + gate, caller).statusCode(), "it might still fail");

    Gates.open(gate);
    assertEquals(200, first.get().statusCode());
    assertEquals(List.of(200, 200), statuses(2, path + gate, caller), "successes don't count");

    String lost = "lost-" + type + path.hashCode();
    Gates.open(lost);
    try {
      assertTrue(get(path + lost, caller).statusCode() != 429);
    } catch (IOException brokenOff) {
      assertTrue(path.contains("stream"), brokenOff::toString);
    }
    assertEquals(429, get(path + gate, caller).statusCode(), "the failure counts");
  }

  @Test
  void exceptionsReachTheHandlersOfTheApplication() throws Exception {
    String lost = "lost-exception";
    Gates.open(lost);
    assertEquals(410, get("/order?gate=" + lost, "exception").statusCode());
    assertEquals(410, get("/letters/deliver?gate=" + lost, "exception").statusCode());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/letters/write",
        "/letters/print",
        "/letters/pages",
        "/letters/sheets",
        "/letters/burn",
        "/letters/carry",
        "/letters/ship",
        "/letters/start",
        "/letters/back",
        "/letters/async",
        "/flow/write",
        "/flow/print",
        "/blocking",
        "/desk",
        "/clerk"
      })
  void knowsTheUserInEveryDispatcher(String path) throws Exception {
    String one = "one@" + path;
    HttpResponse<String> first = get(path, one);
    assertEquals(200, first.statusCode(), first::body);
    assertEquals(200, get(path, one).statusCode());
    assertRefused(path, one);
    assertEquals(200, get(path, "other@" + path).statusCode());
  }

  /** The refusal within a flow comes once its response has begun, or instead of it. */
  private void assertRefused(String path, String caller) throws Exception {
    try {
      HttpResponse<String> refused = get(path, caller);
      assertTrue(refused.statusCode() == 429, refused::body);
    } catch (IOException brokenOff) {
      assertTrue(path.startsWith("/flow"), brokenOff::toString);
    }
  }

  @Test
  void aRefusalIsAnExceptionInTheCallersCoroutine() throws Exception {
    assertEquals("text", get("/letters/caught", "caught").body());
    assertEquals("text", get("/letters/caught", "caught").body());
    assertEquals("later", get("/letters/caught", "caught").body());
  }

  @Test
  void aCancelledFunctionHasFailed() throws Exception {
    assertEquals("no reply", get("/letters/reply", "reply").body());
    assertEquals("no reply", get("/letters/reply", "reply").body(), "only successes count");
  }

  @Test
  void parametersAreKeys() throws Exception {
    assertEquals("text to 1", get("/letters/fax", "fax").body());
    assertEquals(List.of(200, 429), statuses(2, "/letters/fax", "fax"));
  }

  @Test
  void aProxiedControllerIsChargedOnceForEachCall() throws Exception {
    assertEquals(200, get("/desk", "both").statusCode());
    assertEquals(200, get("/clerk", "both").statusCode());
    assertEquals(429, get("/desk", "both").statusCode());
    assertEquals(429, get("/clerk", "both").statusCode());
  }
}

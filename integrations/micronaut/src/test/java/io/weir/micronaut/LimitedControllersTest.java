package io.weir.micronaut;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.RateLimitExceededException;
import io.weir.bodies.UnreadBody;
import io.weir.testkit.FakeTicker;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import kotlinx.coroutines.reactive.ReactiveFlowKt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

/** Controllers, and the beans that they call, over HTTP. */
class LimitedControllersTest {
  private static ShopServer server;
  private static int callers;

  /** Each test has a caller of its own. */
  private final String caller = "203.0.113." + ++callers;

  @BeforeAll
  static void start() {
    server = new ShopServer(Map.of());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private List<Integer> statuses(String path, int times) throws Exception {
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      found.add(server.get(path, caller).statusCode());
    }
    return found;
  }

  @ParameterizedTest
  @ValueSource(strings = {"/shop/plain", "/shop/blocking"})
  void refusesOnceTheLimitIsReached(String path) throws Exception {
    assertEquals(List.of(200, 200, 429), statuses(path, 3));
    HttpResponse<String> refused = server.get(path, caller);
    assertEquals("application/problem+json", refused.headers().firstValue("Content-Type").get());
    assertEquals("0", refused.headers().firstValue("X-RateLimit-Remaining").get());
    assertTrue(refused.body().contains("429"), refused.body());
    assertEquals(200, server.get(path, "198.51.100.1").statusCode());

    server.bean(FakeTicker.class).advance(Duration.ofSeconds(61));
    assertEquals(200, server.get(path, caller).statusCode());
  }

  @Test
  void countsByVariablesOfThePath() throws Exception {
    String item = "/shop/items/" + callers;
    assertEquals(List.of(200, 200, 429), statuses(item, 3));
    assertEquals(200, server.get(item + "0", caller).statusCode());
  }

  @Test
  void countsHeadAsGet() throws Exception {
    for (int i = 0; i < 2; i++) {
      var head =
          server.request("/shop/plain", caller).method("HEAD", HttpRequest.BodyPublishers.noBody());
      assertEquals(200, server.send(head).statusCode());
    }
    assertEquals(429, server.get("/shop/plain", caller).statusCode());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/shop/later", "/shop/stage"})
  void judgesAsynchronousResultsAtTheirEnd(String path) throws Exception {
    assertEquals(List.of(200, 200, 200), statuses(path, 3));
    assertEquals(List.of(422, 422, 429), statuses(path + "?fail=true", 3));
  }

  @Test
  void judgesSuspendFunctionsAtTheirEnd() throws Exception {
    assertEquals(List.of(200, 200, 429), statuses("/shop/suspending/requests", 3));
    assertEquals(List.of(200, 200, 200), statuses("/shop/suspending/failures?fail=false", 3));
    assertEquals(List.of(500, 500, 429), statuses("/shop/suspending/failures?fail=true", 3));
    assertEquals(List.of(200, 200, 200), statuses("/shop/suspending/stock/tea", 3));
    assertEquals(List.of(500, 500, 429), statuses("/shop/suspending/stock/none", 3));
    assertEquals(500, server.get("/shop/suspending/stock/none", "198.51.100.4").statusCode());
  }

  @Test
  void judgesFlowsAtTheirEnd() throws Exception {
    assertEquals(List.of(200, 200, 429), statuses("/shop/flowing/requests", 3));
    assertEquals("ab", server.get("/shop/flowing/failures?fail=false", caller).body());
    assertEquals(List.of(200, 200, 200), statuses("/shop/flowing/failures?fail=false", 3));
    assertEquals(List.of(500, 500, 429), statuses("/shop/flowing/failures?fail=true", 3));
    assertEquals(List.of(200, 200, 200), statuses("/shop/flowing/rolls/tea", 3));
    assertEquals(List.of(500, 500, 429), statuses("/shop/flowing/rolls/none", 3));
    assertEquals(500, server.get("/shop/flowing/rolls/none", "198.51.100.4").statusCode());
  }

  /** Each collection is a call, and the method runs for it. */
  @Test
  void countsEachCollectionOfAFlow() {
    Flowing.Rolls rolls = server.bean(Flowing.Rolls.class);
    int before = rolls.taken.get();
    Flux<String> failing = Flux.from(ReactiveFlowKt.asPublisher(rolls.take("none")));
    assertEquals(before, rolls.taken.get());
    assertThrows(IllegalStateException.class, failing::blockLast);
    assertThrows(IllegalStateException.class, failing::blockLast);
    assertThrows(RateLimitExceededException.class, failing::blockLast);
    assertEquals(before + 2, rolls.taken.get());
  }

  @Test
  void aBodyThatCantBeWrittenIsAFailure() throws Exception {
    assertEquals(List.of(200, 200, 200), statuses("/shop/unwritable?fail=false", 3));
    assertEquals(List.of(500, 500, 429), statuses("/shop/unwritable?fail=true", 3));
  }

  @Test
  void judgesWhatAnotherWriterHasWritten() throws Exception {
    assertEquals(200, server.get("/shop/other-type", caller).statusCode());
    await(() -> isAdmitted("/shop/other-type"));
  }

  /** Only successes count, so a stream that has failed gives its permit back. */
  @Test
  void judgesStreamsAtTheirEnd() throws Exception {
    readBroken("/shop/stream?end=fails");
    await(() -> isAdmitted("/shop/stream?end=well"));
    assertEquals(429, server.get("/shop/stream?end=well", caller).statusCode());
  }

  private boolean isAdmitted(String path) throws Exception {
    return server.get(path, caller).statusCode() == 200;
  }

  private void readBroken(String path) throws Exception {
    try {
      server.get(path, caller);
    } catch (IOException broken) {
      // perhaps before its first part has arrived
    }
  }

  @Test
  void aStreamThatItsCallerLeavesHasFailed() throws Exception {
    HttpResponse<InputStream> opened =
        HttpClient.newHttpClient()
            .send(
                server.request("/shop/stream?end=never", caller).build(),
                HttpResponse.BodyHandlers.ofInputStream());
    assertEquals(200, opened.statusCode());
    opened.body().read();
    assertEquals(429, server.get("/shop/stream?end=well", caller).statusCode());
    opened.body().close();
    await(() -> isAdmitted("/shop/stream?end=well"));
  }

  private interface Check {
    boolean holds() throws Exception;
  }

  private static void await(Check check) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    boolean holds = check.holds();
    while (!holds && System.nanoTime() < end) {
      Thread.onSpinWait();
      holds = check.holds();
    }
    assertTrue(holds, "not within a minute");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/shop/stock/", "/shop/self/", "/shop/stock-later/", "/shop/stock-many/"})
  void limitsMethodsOfBeansForTheCallerOfTheRequest(String path) throws Exception {
    assertEquals(List.of(200, 200, 429), statuses(path + "tea", 3));
    HttpResponse<String> refused = server.get(path + "tea", caller);
    assertEquals("application/problem+json", refused.headers().firstValue("Content-Type").get());
    assertEquals(200, server.get(path + "milk", caller).statusCode());
    assertEquals(200, server.get(path + "tea", "198.51.100.2").statusCode());
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "/shop/order, application/json, {'user':'%s'}, {'user':'%s'}",
        "/shop/form, application/x-www-form-urlencoded, user=%s&note=n, %s n"
      })
  void countsByTheBodyAndShowsItToTheApplication(
      String path, String type, String body, String answer) throws Exception {
    String sent = body.replace('\'', '"').replace("%s", caller);
    HttpResponse<String> admitted = post(path, type, sent);
    assertEquals(200, admitted.statusCode(), admitted::body);
    assertEquals(answer.replace('\'', '"').replace("%s", caller), admitted.body());
    assertEquals(429, post(path, type, sent).statusCode());
    assertEquals(200, post(path, type, sent.replace(caller, caller + "a")).statusCode());
  }

  @Test
  void closesNoConnectionUnannouncedAfterARefusal() throws Exception {
    for (UnreadBody each : UnreadBody.values()) {
      String json = "X-Forwarded-For: " + caller + "\r\nContent-Type: application/json";
      assertEquals(413, each.post(server.port(), "/shop/order", json), each.name());
    }
  }

  private HttpResponse<String> post(String path, String type, String body) throws Exception {
    return server.send(
        server
            .request(path, caller)
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  private HttpResponse<String> signIn(String path, String user, String password) throws Exception {
    String credentials =
        Base64.getEncoder()
            .encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    return server.send(
        server.request(path, caller).header("Authorization", "Basic " + credentials));
  }

  @Test
  void rejectedSignInsCount() throws Exception {
    for (int i = 0; i < 3; i++) {
      assertEquals(401, signIn("/account/free", "alice", "guess" + i).statusCode());
    }
    assertEquals(429, signIn("/account/free", "alice", "secret").statusCode());
  }

  @Test
  void theLimitOfAControllerCountsEachRequestOnce() throws Exception {
    for (int i = 0; i < 3; i++) {
      assertEquals(200, signIn("/account/free", "alice", "secret").statusCode());
    }
    assertEquals(429, signIn("/account/free", "alice", "secret").statusCode());
  }

  @Test
  void countsByThePrincipalOfMicronautSecurity() throws Exception {
    assertEquals(200, signIn("/account", caller, "secret").statusCode());
    assertEquals(200, signIn("/account", caller, "secret").statusCode());
    assertEquals(429, signIn("/account", caller, "secret").statusCode());
    assertEquals(200, signIn("/account", caller + "b", "secret").statusCode());
  }

  @Test
  void knowsUsersThatAFilterOfTheApplicationHasSignedIn() throws Exception {
    for (int status : List.of(200, 200, 429)) {
      assertEquals(
          status,
          server
              .send(server.request("/shop/signed-in", caller).header("X-User", "alice"))
              .statusCode());
    }
    assertEquals(
        200,
        server
            .send(server.request("/shop/signed-in", caller).header("X-User", "bob"))
            .statusCode());
  }

  @Test
  void aRequestThatAFilterReplacesIsDecidedForTheCallerThatSentIt() throws Exception {
    assertEquals(List.of(200, 200, 429), statuses("/shop/replaced", 3));
    assertEquals(200, server.get("/shop/replaced", "198.51.100.3").statusCode());
    assertEquals(List.of(200, 200, 429), statuses("/shop/replaced-early", 3));
    assertEquals(200, server.get("/shop/replaced-early", "198.51.100.3").statusCode());
  }

  @Test
  void believesOnlyProxiesThatItTrusts() throws Exception {
    for (int i = 0; i < 2; i++) {
      server.send(server.request("/shop/plain", caller).header("X-Client-Address", "192.0.2." + i));
    }
    assertEquals(
        429,
        server
            .send(server.request("/shop/plain", caller).header("X-Client-Address", "192.0.2.9"))
            .statusCode());
  }

  @Test
  void limitsACallOfAControllerByOtherCode() {
    Shop shop = server.bean(Shop.class);
    shop.blocking();
    shop.blocking();
    assertThrows(RateLimitExceededException.class, shop::blocking);
  }

  @Test
  void aDecidedHandlerThatCallsItselfIsChargedForTheCall() throws Exception {
    assertEquals(List.of(200, 429), statuses("/shop/again", 2));
  }

  /** The caller has left before there was a response. */
  @Test
  void aRequestThatItsCallerLeavesHasFailed() throws Exception {
    try (Socket socket = sent("/shop/pending")) {
      assertTrue(socket.isConnected());
      assertEquals(caller, Shop.PENDING.poll(1, TimeUnit.MINUTES));
      assertEquals(429, server.get("/shop/pending?answer=true", caller).statusCode());
    }
    await(() -> isAdmitted("/shop/pending?answer=true"));
  }

  @Test
  void aStreamThatItsCallerLeavesBeforeItsFirstPartIsCancelled() throws Exception {
    try (Socket socket = sent("/shop/stream?end=silent")) {
      assertTrue(socket.isConnected());
      assertEquals("subscribed", Shop.SILENT.poll(1, TimeUnit.MINUTES));
    }
    assertEquals("cancelled", Shop.SILENT.poll(1, TimeUnit.MINUTES));
  }

  /** Sends a request whose response may never come. */
  private Socket sent(String path) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    String request =
        "GET " + path + " HTTP/1.1\r\nHost: shop\r\nX-Forwarded-For: " + caller + "\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  @Test
  void limitsTheHandshakesOfWebSockets() throws Exception {
    for (int i = 0; i < 2; i++) {
      WebSocket socket = connect(new CompletableFuture<>());
      socket.abort();
    }
    ExecutionException refused =
        assertThrows(ExecutionException.class, () -> connect(new CompletableFuture<>()));
    assertEquals(
        429, ((WebSocketHandshakeException) refused.getCause()).getResponse().statusCode());
  }

  @Test
  void leavesTheMessagesOfWebSocketsAlone() throws Exception {
    for (int i = 0; i < 2; i++) {
      CompletableFuture<String> heard = new CompletableFuture<>();
      WebSocket socket = connect(heard);
      socket.sendText("hello", true);
      assertEquals("hello", heard.get(1, TimeUnit.MINUTES));
      socket.abort();
    }
  }

  private WebSocket connect(CompletableFuture<String> heard) throws Exception {
    return HttpClient.newHttpClient()
        .newWebSocketBuilder()
        .header("X-Forwarded-For", caller)
        .buildAsync(
            URI.create(
                server
                    .request("/shop/talk", caller)
                    .build()
                    .uri()
                    .toString()
                    .replace("http", "ws")),
            new WebSocket.Listener() {
              @Override
              public @Nullable CompletionStage<?> onText(
                  WebSocket socket, CharSequence words, boolean last) {
                heard.complete(words.toString());
                return null;
              }
            })
        .get(1, TimeUnit.MINUTES);
  }
}

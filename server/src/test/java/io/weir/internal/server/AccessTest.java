package io.weir.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.redis.Await;
import io.weir.rules.access.AccessToken;
import io.weir.rules.access.AccessTokens;
import io.weir.rules.access.NewAccessToken;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests which tokens HTTP accepts for what. */
class AccessTest {
  private static final int OK = 200;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int MORE_THAN_THREADS = 220;

  private static RunningServer server;

  @BeforeAll
  static void start() {
    server = new RunningServer(Map.of());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static AccessTokens tokens() {
    return server.service().rules().tokens();
  }

  private static NewAccessToken token(String role, Optional<Instant> end) {
    return tokens().create("test", role, Optional.of("alice"), end, "test");
  }

  private static int status(String path, String token) {
    return path.equals("/v1/ratelimit/check")
        ? server.check(token).statusCode()
        : server.get(path, token).statusCode();
  }

  @Test
  void eachRoleOpensItsOwn() {
    Map<String, List<Integer>> matrix =
        Map.of(
            "weir-admin", List.of(OK, FORBIDDEN, OK, FORBIDDEN),
            "weir-view", List.of(FORBIDDEN, FORBIDDEN, OK, FORBIDDEN),
            "weir-check", List.of(OK, FORBIDDEN, OK, FORBIDDEN),
            "weir-metrics", List.of(FORBIDDEN, OK, OK, FORBIDDEN),
            "user", List.of(FORBIDDEN, FORBIDDEN, OK, OK),
            "weir-unheard-of", List.of(UNAUTHORIZED, UNAUTHORIZED, UNAUTHORIZED, UNAUTHORIZED));
    matrix.forEach(
        (role, statuses) -> {
          String secret = token(role, Optional.empty()).secret();
          List<Integer> found = new ArrayList<>();
          for (String path :
              List.of("/v1/ratelimit/check", "/metrics", "/v1/session", "/v1/dashboard/status")) {
            found.add(status(path, secret));
          }
          assertEquals(statuses, found, role);
        });
  }

  @Test
  void aViewerSeesWhatAdministratorsSeeAndChangesNothing() {
    String secret = token("weir-view", Optional.empty()).secret();
    String admin = "/v1/admin/ratelimit";
    String rule =
        "{\"name\": \"seen\", \"tier\": \"t\", \"endpointPattern\": \"/x\", \"limitCount\": 3,"
            + " \"windowSeconds\": 60}";
    assertEquals(OK, server.get(admin + "/rules", secret).statusCode());
    assertEquals(OK, server.get(admin + "/events?seconds=0", secret).statusCode());
    assertEquals(OK, server.get("/v1/openapi.json", secret).statusCode());
    assertEquals(FORBIDDEN, send("POST", admin + "/rules", rule, secret));
    assertEquals(OK, send("POST", admin + "/rules?dryRun=true", rule, secret));
    assertEquals(FORBIDDEN, send("PUT", admin + "/rulebook", "rules: []", secret));
    // Longer than the bodies of other requests may be.
    String yaml = "# " + "x".repeat(100_000) + "\nrules: []";
    assertEquals(OK, send("PUT", admin + "/rulebook?dryRun=true", yaml, secret));
    assertEquals(FORBIDDEN, server.get("/v1/ratelimit/forward", secret).statusCode());
  }

  private static int send(String method, String path, String body, String secret) {
    String type = path.contains("rulebook") ? "application/yaml" : "application/json";
    return server
        .send(method, path, body, "Authorization", "Bearer " + secret, "Content-Type", type)
        .statusCode();
  }

  @Test
  void nobodyIsLetInWithoutATokenThatIsValid() {
    NewAccessToken revoked = token("weir-admin", Optional.empty());
    assertEquals(OK, server.check(revoked.secret()).statusCode());
    tokens().revoke(revoked.token().id(), "test");
    NewAccessToken over = token("weir-admin", Optional.of(Instant.now().minusSeconds(1)));
    NewAccessToken good = token("weir-admin", Optional.empty());
    List<String> wrong =
        List.of(
            revoked.secret(),
            over.secret(),
            good.secret() + "x",
            good.secret().substring(1),
            good.token().id(),
            "null",
            "a.b.c",
            "x".repeat(6_000));
    for (String each : wrong) {
      HttpResponse<String> response = server.check(each);
      assertEquals(UNAUTHORIZED, response.statusCode());
      assertTrue(response.headers().firstValue("WWW-Authenticate").orElse("").startsWith("Bearer"));
      assertFalse(response.body().contains(each));
    }
    HttpResponse<String> basic =
        server.send("POST", "/v1/ratelimit/check", "{}", "Authorization", "Basic d2VpcjpzZWNyZXQ=");
    assertEquals(UNAUTHORIZED, basic.statusCode());
    assertEquals(UNAUTHORIZED, server.send("POST", "/v1/ratelimit/check", "{}").statusCode());
    assertEquals(UNAUTHORIZED, server.send("GET", "/metrics", "").statusCode());
  }

  /** Browsers and proxies add what they were given elsewhere. */
  @Test
  void theConsolesFilesAreOpenWhateverIsSent() {
    for (String path : List.of("/", "/v1/console/", "/v1/console/js/app.js")) {
      int open = server.send("GET", path, "").statusCode();
      for (String each : List.of("Basic d2VpcjpzZWNyZXQ=", "Bearer unknown", "")) {
        assertEquals(open, server.send("GET", path, "", "Authorization", each).statusCode(), path);
      }
    }
  }

  /** The head of a request whose body comes later. */
  private static final String LATE =
      """
      POST /v1/ratelimit/check HTTP/1.1\r
      Host: localhost\r
      Authorization: Bearer wrong\r
      Content-Length: 2\r
      \r
      """;

  @Test
  void aBodyThatComesAfterItsRefusalCostsNobodyTheConnection() throws Exception {
    URI address = URI.create(server.url());
    try (Socket socket = new Socket(address.getHost(), address.getPort())) {
      socket.setSoTimeout(120_000);
      for (int i = 0; i < 3; i++) {
        send(socket, LATE);
        Thread.sleep(100);
        send(socket, "{}");
        assertTrue(read(socket).startsWith("HTTP/1.1 401"), "request " + i);
      }
    }
  }

  @Test
  void bodiesThatDoNotComeKeepNobodyFromAnAnswer() throws Exception {
    URI address = URI.create(server.url());
    List<Socket> strangers = new ArrayList<>();
    try {
      for (int i = 0; i < MORE_THAN_THREADS; i++) {
        Socket stranger = new Socket(address.getHost(), address.getPort());
        strangers.add(stranger);
        stranger.setSoTimeout(60_000);
        send(stranger, LATE);
      }
      assertEquals(OK, server.send("GET", "/health/live", "").statusCode());
      // And not because the server gave them up: their connections go on.
      Socket last = strangers.get(MORE_THAN_THREADS - 1);
      assertTrue(read(last).startsWith("HTTP/1.1 401"));
      send(last, "{}" + LATE);
      assertTrue(read(last).contains("HTTP/1.1 401"));
    } finally {
      for (Socket each : strangers) {
        each.close();
      }
    }
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** A response whose body ends with its last bracket. */
  private static String read(Socket socket) throws IOException {
    StringBuilder text = new StringBuilder();
    int next = socket.getInputStream().read();
    while (next >= 0 && next != '}') {
      text.append((char) next);
      next = socket.getInputStream().read();
    }
    return text.toString();
  }

  @Test
  void aGatewayMayPassOnTheAuthorizationOfItsClient() {
    String path = "/v1/ratelimit/forward";
    String[] client = {
      "Authorization", "Basic Y2xpZW50Om93bg==", "X-Forwarded-Method", "GET",
      "X-Forwarded-Uri", "/api/posts", "X-Forwarded-For", "203.0.113.9"
    };
    assertEquals(UNAUTHORIZED, server.send("GET", path, "", client).statusCode());
    List<String> all = new ArrayList<>(List.of(client));
    all.addAll(List.of("X-Weir-Token", token("weir-check", Optional.empty()).secret()));
    String[] both = all.toArray(new String[0]);
    assertEquals(OK, server.send("GET", path, "", both).statusCode());
    assertEquals(UNAUTHORIZED, server.send("GET", "/v1/session", "", both).statusCode());
  }

  @Test
  void aGatewaysTokenCountsWhateverCookiesItsClientSends() throws IOException {
    try (RunningServer known =
        new RunningServer(Map.of("weir.control.hosts", "limits.example.org"))) {
      String[] asked = {
        "Host: weir:8070",
        "Cookie: shop=1",
        "X-Weir-Token: " + known.admin(),
        "X-Forwarded-Method: GET",
        "X-Forwarded-Uri: /api/posts",
        "X-Forwarded-For: 203.0.113.9"
      };
      assertEquals(OK, known.raw("GET /v1/ratelimit/forward", asked));
      assertEquals(UNAUTHORIZED, known.raw("GET /v1/ratelimit/status/alice", asked));
    }
  }

  @Test
  void traceRepeatsNobodysCredentials() throws IOException {
    try (RunningServer both = new RunningServer(Map.of("weir.server.metrics.port", "0"))) {
      for (String path :
          List.of("/health/live", "/metrics", "/v1/session", "/v1/ratelimit/check", "/none")) {
        HttpResponse<String> traced =
            both.send("TRACE", path, "", "Authorization", "Bearer " + both.admin());
        assertEquals(405, traced.statusCode(), path);
        assertFalse(traced.body().contains(both.admin()), path);
        assertTrue(traced.headers().firstValue("Allow").isPresent(), path);
      }
    }
  }

  @Test
  void aStreamOfEventsEndsWithItsToken() throws Exception {
    NewAccessToken token = token("weir-admin", Optional.empty());
    long sent = System.nanoTime();
    HttpResponse<InputStream> events =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(server.url() + "/v1/admin/ratelimit/events"))
                    .header("Authorization", "Bearer " + token.secret())
                    .build(),
                HttpResponse.BodyHandlers.ofInputStream());
    assertEquals(OK, events.statusCode());
    CompletableFuture<Integer> read =
        CompletableFuture.supplyAsync(
            () -> {
              try (InputStream in = events.body()) {
                return in.readAllBytes().length;
              } catch (IOException failed) {
                throw new UncheckedIOException(failed);
              }
            });
    tokens().revoke(token.token().id(), "test");
    // By itself it would end a minute after it began.
    long patience = TimeUnit.SECONDS.toNanos(50) - (System.nanoTime() - sent);
    assertTrue(read.get(patience, TimeUnit.NANOSECONDS) > 0);
  }

  @Test
  void aTokenThatSqlGaveToOthersDoesNotLetIn() throws SQLException {
    String database = RunningServer.memory();
    try (RunningServer other = new RunningServer(Map.of("weir.rules", database));
        Connection connection = DriverManager.getConnection(database);
        Statement statement = connection.createStatement()) {
      assertEquals(OK, other.check(other.admin()).statusCode());
      statement.execute("UPDATE weir.weir_access_tokens SET user_id = 'ip:192.0.2.1'");
      Await.until("it is refused", () -> other.check(other.admin()).statusCode() == UNAUTHORIZED);
    }
  }

  @Test
  void aUsersNameMayHaveWhatAPathMayNot() {
    String status = "/v1/ratelimit/status";
    String name = "spiffe%3A%2F%2Fexample.org%2Fa%5Cb%25";
    HttpResponse<String> told = server.get(status + "?userId=" + name, server.admin());
    assertEquals(OK, told.statusCode());
    assertEquals("spiffe://example.org/a\\b%", RunningServer.json(told).get("userId").textValue());
    assertEquals(400, server.get(status + "/" + name, server.admin()).statusCode());
  }

  @Test
  void probesAreForWhoeverAsks() {
    assertEquals(OK, server.send("GET", "/health/live", "").statusCode());
    HttpResponse<String> ready = server.send("GET", "/health/ready", "");
    assertEquals("ready", RunningServer.json(ready).get("status").textValue());
  }

  @Test
  void metricsTellDecisionsRulesAndWhatIsMissing() {
    server.check(server.admin());
    String metrics =
        server.get("/metrics", token("weir-metrics", Optional.empty()).secret()).body();
    for (String each :
        List.of(
            "weir_server_decisions_seconds_count{listener=\"http\"}",
            "weir_rules_version",
            "weir_rules_age_seconds",
            "weir_usage_dropped_requests")) {
      assertTrue(metrics.contains(each), each);
    }
  }

  @Test
  void noTokenGetsIntoALogOrAHistory() {
    List<String> lines = new CopyOnWriteArrayList<>(); // other threads log as well
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            lines.add(line.getMessage() + line.getThrown());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger.getLogger("").addHandler(handler);
    try {
      NewAccessToken made = token("weir-admin", Optional.empty());
      server.check(made.secret());
      tokens().revoke(made.token().id(), "test");
      server.check(made.secret());
      lines.add(server.service().rules().history().latest(100).toString());
      lines.add(made.toString());
      for (String each : lines) {
        assertFalse(each.contains(made.secret()), "a secret in: " + each);
      }
    } finally {
      Logger.getLogger("").removeHandler(handler);
    }
  }

  @Test
  void ofTwoServersOnOneDatabaseOneMakesTheAdministrator() {
    String database = RunningServer.memory();
    try (RunningServer one = new RunningServer(Map.of("weir.rules", database));
        RunningServer two = new RunningServer(Map.of("weir.rules", database))) {
      Await.until(
          "one has printed its token", () -> !one.printed().isEmpty() || !two.printed().isEmpty());
      List<String> printed = new ArrayList<>(one.printed());
      printed.addAll(two.printed());
      assertEquals(1, printed.size());
      assertEquals(OK, one.check(printed.get(0)).statusCode());
      assertEquals(OK, two.check(printed.get(0)).statusCode());
      List<AccessToken> all = two.service().rules().tokens().all();
      assertEquals(List.of("weir-admin"), all.stream().map(AccessToken::role).toList());
    }
  }
}

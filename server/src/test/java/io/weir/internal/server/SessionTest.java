package io.weir.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.compat.redis.RedisServer;
import io.weir.rules.access.NewAccessToken;
import io.weir.rules.history.RuleChange;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests sessions by cookie, which other sites can't use. */
class SessionTest {
  private static final int NO_CONTENT = 204;
  private static final int OK = 200;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final String CHECK = "{\"userId\":\"alice\",\"endpoint\":\"/api/posts\"}";

  private static RunningServer server;

  @BeforeAll
  static void start() {
    server = new RunningServer(Map.of("weir.control.hosts", "limits.example.org"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static NewAccessToken token() {
    return server
        .service()
        .rules()
        .tokens()
        .create(
            "page " + UUID.randomUUID(), "weir-admin", Optional.empty(), Optional.empty(), "test");
  }

  private static String setCookie(String token) {
    HttpResponse<String> response =
        server.send("POST", "/v1/session", "", "Authorization", "Bearer " + token);
    assertEquals(NO_CONTENT, response.statusCode());
    return response.headers().firstValue("Set-Cookie").orElseThrow();
  }

  private static String cookie(String token) {
    return setCookie(token).split(";")[0];
  }

  private static int check(String cookie, String... fields) {
    String[] all = new String[fields.length + 4];
    all[0] = "Cookie";
    all[1] = cookie;
    all[2] = "Content-Type";
    all[3] = "application/json";
    System.arraycopy(fields, 0, all, 4, fields.length);
    return server.send("POST", "/v1/ratelimit/check", CHECK, all).statusCode();
  }

  @Test
  void theCookieIsOfThisSiteAloneAndNoScriptReadsIt() {
    String field = setCookie(token().secret());
    for (String each : new String[] {"HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=28800"}) {
      assertTrue(field.contains(each), field);
    }
    assertFalse(field.contains("Secure"), "without TLS a browser would drop it");
  }

  @Test
  void behindATlsProxyTheCookieIsSecure() {
    try (RunningServer behind =
        new RunningServer(Map.of("weir.control.origin", "https://limits.example.org"))) {
      HttpResponse<String> response =
          behind.send("POST", "/v1/session", "", "Authorization", "Bearer " + behind.admin());
      assertTrue(response.headers().firstValue("Set-Cookie").orElseThrow().endsWith("; Secure"));
    }
  }

  @Test
  void whatChangesSomethingNeedsThePagesOwnOriginAndHeader() {
    String cookie = cookie(token().secret());
    assertEquals(OK, check(cookie, "Origin", server.url(), "X-Weir", "1"));
    assertEquals(FORBIDDEN, check(cookie));
    assertEquals(FORBIDDEN, check(cookie, "Origin", server.url()));
    assertEquals(FORBIDDEN, check(cookie, "X-Weir", "1"));
    assertEquals(FORBIDDEN, check(cookie, "Origin", "https://evil.example", "X-Weir", "1"));
    assertEquals(FORBIDDEN, check(cookie, "Origin", "null", "X-Weir", "1"));
    assertEquals(OK, server.send("GET", "/v1/session", "", "Cookie", cookie).statusCode());
  }

  @Test
  void anotherSitesNameThatLeadsHereIsRefused() throws IOException {
    String cookie = "Cookie: " + cookie(token().secret());
    String bearer = "Authorization: Bearer " + token().secret();
    assertEquals(FORBIDDEN, server.raw("GET /v1/session", "Host: evil.example:8070", cookie));
    assertEquals(OK, server.raw("GET /v1/session", "Host: limits.example.org", cookie));
    assertEquals(OK, server.raw("GET /v1/session", "Host: [::1]:8070", cookie));
    assertEquals(OK, server.raw("GET /v1/session", "Host: evil.example", bearer));
    assertEquals(FORBIDDEN, server.raw("POST /v1/session", "Host: evil.example", bearer));
  }

  @Test
  void aSessionEndsWithItsToken() {
    NewAccessToken token = token();
    String cookie = cookie(token.secret());
    server.service().rules().tokens().revoke(token.token().id(), "test");
    assertEquals(
        UNAUTHORIZED, server.send("GET", "/v1/session", "", "Cookie", cookie).statusCode());
  }

  @Test
  void whoMendsAnOutageSignsInWhateverTheSettingsSayOfTheStore() {
    for (String reserve : List.of("0", "20")) {
      try (RunningServer away =
          new RunningServer(
              Map.of(
                  "weir.store", "redis://127.0.0.1:" + RedisServer.freePort(),
                  "weir.store.start-timeout", "50ms",
                  "weir.store.nodes", "3",
                  "weir.store.reserve", reserve,
                  "weir.on-store-failure", "closed"))) {
        HttpResponse<String> signedIn =
            away.send("POST", "/v1/session", "", "Authorization", "Bearer " + away.admin());
        assertEquals(NO_CONTENT, signedIn.statusCode(), signedIn.body());
      }
    }
  }

  /** Also one who signs out each time: each session that is written counts. */
  @Test
  void aUserOpensFiveSessionsAMinuteWithWhateverTokens() {
    for (int i = 0; i < 5; i++) {
      String cookie = cookie(userToken("bea").secret());
      server.send(
          "DELETE", "/v1/session", "", "Cookie", cookie, "Origin", server.url(), "X-Weir", "1");
    }
    HttpResponse<String> sixth =
        server.send(
            "POST", "/v1/session", "", "Authorization", "Bearer " + userToken("bea").secret());
    assertEquals(429, sixth.statusCode(), sixth.body());
    int seconds = Integer.parseInt(sixth.headers().firstValue("Retry-After").orElseThrow());
    assertTrue(seconds >= 1 && seconds <= 120, () -> seconds + " s");
    assertEquals(429, RunningServer.json(sixth).get("status").asInt());
    setCookie(userToken("carl").secret());
  }

  private static NewAccessToken userToken(String user) {
    return server
        .service()
        .rules()
        .tokens()
        .create(user + "'s", "user", Optional.of(user), Optional.empty(), "test");
  }

  @Test
  void aChangeThroughASessionIsByTheNameOfItsToken() {
    NewAccessToken token = token();
    String cookie = cookie(token.secret());
    HttpResponse<String> added =
        server.send(
            "POST",
            "/v1/admin/ratelimit/rules",
            "{\"name\": \"named\", \"tier\": \"t\", \"endpointPattern\": \"/x\","
                + " \"limitCount\": 3, \"windowSeconds\": 60}",
            "Cookie",
            cookie,
            "Origin",
            server.url(),
            "X-Weir",
            "1",
            "Content-Type",
            "application/json");
    assertEquals(201, added.statusCode(), added.body());
    List<String> authors =
        server.service().rules().history().latest(20).stream()
            .filter(each -> each.table().equals("rate_limit_rules"))
            .map(RuleChange::by)
            .toList();
    assertEquals(List.of(token.token().name()), authors);
    HttpResponse<String> who = server.send("GET", "/v1/session", "", "Cookie", cookie);
    assertEquals(token.token().name(), RunningServer.json(who).get("name").textValue());
  }

  /** The page is the same where an application mounts it. */
  @Test
  void aPageLearnsTheSameAsFromAnApplication() {
    JsonNode byToken = RunningServer.json(server.get("/v1/session", token().secret()));
    assertEquals(
        List.of("name", "userId", "roles", "validUntil", "signIn", "signOut"),
        byToken.properties().stream().map(Map.Entry::getKey).toList());
    assertEquals("[\"weir-admin\",\"weir-check\",\"weir-view\"]", byToken.get("roles").toString());
    assertTrue(byToken.get("userId").isNull());
    assertTrue(byToken.get("signIn").isNull());
    assertTrue(byToken.get("signOut").asBoolean());
    String cookie = cookie(userToken("dora").secret());
    JsonNode dora = RunningServer.json(server.send("GET", "/v1/session", "", "Cookie", cookie));
    assertEquals("dora", dora.get("userId").asText());
    assertEquals("[\"user\"]", dora.get("roles").toString());
    assertTrue(Instant.parse(dora.get("validUntil").asText()).isAfter(Instant.now()));
  }

  @Test
  void theServersPageNeedsNoOtherToSignIn() {
    try (RunningServer other = new RunningServer(Map.of("weir.control.sign-in", "/login"))) {
      for (String path : List.of("/v1/session", "/v1/admin/ratelimit/rules")) {
        HttpResponse<String> refused = other.send("GET", path, "");
        assertEquals(UNAUTHORIZED, refused.statusCode());
        assertFalse(RunningServer.json(refused).has("signIn"), refused::body);
      }
      assertTrue(
          RunningServer.json(other.get("/v1/session", other.admin())).get("signIn").isNull());
    }
  }

  @Test
  void aViewersSessionSeesAndChangesNothing() {
    String secret =
        server
            .service()
            .rules()
            .tokens()
            .create("viewer", "weir-view", Optional.empty(), Optional.empty(), "test")
            .secret();
    String cookie = cookie(secret);
    assertEquals(
        OK, server.send("GET", "/v1/admin/ratelimit/rules", "", "Cookie", cookie).statusCode());
    assertEquals(FORBIDDEN, check(cookie, "Origin", server.url(), "X-Weir", "1"));
  }

  @Test
  void whoSignsOutIsOut() {
    String cookie = cookie(token().secret());
    assertEquals(
        FORBIDDEN, server.send("DELETE", "/v1/session", "", "Cookie", cookie).statusCode());
    HttpResponse<String> out =
        server.send(
            "DELETE", "/v1/session", "", "Cookie", cookie, "Origin", server.url(), "X-Weir", "1");
    assertEquals(NO_CONTENT, out.statusCode());
    assertTrue(out.headers().firstValue("Set-Cookie").orElseThrow().contains("Max-Age=0"));
    assertEquals(
        UNAUTHORIZED, server.send("GET", "/v1/session", "", "Cookie", cookie).statusCode());
  }

  @Test
  void noPageSignsOutWhoeverSignedInBeside() {
    NewAccessToken token = token();
    String[] fields = {
      "Cookie", cookie(token.secret()), "Origin", server.url(), "X-Weir", "1", "X-Weir-Caller", "x"
    };
    HttpResponse<String> other = server.send("DELETE", "/v1/session", "", fields);
    assertEquals(409, other.statusCode());
    assertTrue(other.body().contains("\"signedInAs\":\"" + token.token().name() + "\""));
    assertEquals(OK, server.send("GET", "/v1/session", "", fields).statusCode());
    fields[fields.length - 1] = token.token().name().replace(" ", "%20");
    assertEquals(NO_CONTENT, server.send("DELETE", "/v1/session", "", fields).statusCode());
  }

  @Test
  void aSessionOpensNoOtherSessionAndIsNoBearerToken() {
    String cookie = cookie(token().secret());
    String secret = cookie.substring(cookie.indexOf('=') + 1);
    assertEquals(UNAUTHORIZED, server.check(secret).statusCode());
    int again =
        server
            .send(
                "POST", "/v1/session", "", "Cookie", cookie, "Origin", server.url(), "X-Weir", "1")
            .statusCode();
    assertEquals(UNAUTHORIZED, again);
    assertEquals(
        UNAUTHORIZED,
        server.send("GET", "/v1/session", "", "Cookie", "weir-session=forged").statusCode());
  }
}

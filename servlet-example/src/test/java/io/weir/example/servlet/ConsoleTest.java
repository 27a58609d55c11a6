package io.weir.example.servlet;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import io.weir.Weir;
import io.weir.rules.Rule;
import io.weir.rules.Rules;
import io.weir.seeds.RunOneIn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console in the example, as a browser that signs in by Basic authentication uses it. */
@RunOneIn(value = 2, own = true)
class ConsoleTest {
  private static final String RULE =
      "{\"name\":\"console\",\"tier\":\"t\",\"endpointPattern\":\"/x\",\"limitCount\":3,\"windowSeconds\":60}";

  private static Example example;

  @BeforeAll
  static void start(@TempDir Path directory) throws IOException {
    Map<String, String> settings =
        Map.of(
            "weir.rules", "jdbc:h2:file:" + directory.resolve("rules"),
            "weir.rules.timeout", "10s",
            "weir.store.timeout", "10s");
    example = Example.start(0, Weir.builder().settings(settings));
  }

  @AfterAll
  static void stop() {
    example.close();
  }

  private static RequestSpecification anonymous() {
    return given()
        .baseUri(example.uri().toString())
        .port(example.uri().getPort())
        .redirects()
        .follow(false);
  }

  private static RequestSpecification as(String user) {
    return anonymous().auth().preemptive().basic(user, user);
  }

  private static String origin() {
    String uri = example.uri().toString();
    return uri.substring(0, uri.length() - 1);
  }

  @Test
  void theIndexLeadsToIt() {
    anonymous().get("/").then().statusCode(200).body(containsString("href=\"v1/console/\""));
    anonymous()
        .get("/v1/console/")
        .then()
        .statusCode(200)
        .contentType("text/html")
        .header("Content-Security-Policy", startsWith("default-src 'none'"))
        .header("ETag", not(equalTo(null)));
    anonymous()
        .get("/v1/console")
        .then()
        .statusCode(302)
        .header("Location", endsWith("/v1/console/"));
  }

  @Test
  void nobodyIsSignedInAtFirst() {
    for (String path :
        new String[] {"/v1/session", "/v1/admin/ratelimit/rules", "/v1/dashboard/status"}) {
      anonymous()
          .get(path)
          .then()
          .statusCode(401)
          .contentType("application/problem+json")
          // A challenge of Basic would open the browser's own window over the page.
          .header("WWW-Authenticate", "Bearer")
          .body("signIn", equalTo("/sign-in"));
    }
  }

  @Test
  void theBrowserAsksForThePasswordAndComesBack() {
    anonymous()
        .get("/sign-in")
        .then()
        .statusCode(401)
        .header("WWW-Authenticate", startsWith("Basic"));
    anonymous()
        .auth()
        .preemptive()
        .basic("admin", "guess")
        .get("/sign-in")
        .then()
        .statusCode(401)
        .header("WWW-Authenticate", startsWith("Basic"));
    Response back = as("admin").get("/sign-in");
    assertEquals(3, back.statusCode() / 100);
    assertEquals(
        example.uri().resolve("/v1/console/"),
        example.uri().resolve("/sign-in").resolve(back.header("Location")));
  }

  @Test
  void adminAdministersAndAliceSeesHerself() {
    as("admin")
        .get("/v1/session")
        .then()
        .statusCode(200)
        .body("name", equalTo("admin"))
        .body("roles", hasItems("weir-admin", "weir-view", "user"))
        .body("signOut", equalTo(false));
    as("alice").get("/v1/session").then().body("roles", not(hasItem("weir-admin")));
    as("alice").get("/v1/dashboard/status").then().statusCode(200).body("userId", equalTo("alice"));
    as("admin").get("/v1/admin/ratelimit/rules").then().statusCode(200);
    as("admin").get("/v1/admin/ratelimit/policies").then().statusCode(200);
    as("alice").get("/v1/admin/ratelimit/rules").then().statusCode(403);
    as("mallory").get("/v1/admin/ratelimit/rules").then().statusCode(401);
  }

  private static int add(RequestSpecification request, String type) {
    return request
        .contentType(type)
        .body(RULE)
        .post("/v1/admin/ratelimit/rules?dryRun=true")
        .statusCode();
  }

  /** The browser sends name and password by itself, whichever page makes the request. */
  @Test
  void anotherSitesPageChangesNothing() {
    String json = "application/json";
    assertEquals(200, add(as("admin").header("Origin", origin()).header("X-Weir", "1"), json));
    assertEquals(403, add(as("admin"), json));
    assertEquals(403, add(as("admin").header("Origin", origin()), json));
    assertEquals(403, add(as("admin").header("X-Weir", "1"), json));
    for (String evil : new String[] {"https://evil.example", "null", "http://127.0.0.1"}) {
      assertEquals(403, add(as("admin").header("Origin", evil).header("X-Weir", "1"), json), evil);
    }
    assertEquals(
        415, add(as("admin").header("Origin", origin()).header("X-Weir", "1"), "text/plain"));
  }

  /** With DNS rebinding a page of another site is of the same origin, and knows the passwords. */
  @Test
  void theKnownPasswordsCountAtLoopbackAlone() {
    int port = example.uri().getPort();
    for (String host : new String[] {"evil.example", "127.0.0.1.evil.example", "localhost.evil"}) {
      int status =
          as("admin")
              .header("Host", host + ":" + port)
              .get("/v1/admin/ratelimit/rules")
              .statusCode();
      assertEquals(401, status, host);
    }
    for (String host : new String[] {"localhost", "127.0.0.1", "[::1]"}) {
      as("admin")
          .header("Host", host + ":" + port)
          .get("/v1/admin/ratelimit/rules")
          .then()
          .statusCode(200);
    }
  }

  @Test
  void aRuleForEverythingLocksNobodyOutOfTheConsole() {
    Rules rules = Rules.of(example.weir()).orElseThrow();
    Rule all = rules.rules().save(Rule.builder("*", "*").limit(1).build(), "test");
    rules.refresh();
    try {
      for (int i = 0; i < 3; i++) {
        as("admin").get("/v1/admin/ratelimit/rules").then().statusCode(200);
        anonymous().get("/v1/console/").then().statusCode(200);
      }
    } finally {
      rules.rules().delete(all.id(), all.version(), "test");
      rules.refresh();
    }
  }
}

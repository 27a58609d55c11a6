package io.weir.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests that a browser finds the console. */
class ConsoleTest {
  private static RunningServer server;

  @BeforeAll
  static void start() {
    server = new RunningServer(Map.of("weir.server.metrics.port", "0"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static HttpResponse<String> get(String path) {
    return server.send("GET", path, "");
  }

  private static String field(HttpResponse<String> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  @Test
  void theRootLeadsToTheConsole() {
    for (String method : List.of("GET", "HEAD")) {
      HttpResponse<String> root = server.send(method, "/", "");
      assertEquals(302, root.statusCode(), method);
      assertEquals("v1/console/", field(root, "Location"), method);
      assertEquals("", root.body(), method);
    }
    assertEquals("/v1/console/", field(get("/v1/console"), "Location"));
    for (String method : List.of("POST", "PUT", "DELETE")) {
      assertEquals(405, server.send(method, "/", "").statusCode(), method);
    }
  }

  @Test
  void theConsoleIsOpenToEverybodyAndNothingElseIs() {
    HttpResponse<String> page = get("/v1/console/");
    assertEquals(200, page.statusCode());
    assertTrue(page.body().startsWith("<!doctype html>"), page.body());
    assertEquals("no-cache", field(page, "Cache-Control"));
    assertEquals("nosniff", field(page, "X-Content-Type-Options"));
    assertTrue(field(page, "Content-Security-Policy").startsWith("default-src 'none'"));
    assertEquals(1, page.headers().allValues("Cache-Control").size());
    assertEquals(
        304,
        server.send("GET", "/v1/console/", "", "If-None-Match", field(page, "ETag")).statusCode());
    assertEquals(404, get("/v1/console/nothing").statusCode());
    for (String closed : List.of("/v1/session", "/v1/openapi.json", "/v1/admin/ratelimit/rules")) {
      assertEquals(401, get(closed).statusCode(), closed);
    }
    assertEquals(404, get("/nothing").statusCode());
  }

  @Test
  void probesAreAsBefore() {
    assertEquals(200, get("/health/live").statusCode());
    assertEquals(200, get("/health/ready").statusCode());
    assertFalse(get("/health/ready").headers().firstValue("Location").isPresent());
  }

  @Test
  void noPathLeadsOutOfTheConsole() {
    for (String path :
        List.of(
            "..%2f..%2f..%2fMETA-INF%2fMANIFEST.MF",
            "..%2findex.html",
            "x%2f..%2findex.html",
            "..%5cindex.html",
            "%2fetc%2fpasswd",
            "files.txt")) {
      int status = get("/v1/console/" + path).statusCode();
      assertTrue(status == 404 || status == 400, path + ": " + status);
    }
  }
}

package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.control.ControlApp.Reply;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** The files of the console are open to everybody, kept by browsers, and confined. */
interface ConsoleTests extends ControlAppTests {
  String CONSOLE = "/v1/console/";

  /** Returns the path at which the API is mounted. */
  default String mount() {
    return "";
  }

  private HttpResponse<byte[]> get(String path, String... fields) {
    return send("GET", path, fields);
  }

  private HttpResponse<byte[]> send(String method, String path, String... fields) {
    HttpRequest.Builder request = app().request(mount() + path, "");
    for (int i = 0; i < fields.length; i += 2) {
      request.header(fields[i], fields[i + 1]);
    }
    try {
      return ControlApp.CLIENT.send(
          request.method(method, BodyPublishers.noBody()).build(), BodyHandlers.ofByteArray());
    } catch (IOException | InterruptedException failed) {
      throw new AssertionError(failed);
    }
  }

  private static String field(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  /** Returns the bytes of a file as they are in the class path. */
  private static byte[] resource(String file) {
    try (InputStream in = ControlFeature.class.getResourceAsStream("/io/weir/console/" + file)) {
      return Objects.requireNonNull(in).readAllBytes();
    } catch (IOException unreadable) {
      throw new AssertionError(unreadable);
    }
  }

  private static List<String> files() {
    return new String(resource("files.txt"), StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  default void everybodyGetsEachFile() {
    Map<String, String> types =
        Map.of(
            "html", "text/html;charset=utf-8",
            "css", "text/css;charset=utf-8",
            "js", "text/javascript;charset=utf-8",
            "svg", "image/svg+xml;charset=utf-8");
    for (String each : files()) {
      HttpResponse<byte[]> response = get(CONSOLE + each);
      assertEquals(200, response.statusCode(), each);
      assertEquals(
          new String(resource(each), StandardCharsets.ISO_8859_1),
          new String(response.body(), StandardCharsets.ISO_8859_1),
          each);
      String type = types.get(each.substring(each.lastIndexOf('.') + 1));
      String said = field(response, "Content-Type").replace(" ", "").toLowerCase(Locale.ROOT);
      assertTrue(type == null ? !said.isEmpty() : said.equals(type), each + ": " + said);
    }
  }

  @Test
  default void theDirectoryIsTheFirstPage() {
    HttpResponse<byte[]> page = get(CONSOLE);
    assertEquals(200, page.statusCode());
    assertEquals(
        new String(resource("index.html"), StandardCharsets.UTF_8),
        new String(page.body(), StandardCharsets.UTF_8));
    for (String method : List.of("GET", "HEAD")) {
      HttpResponse<byte[]> redirect = send(method, "/v1/console");
      assertEquals(302, redirect.statusCode(), method);
      assertEquals(page.uri(), redirect.uri().resolve(field(redirect, "Location")), method);
    }
  }

  /** Containers without cookies append the session to an address that the application links to. */
  @Test
  default void pathParametersLeadToTheSamePage() {
    HttpResponse<byte[]> page = get(CONSOLE + ";jsessionid=A1");
    assertEquals(200, page.statusCode());
    assertEquals(field(get(CONSOLE), "ETag"), field(page, "ETag"));
    HttpResponse<byte[]> redirect = get("/v1/console;jsessionid=A1");
    assertEquals(302, redirect.statusCode());
    assertEquals(
        get(CONSOLE).uri(), redirect.uri().resolve(field(redirect, "Location")));
  }

  @Test
  default void pagesLoadNothingFromElsewhereAndCannotBeFramed() {
    for (String each : List.of(CONSOLE, CONSOLE + "index.html")) {
      HttpResponse<byte[]> page = get(each);
      assertEquals(
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src"
              + " 'self'; connect-src 'self'; base-uri 'none'; form-action 'none';"
              + " frame-ancestors 'none'",
          field(page, "Content-Security-Policy"));
      assertEquals("nosniff", field(page, "X-Content-Type-Options"));
      assertEquals("no-referrer", field(page, "Referrer-Policy"));
    }
  }

  @Test
  default void aBrowserKeepsAFileUntilItChanges() {
    HttpResponse<byte[]> first = get(CONSOLE);
    String tag = field(first, "ETag");
    assertTrue(tag.matches("\"[0-9a-f]{32}\""), tag);
    assertEquals("no-cache", field(first, "Cache-Control"));
    for (String same : List.of(tag, "W/" + tag, "\"other\", " + tag, "*")) {
      HttpResponse<byte[]> again = get(CONSOLE, "If-None-Match", same);
      assertEquals(304, again.statusCode(), same);
      assertEquals(0, again.body().length);
      assertEquals(tag, field(again, "ETag"));
      assertEquals("no-cache", field(again, "Cache-Control"));
      assertTrue(field(again, "Vary").contains("Accept-Encoding"));
    }
    assertEquals(200, get(CONSOLE, "If-None-Match", "\"other\"").statusCode());
    for (String malformed : List.of("\"", "", "W/", "\"a", tag.substring(1), "a b, ,")) {
      assertEquals(200, get(CONSOLE, "If-None-Match", malformed).statusCode(), malformed);
    }
  }

  @Test
  default void aBrowserThatTakesGzipGetsFewerBytes() throws IOException {
    HttpResponse<byte[]> plain = get(CONSOLE);
    assertEquals("", field(plain, "Content-Encoding"));
    assertTrue(field(plain, "Vary").contains("Accept-Encoding"));
    HttpResponse<byte[]> smaller = get(CONSOLE, "Accept-Encoding", "gzip, deflate, br");
    assertEquals(List.of("gzip"), smaller.headers().allValues("Content-Encoding"));
    assertTrue(smaller.body().length < plain.body().length);
    assertTrue(field(smaller, "Vary").contains("Accept-Encoding"));
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(smaller.body()))) {
      assertEquals(
          new String(plain.body(), StandardCharsets.UTF_8),
          new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
    String tag = field(smaller, "ETag");
    assertNotEquals(field(plain, "ETag"), tag);
    assertEquals(304, get(CONSOLE, "Accept-Encoding", "gzip", "If-None-Match", tag).statusCode());
    assertEquals("", field(get(CONSOLE, "Accept-Encoding", "gzip;q=0, *"), "Content-Encoding"));
  }

  @Test
  default void headTellsTheSameWithoutTheBody() {
    HttpResponse<byte[]> get = get(CONSOLE + "index.html");
    HttpResponse<byte[]> head = send("HEAD", CONSOLE + "index.html");
    assertEquals(200, head.statusCode());
    assertEquals(0, head.body().length);
    for (String each :
        List.of("ETag", "Content-Type", "Cache-Control", "Content-Security-Policy", "Vary")) {
      assertEquals(field(get, each), field(head, each), each);
    }
  }

  @Test
  default void nothingElseIsServed() {
    for (String path :
        List.of(
            "files.txt",
            "missing.js",
            "js/",
            "INDEX.HTML",
            "index.html/",
            "x/..%2findex.html",
            "..%2f..%2fMETA-INF%2fMANIFEST.MF",
            "..%2fconsole%2findex.html",
            "%2e%2e%2fControlFeature.class",
            "..%5c..%5cindex.html",
            "%2fetc%2fpasswd",
            "%2f%2findex.html",
            "index.html%00.js",
            "file:%2f%2f%2fetc%2fpasswd",
            "io/weir/console/index.html",
            "x%2f..%2f..%2f..%2f..%2fio%2fweir%2fcontrol%2fControlFeature.class")) {
      HttpResponse<byte[]> response = get(CONSOLE + path);
      assertTrue(
          response.statusCode() == 404 || response.statusCode() == 400,
          path + ": " + response.statusCode());
      String body = new String(response.body(), StandardCharsets.ISO_8859_1);
      assertFalse(body.contains("<title>Weir"), path);
      assertFalse(body.contains("ControlFeature"), path);
    }
    Reply missing = app().get(mount() + CONSOLE + "missing.js", "");
    assertEquals("application/problem+json", missing.header("Content-Type"));
    assertEquals("no-store", missing.header("Cache-Control"));
    assertEquals(405, send("POST", CONSOLE + "index.html").statusCode());
    assertEquals(405, send("DELETE", CONSOLE).statusCode());
  }

  @Test
  default void aForeignHostOrCookieLocksNobodyOutOfTheFiles() {
    try (ControlApp other = app(Map.of("weir.control.hosts", "limits.example"))) {
      assertEquals(
          200,
          other.statusAt(
              "other.example", mount() + CONSOLE, "Cookie: who=root/weir-admin"));
    }
  }
}

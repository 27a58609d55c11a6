package io.weir.compat.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that malformed requests neither cause errors nor bypass limits. */
public interface ServletGarbageContract extends ServletServer {
  /** Counts by values that a client may malform, and reads the form that it is sent. */
  final class Garbled extends CountingServlet {
    @Override
    @RateLimit(limit = 3, window = 60, by = By.KEY, key = "cookie:session", name = "cookie")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }

    @Override
    @RateLimit(limit = 3, window = 60, by = By.KEY, key = "query:user", name = "query")
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      String body = new String(request.getInputStream().readAllBytes(), UTF_8);
      response.setIntHeader("X-Body", body.length());
      answer(request, response);
    }

    @Override
    @RateLimit(limit = 3, window = 60, by = By.KEY, key = "header:X-Api-Key", name = "header")
    protected void doPut(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Cookie:",
        "Cookie: ;;;===,,,",
        "Cookie: session",
        "Cookie: session=",
        "Cookie: session=\"unclosed",
        "Cookie: session=\\\"\\",
        "Cookie: session=a b\u0001c",
        "Cookie: $Version=1; session=x; $Path=/",
        "Cookie: session={\"a\":[1,2]}",
        "Cookie: =; =; session =x",
      })
  default void aGarbledCookieIsNoErrorOfOurs(String cookie) throws Exception {
    assertTolerated("GET", "/x", cookie);
  }

  @Test
  default void aCookieOfOtherLettersIsNoErrorOfOurs() throws Exception {
    assertTolerated("GET", "/x", "Cookie: \u00e9\u00e8=\u00ff");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "?",
        "?&&&",
        "?user",
        "?user=",
        "?user=%",
        "?user=%4",
        "?user=%zz",
        "?user=%ff%fe",
        "?user=%00",
        "?%zz=%zz&user=%",
        "?user=%u0041",
        "?=&=&==",
        "?user=\u00e9",
        "?user=a;b",
        "?user=%c0%af",
        "?user=%ed%a0%80",
      })
  default void aGarbledQueryIsNoErrorOfOurs(String query) throws Exception {
    assertTolerated("POST", "/x" + query, "Content-Length: 0");
  }

  private void assertTolerated(String method, String path, String header) throws Exception {
    Garbled servlet = new Garbled();
    try (ServletApp app = app(servlet)) {
      for (int i = 1; i <= 3; i++) {
        int status = app.send(method, path, header).status();
        assertTrue(status == 200 && servlet.reached() == i || status == 400, "status " + status);
      }
      int last = app.send(method, path, header).status();
      assertEquals(servlet.reached() == 0 ? 400 : 429, last, "the same garbage is one caller");
    }
  }

  @Test
  default void aKeyLongerThanAllowedIsABadRequest() throws Exception {
    Garbled servlet = new Garbled();
    try (ServletApp app = app(servlet)) {
      String longest = "k".repeat(6_000);
      assertEquals(200, app.send("POST", "/x?user=" + longest, NO_BODY).status());
      Answer tooLong = app.send("PUT", "/x", "X-Api-Key: " + "k".repeat(8_193));
      assertEquals(400, tooLong.status());
      assertTrue(tooLong.body().contains("about:blank"), tooLong.body());
      assertEquals(1, servlet.reached());
    }
  }

  @Test
  default void blanksAndTabsAroundAHeaderAreNoPartOfIt() throws Exception {
    try (ServletApp app = app(new Garbled())) {
      String put = "Content-Length: 0\r\nX-Api-Key:";
      for (String spelled : List.of("a", "\ta\t", " \t a\t ", "a\t\r\nX-Api-Key: b")) {
        int status = app.send("PUT", "/x", put + spelled).status();
        assertEquals(spelled.contains("b") ? 429 : 200, status, spelled.replace('\t', '>'));
      }
      assertEquals(200, app.send("PUT", "/x", put + "b").status());
    }
  }

  @Test
  default void theBodyIsLeftToTheServlet() throws Exception {
    Garbled servlet = new Garbled();
    try (ServletApp app = app(servlet)) {
      String body = "user=bob&password=secret";
      io.restassured.response.Response answer =
          app.client()
              .contentType("application/x-www-form-urlencoded")
              .body(body)
              .post("/x?user=alice");
      assertEquals(Integer.toString(body.length()), answer.header("X-Body"));
      assertEquals(List.of(200, 200, 429), app.statuses(3, "POST", "/x?user=%61lice", NO_BODY));
      assertEquals(200, app.send("POST", "/x?user=bob", NO_BODY).status());
    }
  }

  /** A POST without a body has a length of 0. */
  String NO_BODY = "Content-Length: 0";

  private ServletApp app(CountingServlet servlet) throws Exception {
    return ServletApp.on(this).servlet("/x", servlet).start();
  }
}

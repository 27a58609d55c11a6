package io.weir.compat.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.BanScope;
import io.weir.annotation.RateLimit;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.EOFException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests bans: who doesn't wait, or fails too often, gets 429 until the end, and nobody else. */
public interface ServletBanContract extends ServletServer {
  /** Bans callers that don't wait. */
  final class Impatient extends CountingServlet {
    @Override
    @RateLimit(limit = 1, window = 600, name = "impatient", banAfter = 2, banFor = 3600)
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  /** Measures which callers it would ban. */
  final class Measuring extends CountingServlet {
    @Override
    @RateLimit(limit = 1, window = 600, name = "measuring", banAfter = 1, shadow = true)
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  /** Knows no password. */
  final class Login extends CountingServlet {
    @Override
    @RateLimit(
        limit = 1000,
        window = 600,
        name = "login",
        banAfter = 2,
        banOn = "401",
        banScope = BanScope.APPLICATION)
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.sendError(401);
    }
  }

  /** Fails while it writes the rest of a response that the caller has read enough of. */
  final class Left extends CountingServlet {
    @Override
    @RateLimit(limit = 1000, window = 600, name = "left", banAfter = 2, banOn = "401")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.setStatus(401);
      response.flushBuffer();
      throw new EOFException("the caller has left");
    }
  }

  @Test
  default void callersWithTooManyStrikesAreBannedAndNobodyElse() throws Exception {
    Map<String, String> live = new TreeMap<>();
    ServletAppBuilder builder =
        new ServletAppBuilder(this)
            .servlet("/impatient", new Impatient())
            .servlet("/measuring", new Measuring())
            .servlet("/login", new Login())
            .servlet("/left", new Left())
            .servlet("/free", new Servlets.Free())
            .setting("weir.proxy.trusted", "127.0.0.1")
            .parts(parts -> parts.liveSettings(() -> live));
    String impatient = "X-Forwarded-For: 192.0.2.1";
    String guessing = "X-Forwarded-For: 192.0.2.2";
    String other = "X-Forwarded-For: 192.0.2.3";
    String leaving = "X-Forwarded-For: 192.0.2.4";
    try (ServletApp app = builder.start()) {
      assertEquals(List.of(200, 429, 429, 429), app.statuses(4, "GET", "/impatient", impatient));
      assertBanned(app.get("/impatient", impatient), 3500);
      assertEquals(List.of(200), app.statuses(1, "GET", "/free", impatient));
      assertEquals(List.of(200), app.statuses(1, "GET", "/impatient", other));
      assertTrue(guess("/login", app, guessing) >= 2);
      assertBanned(app.get("/free", guessing), 500);
      assertEquals(List.of(200), app.statuses(1, "GET", "/free", other));
      assertEquals(List.of(200, 200, 200), app.statuses(3, "GET", "/measuring", other));
      assertEquals(3, app.weir().bans().size());
      assertTrue(guess("/left", app, leaving) >= 2);
      live.put("weir.access.allow", "192.0.2.1,192.0.2.2");
      app.weir().refresh();
      assertEquals(List.of(200), app.statuses(1, "GET", "/impatient", impatient));
      assertEquals(List.of(200), app.statuses(1, "GET", "/free", guessing));
    }
  }

  /** Guesses until it is banned; a strike may be counted after the caller has its response. */
  private static int guess(String path, ServletApp app, String caller) throws Exception {
    int guesses = 0;
    while (app.get(path, caller).status() == 401) {
      guesses++;
      assertTrue(guesses < 1000, "never banned");
    }
    return guesses;
  }

  private static void assertBanned(Answer answer, long atLeast) {
    assertEquals(429, answer.status());
    assertTrue(answer.body().contains("\"error\":\"Banned\""), answer.body());
    long wait = Long.parseLong(answer.header("Retry-After").orElseThrow());
    assertTrue(wait > atLeast, () -> answer.headers().toString());
  }
}

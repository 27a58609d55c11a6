package io.weir.compat.servlet;

import static io.weir.compat.servlet.ServletBodyContract.FORM;
import static io.weir.compat.servlet.ServletBodyContract.JSON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.bodies.HostileBody;
import io.weir.bodies.UnreadBody;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which bodies are refused, and what they cost. */
public interface ServletBodyBoundsContract extends ServletServer {
  /** Counts sign-ins by account, and all requests of an address. */
  final class Login extends BodyEcho {
    private static final long serialVersionUID = 1L;

    @Override
    @RateLimit(limit = 3, window = 60, by = By.KEY, key = "form:user|json:/user", name = "account")
    @RateLimit(limit = 6, window = 60, name = "address")
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException, ServletException {
      echo(request, response);
    }
  }

  /** Counts by a field, in shadow mode. */
  final class Shadowed extends BodyEcho {
    private static final long serialVersionUID = 1L;

    @Override
    @RateLimit(limit = 1, window = 60, by = By.KEY, key = "json:/user", name = "s", shadow = true)
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException, ServletException {
      echo(request, response);
    }
  }

  /** Counts by a field of forms, in shadow mode, and dispatches to the sign-in. */
  final class Front extends BodyEcho {
    private static final long serialVersionUID = 1L;

    @Override
    @RateLimit(limit = 1, window = 60, by = By.KEY, key = "form:user", name = "f", shadow = true)
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException, ServletException {
      if (request.getQueryString().contains("login")) {
        request.getRequestDispatcher("/login?way=stream").forward(request, response);
      } else {
        echo(request, response);
      }
    }
  }

  /** Reads the body before the sign-in and after it. */
  final class Phases extends BodyEcho {
    private static final long serialVersionUID = 1L;

    @Override
    @RateLimit(limit = 9, window = 60, by = By.KEY, key = "form:user", name = "b", shadow = true)
    @RateLimit(limit = 9, window = 60, by = By.KEY, key = "form:other", name = "other")
    @RateLimit(
        limit = 9,
        window = 60,
        by = {By.USER, By.KEY},
        key = "form:user|json:/user",
        name = "after")
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException, ServletException {
      echo(request, response);
    }
  }

  private ServletApp app(String... settings) throws Exception {
    ServletAppBuilder builder =
        new ServletAppBuilder(this)
            .servlet("/login", new Login())
            .servlet("/shadow", new Shadowed())
            .servlet("/front", new Front())
            .servlet("/phases", new Phases());
    for (int i = 0; i < settings.length; i += 2) {
      builder.setting(settings[i], settings[i + 1]);
    }
    return builder.start();
  }

  private static String chunked(String body) {
    return Integer.toHexString(body.length()) + "\r\n" + body + "\r\n0\r\n\r\n";
  }

  @Test
  default void whatCanBeReadInSeveralWaysIsRefusedAndChargedNowhere() throws Exception {
    try (ServletApp app = app()) {
      for (HostileBody each : HostileBody.unreadable()) {
        Answer refused = app.post("/login?way=stream", each.type(), each.body());
        assertEquals(400, refused.status(), each.toString());
        assertTrue(refused.header("RateLimit").isEmpty(), each.toString());
      }
      Answer doubled = app.post("/login?user=a&way=stream", FORM, "user=a");
      assertEquals(400, doubled.status());
      assertTrue(doubled.body().contains("The form field user has several values."));
      String coded = "{\"user\":\"a\"}";
      assertEquals(
          400, app.post("/login?way=stream", JSON, coded, "Content-Encoding: br").status());
      String broken = "\u001f\u008b" + coded;
      assertEquals(
          400, app.post("/login?way=stream", JSON, broken, "Content-Encoding: gzip").status());
      String longOne = "user=a&b=" + "c".repeat(65_536);
      assertEquals(413, app.post("/login?way=stream", FORM, longOne).status());
      Answer tooLong =
          app.post("/login?way=stream", FORM, chunked(longOne), "Transfer-Encoding: chunked");
      assertEquals(413, tooLong.status());
      assertTrue(tooLong.body().contains("\"title\":\"Content Too Large\""), tooLong.body());
      assertEquals(2, app.post("/login?way=stream", FORM, "user=a").number("RateLimit", "r"));
      assertEquals(4, app.post("/login?way=stream", FORM, "b=c").number("RateLimit", "r"));
    }
  }

  @Test
  default void noConnectionIsClosedUnannouncedAfterARefusal() throws Exception {
    try (ServletApp app = app()) {
      String path = CONTEXT + "/login?way=stream";
      for (UnreadBody each : UnreadBody.values()) {
        assertEquals(413, each.post(app.port(), path, "Content-Type: " + FORM), each.name());
      }
      for (int i = 0; i < 6; i++) {
        assertEquals(200, app.post("/login?way=stream", FORM, "user=" + i).status());
      }
      for (UnreadBody each : UnreadBody.values()) {
        assertEquals(429, each.post(app.port(), path, "Content-Type: " + FORM), each.name());
      }
    }
  }

  @Test
  default void aSettingLetsSuchBodiesPassAsMissing() throws Exception {
    try (ServletApp app =
        app(
            "weir.body.unreadable",
            "missing",
            "weir.policy.address.limit",
            "1000",
            "weir.policy.account.limit",
            "1000")) {
      for (HostileBody each : HostileBody.unreadable()) {
        Answer passed = app.post("/login?way=stream", each.type(), each.body());
        assertEquals(200, passed.status(), each.toString());
        assertTrue(passed.body().contains(each.body()), passed.body());
      }
      String longOne = "user=a&z=" + "z".repeat(80_000);
      for (String way : List.of("stream", "reader", "listener")) {
        Answer whole = app.post("/login?way=" + way, FORM, longOne);
        assertTrue(whole.body().length() >= longOne.length(), () -> way + " " + whole);
        Answer inChunks =
            app.post("/login?way=" + way, FORM, chunked(longOne), "Transfer-Encoding: chunked");
        assertEquals(200, inChunks.status(), way);
        assertTrue(inChunks.body().length() >= longOne.length(), () -> way + " " + inChunks);
      }
    }
  }

  @Test
  default void aPolicyInShadowModeRefusesNoBody() throws Exception {
    try (ServletApp app = app()) {
      String wrong = "{\"user\":\"a\",\"user\":\"b\"}";
      assertTrue(app.post("/shadow?way=stream", JSON, wrong).body().contains(wrong));
      assertEquals(200, app.post("/shadow?way=stream", FORM, "a".repeat(70_000)).status());
    }
  }

  @Test
  default void aPolicyInShadowModeLeavesTheBodyToTheApplication() throws Exception {
    try (ServletApp app = app()) {
      String form = "user=a&b=" + "c".repeat(70_000);
      for (String each : List.of("/shadow", "/front")) {
        String path = each + "?way=parameters";
        assertTrue(app.post(path, FORM, "user=a").body().contains("user=[a]"), each);
        Answer inChunks = app.post(path, FORM, chunked(form), "Transfer-Encoding: chunked");
        assertTrue(inChunks.body().contains("user=[a]"), () -> each + " " + inChunks.status());
        Answer coded = app.post(path, FORM, "user=a", "Content-Encoding: x-own");
        assertTrue(coded.body().contains("user=[a]"), () -> each + coded);
        Answer parts =
            app.post(
                each + "?way=stream",
                HostileBody.MULTIPART,
                HostileBody.PART.formatted("user", "a").replace("name=\"user\"", "name=user"));
        assertTrue(parts.body().contains("name=user"), () -> each + parts);
      }
      Answer malformed = app.post("/front?way=parameters", FORM, "user=a&user=b&c=%zz");
      assertTrue(malformed.body().contains("user=[a, b]"), malformed.toString());
    }
  }

  @Test
  default void policiesThatRefuseAreStrictAlsoAfterThoseInShadowMode() throws Exception {
    try (ServletApp app = app()) {
      String doubled = "user=a&user=b";
      assertEquals(200, app.post("/front?login", FORM, "user=a").status());
      assertEquals(400, app.post("/front?login", FORM, doubled).status());
      assertEquals(400, app.post("/front?login", FORM, "user=%zz").status());
      assertEquals(
          400,
          app.post("/front?login", FORM, chunked(doubled), "Transfer-Encoding: chunked").status());
      assertEquals(
          413,
          app.post(
                  "/front?login",
                  JSON,
                  chunked("\"" + "a".repeat(70_000) + "\""),
                  "Transfer-Encoding: chunked")
              .status());
      assertEquals(400, app.post("/front?login", "text/plain", "user").status());
      assertEquals(400, app.post("/phases?way=stream", FORM, doubled).status());
      // The policies before the sign-in read no JSON; that after it does.
      assertEquals(200, app.post("/phases?way=stream", JSON, "{\"user\":\"a\"}").status());
      assertEquals(400, app.post("/phases?way=stream", JSON, "{\"user\":[]}").status());
    }
  }

  @Test
  default void aBodyThatTheContainerCannotReadIsRefused() throws Exception {
    try (ServletApp app = app();
        Socket broken = connect(app, "127.0.0.1")) {
      String request =
          ServletApp.withBody(
              "/login?way=stream", FORM, "6\r\nuser=a\r\nzz\r\n", "Transfer-Encoding: chunked");
      broken.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      broken.shutdownOutput(); // or else Undertow waits for more
      byte[] start = broken.getInputStream().readNBytes("HTTP/1.1 400".length());
      assertEquals("HTTP/1.1 400", new String(start, StandardCharsets.ISO_8859_1));
    }
  }

  @Test
  default void aSlowBodyKeepsNoSlotForAPolicyInShadowMode() throws Exception {
    try (ServletApp app = app("weir.body.at-once", "10", "weir.policy.address.limit", "100000");
        Socket slow = connect(app, "127.0.0.1")) {
      String request = ServletApp.withBody("/shadow?way=stream", JSON, " ".repeat(60_000));
      int at = request.indexOf("\r\n\r\n") + 4;
      OutputStream out = slow.getOutputStream();
      out.write(request.substring(0, at).getBytes(StandardCharsets.ISO_8859_1));
      int status = 200;
      for (int i = 0; i < 10_000 && status != 503; i++) { // until the slow one is read
        out.write(' ');
        out.flush();
        Thread.sleep(1);
        status = app.post("/login?way=stream", FORM, "b=c").status();
      }
      assertEquals(503, status);
      app.advance(Duration.ofSeconds(6));
      for (int i = 0; i < 10_000 && status == 503; i++) {
        out.write(' ');
        out.flush();
        Thread.sleep(1);
        status = app.post("/login?way=stream", FORM, "b=c").status();
      }
      assertEquals(200, status);
    }
  }

  @Test
  default void policiesWithoutABodyDecideFirstAndAreRefunded() throws Exception {
    try (ServletApp app = app()) {
      String path = "/login?way=stream";
      for (int i = 0; i < 3; i++) {
        assertEquals(200, app.post(path, FORM, "user=a").status());
      }
      for (int i = 0; i < 5; i++) {
        assertEquals("account", app.post(path, FORM, "user=a").closest());
      }
      for (int i = 0; i < 3; i++) {
        assertEquals(200, app.post(path, FORM, "user=b").status());
      }
      // Refused before the body was read; some containers have asked for it by then.
      Answer refused =
          RawHttp.send(
              "127.0.0.1",
              app.port(),
              ServletApp.withBody(path, FORM, "", "Expect: 100-continue")
                  .replace("Content-Length: 0", "Content-Length: 6"));
      refused = refused.status() == 100 ? Answer.parse(refused.body()) : refused;
      assertEquals(429, refused.status());
      assertEquals("address", refused.closest());
    }
  }

  @Test
  default void aClientThatWaitsToContinueIsAskedForTheBody() throws Exception {
    try (ServletApp app = app();
        Socket socket = connect(app, "127.0.0.1")) {
      OutputStream out = socket.getOutputStream();
      String request =
          ServletApp.withBody("/login?way=stream", FORM, "user=a", "Expect: 100-continue");
      int end = request.indexOf("\r\n\r\n") + 4;
      out.write(request.substring(0, end).getBytes(StandardCharsets.ISO_8859_1));
      byte[] interim = socket.getInputStream().readNBytes("HTTP/1.1 100".length());
      assertEquals("HTTP/1.1 100", new String(interim, StandardCharsets.ISO_8859_1));
      out.write(request.substring(end).getBytes(StandardCharsets.ISO_8859_1));
      String rest = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      assertTrue(rest.contains("HTTP/1.1 200"), rest);
      assertTrue(rest.contains("user=a"), rest);
    }
  }

  @Test
  default void aSlowBodyIsGivenUp() throws Exception {
    try (ServletApp app = app();
        Socket socket = connect(app, "127.0.0.1")) {
      OutputStream out = socket.getOutputStream();
      String request = ServletApp.withBody("/login?way=stream", FORM, "user=" + "a".repeat(60_000));
      int at = request.indexOf("\r\n\r\n") + 4;
      out.write(request.substring(0, at).getBytes(StandardCharsets.ISO_8859_1));
      for (int i = 0; i < 50_000 && socket.getInputStream().available() == 0; i++) {
        out.write('a');
        out.flush();
        Thread.sleep(1);
        app.advance(Duration.ofMillis(200));
      }
      byte[] start = socket.getInputStream().readNBytes("HTTP/1.1 408".length());
      assertEquals("HTTP/1.1 408", new String(start, StandardCharsets.ISO_8859_1));
    }
  }

  @Test
  default void oneAddressHasATenthOfAllBodiesThatAreReadAtOnce() throws Exception {
    try (ServletApp app =
            app(
                "weir.body.at-once",
                "10",
                "weir.policy.address.limit",
                "1000000",
                "weir.policy.account.limit",
                "1000000");
        Socket slow = beingRead(app, "user=sl", 2)) {
      Answer other = app.post("/login?way=stream", FORM, "user=b");
      assertEquals(503, other.status());
      assertFalse(other.header("RateLimit").isPresent());
      Answer elsewhere =
          RawHttp.send(
              "127.0.0.2", app.port(), ServletApp.withBody("/login?way=stream", FORM, "user=c"));
      assertEquals(200, elsewhere.status());
      slow.getOutputStream().write("ow".getBytes(StandardCharsets.ISO_8859_1));
      String all = new String(slow.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      assertTrue(all.startsWith("HTTP/1.1 200"), all);
      assertEquals(200, app.post("/login?way=stream", FORM, "user=b").status());
    }
  }

  /** Sends a body but for some bytes, until other requests of its address wait for it. */
  private static Socket beingRead(ServletApp app, String start, int missing) throws Exception {
    String request = ServletApp.withBody("/login?way=stream", FORM, start + "x".repeat(missing));
    String half = request.substring(0, request.length() - missing);
    for (int i = 0; i < 10_000; i++) {
      Socket slow = connect(app, "127.0.0.1");
      slow.getOutputStream().write(half.getBytes(StandardCharsets.ISO_8859_1));
      while (slow.getInputStream().available() == 0) { // else the other one was read before
        if (app.post("/login?way=stream", FORM, "user=b").status() == 503) {
          return slow;
        }
      }
      slow.close();
    }
    throw new AssertionError("no body of several at once was refused");
  }

  private static Socket connect(ServletApp app, String from) throws IOException {
    Socket socket = new Socket();
    socket.setSoTimeout(120_000);
    socket.bind(new InetSocketAddress(from, 0));
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), app.port()));
    return socket;
  }
}

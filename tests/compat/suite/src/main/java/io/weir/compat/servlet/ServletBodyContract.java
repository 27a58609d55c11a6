package io.weir.compat.servlet;

import static io.weir.bodies.HostileBody.MULTIPART;
import static io.weir.bodies.HostileBody.PART;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.bodies.HostileBody;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.AppliedPolicy;
import io.weir.spi.RequestCondition;
import io.weir.spi.RequestInfo;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests keys, costs and conditions that are read from the body. */
public interface ServletBodyContract extends ServletServer {
  /** The media type of forms. */
  String FORM = HostileBody.FORM;

  /** The media type of JSON. */
  String JSON = HostileBody.JSON;

  /** Counts sign-ins of an account by form or by JSON. */
  final class Login extends BodyEcho {
    private static final long serialVersionUID = 1L;

    @Override
    @RateLimit(
        limit = 3,
        window = 60,
        by = By.KEY,
        key = "lower:form:user|json:/user/email",
        name = "account")
    @RateLimit(limit = 1000, window = 60, name = "address")
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException, ServletException {
      echo(request, response);
    }
  }

  /** Counts amounts, and messages with a risky word. */
  final class Shop extends BodyEcho {
    private static final long serialVersionUID = 1L;

    @Override
    @RateLimit(limit = 100, window = 60, costFrom = "form:amount|json:/amount", name = "spent")
    @RateLimit(limit = 1, window = 60, by = By.ENDPOINT, when = "risky", name = "risky")
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException, ServletException {
      echo(request, response);
    }
  }

  /** A condition that reads the body. */
  final class Risky implements RequestCondition {
    @Override
    public boolean test(RequestInfo request) {
      return request.form("text").orElse("").contains("casino");
    }

    @Override
    public boolean needsBody() {
      return true;
    }
  }

  private ServletApp app() throws Exception {
    return new ServletAppBuilder(this)
        .servlet("/login", new Login())
        .servlet("/shop", new Shop())
        .servlet("/plain", new BodyEcho())
        .parts(parts -> parts.requestCondition("risky", new Risky()))
        .start();
  }

  private static String latin(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  private static String gzip(String text) throws IOException {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
      out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    }
    return zipped.toString(StandardCharsets.ISO_8859_1);
  }

  @Test
  default void anAccountIsOneBucketInAllSpellings() throws Exception {
    try (ServletApp app = app()) {
      String path = "/login?way=stream";
      assertEquals(200, app.post(path, FORM, "user=zo%C3%AB%40x.org&password=1").status());
      assertEquals(200, app.post(path, FORM, latin("user=ZO\u00cb@x.org")).status());
      assertEquals(200, app.post(path, FORM, "password=&%75ser=zoe%CC%88@x.org").status());
      String email = latin("{\"user\": {\"email\": \"zo\u00eb@x.org\"}}");
      List<String> spellings =
          List.of(
              email,
              "{\"a\": [{}], \"USER\": {\"e\\u006dail\": \"ZO\\u00cb\\u0040x.org\"}}",
              latin("\ufeff{\"user\":{\"Email\":\"zoe\u0308@x.org\",\"c\":1e9}}"));
      for (String each : spellings) {
        assertEquals(429, app.post(path, JSON, each).status(), each);
      }
      for (String type : List.of("Application/JSON;charset=\"utf-8\"", "application/a+json")) {
        assertEquals(429, app.post(path, type, email).status(), type);
      }
      assertEquals(429, app.post(path, JSON, gzip(email), "Content-Encoding: gzip").status());
      String chunk = Integer.toHexString(email.length()) + "\r\n" + email + "\r\n0\r\n\r\n";
      assertEquals(429, app.post(path, JSON, chunk, "Transfer-Encoding: chunked").status());
      String part = latin(PART.formatted("user", "zo\u00eb@x.org"));
      assertEquals(429, app.post(path, MULTIPART, part).status());
      String zoe = "zo%EB@x.org";
      assertEquals(429, app.post(path, FORM + "; charset=ISO-8859-1", "user=" + zoe).status());
      assertEquals(429, app.post("/login?user=zo%C3%AB@x.org&way=stream", FORM, "a=b").status());
      Answer other = app.post(path, FORM, "user=zoe@x.org");
      assertEquals(2, other.number("RateLimit", "r"), other.toString());
    }
  }

  @Test
  default void theBodyIsAsIfNobodyHadReadIt() throws Exception {
    try (ServletApp app = app()) {
      List<String[]> bodies =
          List.of(
              new String[] {FORM + ";charset=UTF-8", "user=%d&b=1&b=2&c=a%%20%%C3%%A4+&%%C3%%BC="},
              new String[] {FORM + ";charset=ISO-8859-1", "user=%d&c=%%E4"},
              new String[] {JSON, "{\"user\": {\"email\": \"%d\"}, \"a\": \"some more text\"}"});
      int user = 0;
      for (String[] each : bodies) {
        for (String way : BodyEcho.WAYS) {
          user++;
          assertSame(app, each[0], each[1].formatted(user), way);
        }
      }
      assertSame(app, MULTIPART, PART.formatted("user", "9999"), "stream");
      assertEquals(
          "[user|null|null|1|9]|form-data; name=\"user\"",
          app.post("/login?way=parts", MULTIPART, PART.formatted("user", "9")).body());
      assertEquals(
          "{user=[9], way=[parameters]}",
          app.post("/login?way=parameters", MULTIPART, PART.formatted("user", "9")).body());
    }
  }

  private static void assertSame(ServletApp app, String type, String body, String way) {
    Answer plain = app.post("/plain?d=%C3%A4&b=0&way=" + way, type, body);
    Answer limited = app.post("/login?d=%C3%A4&b=0&way=" + way, type, body);
    String about = way + " " + type;
    assertEquals(200, plain.status(), about);
    assertEquals(plain.status(), limited.status(), about);
    assertEquals(unchunked(plain), unchunked(limited), about);
    assertEquals(2, limited.number("RateLimit", "r"), about);
  }

  private static String unchunked(Answer answer) {
    return answer.body().replaceAll("\r\n", "").strip();
  }

  /** Shows a request as HTTP/2 may have it, which needs no length for a body. */
  private static HttpServletRequest withoutLength(HttpServletRequest request) {
    return !"http2".equals(request.getParameter("early"))
        ? request
        : new HttpServletRequestWrapper(request) {
          @Override
          public long getContentLengthLong() {
            return -1;
          }

          @Override
          public @Nullable String getHeader(String name) {
            return name.equalsIgnoreCase("Content-Length") ? null : super.getHeader(name);
          }

          @Override
          public Enumeration<String> getHeaders(String name) {
            return name.equalsIgnoreCase("Content-Length")
                ? Collections.emptyEnumeration()
                : super.getHeaders(name);
          }
        };
  }

  @Test
  default void aFilterThatHasReadTheFormBeforeLeavesItsFields() throws Exception {
    try (ServletApp app =
        new ServletAppBuilder(this)
            .servlet("/login", new Login())
            .filters(
                (context, weir) -> {
                  ServletAppBuilder.filter(
                      context,
                      "early",
                      (request, response, chain) -> {
                        if (request.getParameter("early") != null) {
                          chain.doFilter(withoutLength((HttpServletRequest) request), response);
                        } else {
                          request.getInputStream().readAllBytes();
                          chain.doFilter(request, response);
                        }
                      },
                      "/*");
                  ServletAppBuilder.filter(
                      context, "weir", new io.weir.servlet.RateLimitFilter(weir), "/*");
                })
            .start()) {
      String path = "/login?way=parameters";
      for (int i = 0; i < 3; i++) {
        assertTrue(app.post(path, FORM, "user=ann&early=").body().contains("user=[ann]"));
      }
      assertEquals(429, app.post(path, FORM, "user=%61nn&early=").status());
      assertEquals(429, app.post(path, FORM, "user=ann&early=http2").status());
      assertEquals(400, app.post(path + "&user=bob", FORM, "user=ann&early=").status());
      Answer taken = app.post("/login?way=stream", JSON, "{\"user\": {\"email\": \"ann\"}}");
      assertEquals(400, taken.status());
      assertTrue(taken.body().contains("has read it before its limits"), taken.body());
    }
  }

  /** Includes the sign-in. */
  final class Including extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException, ServletException {
      request.getRequestDispatcher("/login").include(request, response);
    }
  }

  @Test
  default void anIncludedServletCountsByTheBodyToo() throws Exception {
    try (ServletApp app =
        new ServletAppBuilder(this)
            .servlet("/login", new Login())
            .servlet("/outer", new Including())
            .start()) {
      for (int i = 0; i < 3; i++) {
        Answer answer = app.post("/outer?way=stream", FORM, "user=ann");
        assertEquals(200, answer.status());
        assertTrue(answer.body().contains("user=ann"), answer.body());
      }
      assertEquals(429, app.post("/outer?way=stream", FORM, "user=ANN").status());
      assertEquals(400, app.post("/outer?way=stream", FORM, "user=a&user=b").status());
      assertEquals(200, app.post("/outer?way=stream", FORM, "user=bob").status());
    }
  }

  @Test
  default void costsAndConditionsReadTheBody() throws Exception {
    try (ServletApp app = app()) {
      String path = "/shop?way=stream";
      assertEquals(60, app.post(path, FORM, "amount=39.01").number("RateLimit", "r"));
      assertEquals(57, app.post(path, JSON, "{\"amount\": 2.5}").number("RateLimit", "r"));
      assertEquals(56, app.post(path, JSON, "{\"amount\": \"1\"}").number("RateLimit", "r"));
      for (String wrong : List.of("{\"amount\": 1e2}", "{\"amount\": -1}", "{\"amount\": true}")) {
        assertEquals(400, app.post(path, JSON, wrong).status(), wrong);
      }
      assertEquals(400, app.post(path, FORM, "text=none").status());
      assertEquals(200, app.post(path, FORM, "amount=1&text=casino").status());
      assertEquals(429, app.post(path, FORM, "amount=1&text=a+casino").status());
      assertEquals(400, app.post(path, FORM, "amount=1&text=a&text=casino").status());
      assertEquals(54, app.post(path, FORM, "amount=1&text=a").number("RateLimit", "r"));
    }
  }

  @Test
  default void aPolicyOfAUrlCountsByTheBody() throws Exception {
    try (ServletApp app =
        new ServletAppBuilder(this)
            .servlet("/sign-in", new BodyEcho())
            .setting("weir.policy.sign-in.url", "/sign-in")
            .setting("weir.policy.sign-in.limit", "3")
            .setting("weir.policy.sign-in.window", "1m")
            .setting("weir.policy.sign-in.by", "KEY")
            .setting("weir.policy.sign-in.key", "lower:form:user|json:/user")
            .start()) {
      String path = "/sign-in?way=parameters";
      for (int i = 0; i < 3; i++) {
        assertTrue(app.post(path, FORM, "user=ann").body().contains("user=[ann]"));
      }
      assertEquals(429, app.post(path, JSON, "{\"user\": \"Ann\"}").status());
      assertEquals(400, app.post(path, FORM, "user=ann&user=").status());
      assertEquals(200, app.post(path, FORM, "user=bob").status());
    }
  }

  @Test
  default void aFilterMayHaveDecodedTheBodyBeforeAndLeftItsCoding() throws Exception {
    try (ServletApp app = app()) {
      String path = "/login?way=stream";
      for (int i = 0; i < 3; i++) {
        Answer answer = app.post(path, FORM, "user=ann", "Content-Encoding: gzip");
        assertTrue(answer.body().contains("user=ann"), answer.toString());
      }
      assertEquals(429, app.post(path, FORM, "user=ann").status());
    }
  }

  @Test
  default void theAccessListDecidesWithoutABody() throws Exception {
    try (ServletApp app =
        new ServletAppBuilder(this)
            .servlet("/login", new Login())
            .setting("weir.proxy.trusted", "127.0.0.1")
            .setting("weir.access.deny", "192.0.2.1")
            .setting("weir.access.allow", "192.0.2.2")
            .start()) {
      String path = "/login?way=stream";
      String wrong = "user=a&user=b";
      assertEquals(400, app.post(path, FORM, wrong, "X-Forwarded-For: 192.0.2.3").status());
      assertEquals(403, app.post(path, FORM, wrong, "X-Forwarded-For: 192.0.2.1").status());
      Answer allowed = app.post(path, FORM, wrong, "X-Forwarded-For: 192.0.2.2");
      assertEquals(200, allowed.status());
      assertTrue(allowed.body().contains(wrong), allowed.body());
    }
  }

  @Test
  default void aPolicySourceCountsByTheBody() throws Exception {
    AppliedPolicy accounts =
        AppliedPolicy.of(
            Policy.builder("accounts")
                .limit(3)
                .window(Duration.ofMinutes(1))
                .by(By.KEY)
                .keys("form:user")
                .build());
    try (ServletApp app =
        new ServletAppBuilder(this)
            .servlet("/sign-in", new BodyEcho())
            .servlet("/outer", new IncludingSignIn())
            .parts(
                parts ->
                    parts.policySource(
                        (request, tier, phase, bound) ->
                            CompletableFuture.completedStage(
                                AppliedPolicies.of(
                                    request.endpoint().equals("/sign-in")
                                        ? List.of(accounts)
                                        : List.of()))))
            .start()) {
      for (String each : List.of("/sign-in", "/outer", "/sign-in")) {
        Answer answer = app.post(each + "?way=stream", FORM, "user=ann");
        assertTrue(answer.body().contains("user=ann"), answer.toString());
      }
      assertEquals(429, app.post("/sign-in?way=stream", FORM, "user=%61nn").status());
      assertEquals(429, app.post("/outer?way=stream", FORM, "user=%61nn").status());
      assertEquals(400, app.post("/outer?way=stream", FORM, "user=a&user=b").status());
      assertEquals(200, app.post("/sign-in?way=stream", FORM, "user=bob").status());
    }
  }

  /** Includes a sign-in that only a policy source limits. */
  final class IncludingSignIn extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException, ServletException {
      request.getRequestDispatcher("/sign-in").include(request, response);
    }
  }
}

package io.weir.compat.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Policy;
import io.weir.annotation.By;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests spellings of paths: exactly the requests that reach a handler are counted for it. */
public interface ServletSpellingsContract extends ServletServer {
  /** The policy of the servlet, and of the URL patterns that mean the same paths. */
  Policy POLICY =
      Policy.builder("spelled")
          .limit(1_000_000)
          .window(Duration.ofHours(1))
          .by(By.ENDPOINT)
          .build();

  /** The path that containers match if the request's path ends with a slash. */
  Pattern ENDS_WITH_SLASH = Pattern.compile(".*/(\\.|x/\\.\\.)?");

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "POST", "OPTIONS"})
  default void everySpellingThatReachesTheServletIsCounted(String method) throws Exception {
    Spelled servlet = new Spelled();
    try (ServletApp app = mapped(servlet).start()) {
      assertSpellings(app, servlet, method, false);
    }
  }

  @Test
  default void everySpellingThatReachesTheServletMatchesItsUrlPattern() throws Exception {
    Servlets.Free servlet = new Servlets.Free();
    ServletAppBuilder builder =
        mapped(servlet)
            .setting("weir.policy.spelled.url", "/api/hello, /api/items/*, *.do")
            .setting("weir.policy.spelled.limit", "1000000")
            .setting("weir.policy.spelled.window", "1h")
            .setting("weir.policy.spelled.by", "endpoint");
    try (ServletApp app = builder.start()) {
      assertSpellings(app, servlet, "GET", true);
    }
  }

  /** Such a servlet interprets paths itself, and most ignore one slash at the end. */
  @ParameterizedTest
  @ValueSource(strings = {"/", "/*", "/api/*"})
  default void aServletForAllPathsIsLimitedByUrlWithASlashAtTheEndToo(String mapping)
      throws Exception {
    ServletAppBuilder builder =
        ServletApp.on(this)
            .servlet(mapping, new Servlets.Free())
            .setting("weir.policy.login.url", "/api/login, *.zip")
            .setting("weir.policy.login.limit", "100")
            .setting("weir.policy.login.window", "1h");
    boolean all = !mapping.equals("/api/*");
    try (ServletApp app = builder.start()) {
      for (String path : List.of("/api/login", "/api/x.zip")) {
        assertTrue(isLimited(app, path), path);
        assertEquals(all, isLimited(app, path + "/"), path);
        assertFalse(isLimited(app, path + "/y"), path);
      }
    }
  }

  /** A probe is free whatever policy would count it, and nothing else is by its spelling. */
  @Test
  default void onlyASpellingThatReachesAProbeIsLeftOut() throws Exception {
    Dispatching.Open probe = new Dispatching.Open();
    Servlets.Free search = new Servlets.Free();
    ServletAppBuilder builder =
        ServletApp.on(this)
            .servlet("/healthz", probe)
            .servlet("/health/*", probe)
            .servlet("/search/*", search)
            .servlet(Dispatching.TARGET, search);
    for (String each : List.of("weir.application", "weir.default", "weir.policy.all")) {
      builder
          .setting(each + ".limit", "1000000")
          .setting(each + ".window", "1h")
          .setting(each + ".except", "/healthz, /health/*, /search/status");
    }
    builder.setting("weir.policy.all.url", "/*");
    try (ServletApp app = builder.start()) {
      List<String> wrong = new ArrayList<>();
      for (String spelling : Spelled.OF_PROBES) {
        int probed = probe.reached();
        int searched = search.reached();
        Answer answer = app.raw("127.0.0.1", "GET", spelling);
        boolean reachesProbe = probe.reached() > probed;
        boolean isLeftOut = answer.header("RateLimit").isEmpty();
        int policies = isLeftOut ? 0 : answer.policies().size();
        if (reachesProbe && !isLeftOut && !Spelled.isAmbiguous(spelling)
            || search.reached() > searched && policies != 3) {
          wrong.add(spelling + " -> " + answer);
        }
      }
      assertEquals(List.of(), wrong);
      assertTrue(probe.reached() >= 5, "only " + probe.reached() + " reached the probe");
      assertTrue(search.reached() >= 5, "only " + search.reached() + " reached the servlet");
      assertEquals(3, app.get("/healthz?forward").policies().size(), "of the target");
      assertEquals(3, app.get("/search?x").policies().size());
      for (String each : List.of("/healthz", "/health/live")) {
        assertTrue(app.send("GET", each, "Cookie: a=b").header("RateLimit").isEmpty(), each);
        assertEquals(3, app.send("GET", each, "Authorization: Basic eDp5").policies().size());
        assertEquals(3, app.send("GET", each, "X-Api-Key: x").policies().size());
        assertEquals(3, app.get(each + "?token=x").policies().size());
      }
    }
  }

  /** The servlet whose code runs is charged, and a probe that it forwards to adds nothing. */
  @Test
  default void aForwardToAProbeCostsWhatTheForwardingServletDoes() throws Exception {
    ServletAppBuilder builder =
        ServletApp.on(this)
            .servlet("/front", new Dispatching.Open())
            .servlet(Dispatching.TARGET, new Servlets.Free())
            .setting("weir.application.limit", "2")
            .setting("weir.application.window", "1h")
            .setting("weir.application.except", Dispatching.TARGET)
            .setting("weir.default.limit", "100")
            .setting("weir.default.window", "1h")
            .setting("weir.default.except", Dispatching.TARGET);
    try (ServletApp app = builder.start()) {
      assertEquals(2, app.get("/front?forward").policies().size());
      assertEquals(List.of(200, 429), app.statuses(2, "GET", "/front?forward"));
      assertEquals(List.of(200, 200), app.statuses(2, "GET", Dispatching.TARGET));
    }
  }

  private static boolean isLimited(ServletApp app, String path) {
    return app.get(path).header("RateLimit").isPresent();
  }

  private ServletAppBuilder mapped(CountingServlet servlet) {
    return ServletApp.on(this)
        .servlet("/api/hello", servlet)
        .servlet("/api/items/*", servlet)
        .servlet("*.do", servlet);
  }

  /**
   * Sends all spellings.
   *
   * @param byUrl whether patterns count: then a slash at the end, which the servlet for all other
   *     paths answers, is counted too
   */
  private static void assertSpellings(
      ServletApp app, CountingServlet servlet, String method, boolean byUrl) {
    List<String> wrong = new ArrayList<>();
    for (String spelling : Spelled.SPELLINGS) {
      int reached = servlet.reached();
      long used = used(app);
      Answer answer = app.raw("127.0.0.1", method, spelling);
      long counted = used(app) - used;
      reached = servlet.reached() - reached;
      boolean right =
          counted == reached
              || byUrl && reached == 0 && ENDS_WITH_SLASH.matcher(spelling).matches();
      if (!right || answer.status() >= 500) {
        wrong.add(spelling + " -> " + answer.status() + ", " + reached + ", " + counted);
      }
    }
    assertEquals(List.of(), wrong);
    assertTrue(servlet.reached() >= 15, "only " + servlet.reached() + " reached the servlet");
    assertTrue(servlet.reached() < Spelled.SPELLINGS.size());
  }

  private static long used(ServletApp app) {
    return POLICY.limit() - app.weir().limiter().peek(POLICY, Key.everybody()).remaining();
  }

  @Test
  default void aMethodOverrideHeaderOverridesNothing() throws Exception {
    Servlets.Classy servlet = new Servlets.Classy();
    try (ServletApp app = ServletApp.on(this).servlet("/x", servlet).start()) {
      for (String header :
          List.of("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override")) {
        Answer answer = app.send("POST", "/x?_method=DELETE", header + ": DELETE");
        assertEquals(List.of("class"), answer.policies(), header);
      }
      assertEquals(429, app.send("POST", "/x", "X-HTTP-Method-Override: DELETE").status());
    }
  }
}

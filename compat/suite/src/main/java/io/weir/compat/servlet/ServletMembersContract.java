package io.weir.compat.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Each member of the annotation that says how requests are counted, through HTTP: GET has it, POST
 * has it at its default, and the same requests end differently.
 */
public interface ServletMembersContract extends ServletServer {
  @Test
  default void limitSaysHowMany() throws Exception {
    try (ServletApp app = app(new CountingMembers.Limit())) {
      assertEquals(List.of(200, 200, 429), app.statuses(3, "GET", "/x"));
      assertEquals(List.of(200, 200, 200), app.statuses(3, "POST", "/x"));
    }
  }

  @Test
  default void windowSaysHowLong() throws Exception {
    assertAfter(Duration.ofSeconds(11), new CountingMembers.Window(), 200, 429);
  }

  @Test
  default void unitSaysWhatTheWindowIsMeasuredIn() throws Exception {
    assertAfter(Duration.ofSeconds(2), new CountingMembers.InUnits(), 429, 200);
  }

  @Test
  default void burstSaysHowManyATokenBucketHolds() throws Exception {
    try (ServletApp app = app(new CountingMembers.Bursting())) {
      assertEquals(List.of(200, 200, 429), app.statuses(3, "GET", "/x"));
      assertEquals(List.of(200, 200, 200), app.statuses(3, "POST", "/x"));
    }
  }

  @Test
  default void costSaysWhatARequestTakes() throws Exception {
    try (ServletApp app = app(new CountingMembers.Costly())) {
      assertEquals(5, app.get("/x").remaining());
      assertEquals(9, app.send("POST", "/x").remaining());
      assertEquals(List.of(200, 429), app.statuses(2, "GET", "/x"));
    }
  }

  @Test
  default void headCostsWhatGetCostsUnlessADoHeadAnswers() throws Exception {
    ServletAppBuilder builder =
        ServletApp.on(this)
            .servlet("/x", new Servlets.Hello())
            .servlet("/y", new Servlets.Heads())
            .servlet("/z", new Servlets.Serving())
            .setting("weir.cost.GET", "5");
    for (String policy : List.of("hello", "gets", "heads", "service")) {
      builder.setting("weir.policy." + policy + ".limit", "10");
    }
    try (ServletApp app = builder.start()) {
      assertEquals(5, app.send("HEAD", "/x").remaining());
      assertEquals(List.of(200, 429), app.statuses(2, "HEAD", "/x"));
      assertEquals(9, app.send("HEAD", "/y").remaining());
      assertEquals(5, app.get("/y").remaining());
      assertEquals(5, app.send("HEAD", "/z").remaining());
    }
  }

  @Test
  default void headCostsWhatGetCostsByAPathToo() throws Exception {
    ServletAppBuilder builder =
        ServletApp.on(this)
            .servlet("/x", new Servlets.Free())
            .servlet("/y", new Servlets.Heads())
            .setting("weir.cost.GET", "5")
            .setting("weir.policy.gets.limit", "100")
            .setting("weir.policy.heads.limit", "100")
            .setting("weir.policy.all.url", "/*")
            .setting("weir.policy.all.limit", "20")
            .setting("weir.policy.all.window", "60s");
    try (ServletApp app = builder.start()) {
      assertEquals(15, app.send("HEAD", "/x").remaining());
      assertEquals(14, app.send("HEAD", "/y").remaining());
      assertEquals(9, app.get("/y").remaining());
    }
  }

  @Test
  default void countFailuresGivesSuccessesBack() throws Exception {
    try (ServletApp app = app(new CountingMembers.Failing())) {
      assertEquals(List.of(200, 200, 200), app.statuses(3, "GET", "/x"));
      assertEquals(List.of(401, 404, 429), failuresThenOne(app, "GET"));
      assertEquals(List.of(200, 200, 429), app.statuses(3, "POST", "/x"));
    }
  }

  private static List<Integer> failuresThenOne(ServletApp app, String method) {
    return List.of(
        app.send(method, "/x?status=401").status(),
        app.send(method, "/x?status=404").status(),
        app.send(method, "/x").status());
  }

  @Test
  default void countSuccessesGivesFailuresBack() throws Exception {
    try (ServletApp app = app(new CountingMembers.Succeeding())) {
      assertEquals(List.of(500, 500, 500), app.statuses(3, "GET", "/x?status=500"));
      assertEquals(List.of(200, 204, 429), successesThenOne(app));
      assertEquals(List.of(500, 500, 429), app.statuses(3, "POST", "/x?status=500"));
    }
  }

  private static List<Integer> successesThenOne(ServletApp app) {
    return List.of(
        app.get("/x").status(),
        app.get("/x?status=204").status(),
        app.get("/x?status=500").status());
  }

  @Test
  default void aFixedWindowIsNewAtItsEdge() throws Exception {
    try (ServletApp app = app(new CountingMembers.Fixed())) {
      app.advance(Duration.ofMillis(9_900));
      app.statuses(2, "GET", "/x");
      app.statuses(2, "POST", "/x");
      app.advance(Duration.ofMillis(100));
      assertEquals(List.of(200, 200, 429), app.statuses(3, "GET", "/x"));
      assertEquals(429, app.send("POST", "/x").status());
    }
  }

  @Test
  default void aSlidingLogIsExact() throws Exception {
    try (ServletApp app = app(new CountingMembers.Logged())) {
      app.advance(Duration.ofMillis(50));
      app.get("/x");
      app.send("POST", "/x");
      app.advance(Duration.ofSeconds(10));
      assertEquals(200, app.get("/x").status());
      assertEquals(429, app.send("POST", "/x").status(), "sub-windows round up");
    }
  }

  @Test
  default void aTokenBucketIsRefilledOneByOne() throws Exception {
    try (ServletApp app = app(new CountingMembers.Refilled())) {
      app.statuses(10, "GET", "/x");
      app.statuses(10, "POST", "/x");
      app.advance(Duration.ofSeconds(1));
      assertEquals(List.of(200, 429), app.statuses(2, "GET", "/x"));
      assertEquals(429, app.send("POST", "/x").status());
    }
  }

  @Test
  default void aLeakyBucketSpacesRequests() throws Exception {
    try (ServletApp app = app(new CountingMembers.Leaking())) {
      assertEquals(List.of(200, 429), app.statuses(2, "GET", "/x"));
      assertEquals(List.of(200, 200), app.statuses(2, "POST", "/x"));
      app.advance(Duration.ofSeconds(1));
      assertEquals(List.of(200, 429), app.statuses(2, "GET", "/x"));
    }
  }

  private void assertAfter(Duration time, CountingServlet servlet, int get, int post)
      throws Exception {
    try (ServletApp app = app(servlet)) {
      assertEquals(List.of(200, 429), app.statuses(2, "GET", "/x"));
      assertEquals(List.of(200, 429), app.statuses(2, "POST", "/x"));
      app.advance(time);
      assertEquals(get, app.get("/x").status());
      assertEquals(post, app.send("POST", "/x").status());
      assertTrue(servlet.reached() > 2);
    }
  }

  private ServletApp app(CountingServlet servlet) throws Exception {
    return ServletApp.on(this).servlet("/x", servlet).start();
  }
}

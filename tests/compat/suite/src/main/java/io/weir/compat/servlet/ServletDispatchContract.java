package io.weir.compat.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.servlet.RateLimitFilter;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that each request is completed once, in whatever way it is dispatched and ends. */
public interface ServletDispatchContract extends ServletServer {
  /** The error pages in web.xml. */
  String ERROR_PAGE = "<error-page><location>/behind</location></error-page>";

  @ParameterizedTest
  @ValueSource(strings = {"forward", "include"})
  default void aDispatchToAnotherServletCountsForBoth(String kind) throws Exception {
    Servlets.Behind behind = new Servlets.Behind();
    try (ServletApp app = app("/x", new Servlets.Front(), behind).start()) {
      Answer answer = app.get("/x?" + kind);
      assertEquals(200, answer.status());
      assertEquals(1, behind.reached());
      assertEquals(List.of("front", "behind"), answer.policies());
      assertEquals(98, app.get("/x").remaining());
      assertEquals(98, app.get("/behind").remaining());
    }
  }

  @Test
  default void aForwardFromOutsideIsDecidedWhereItArrives() throws Exception {
    ServletAppBuilder builder =
        app("/x", new Servlets.Front(), new Servlets.Behind())
            .filters(
                (context, weir) ->
                    ServletAppBuilder.filter(
                        context, "weir", new RateLimitFilter(weir), "/behind"));
    try (ServletApp app = builder.start()) {
      assertEquals(List.of("behind"), app.get("/x?forward").policies());
      assertEquals(98, app.get("/behind").remaining());
    }
  }

  @Test
  default void aForwardFromWhereNothingIsLimitedIsDecidedWhereItArrives() throws Exception {
    try (ServletApp app = app("/x", new Servlets.Open(), new Servlets.Behind()).start()) {
      assertEquals(99, app.get("/x").remaining());
      assertEquals(List.of("behind"), app.get("/x").policies());
      assertEquals(97, app.get("/behind").remaining());
    }
  }

  @Test
  default void aWelcomePageIsNoWayPastItsLimit() throws Exception {
    String welcome = "<welcome-file-list><welcome-file>behind</welcome-file></welcome-file-list>";
    Servlets.Behind page = new Servlets.Behind();
    try (ServletApp app = app("/x", new Servlets.Open(), page).webXml(welcome).start()) {
      app.get("/");
      assertEquals(99 - page.reached(), app.get("/behind").remaining());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"error", "throw"})
  default void anErrorPageKeepsTheHeadersAndCountsNothing(String kind) throws Exception {
    Servlets.Behind page = new Servlets.Behind();
    try (ServletApp app = app("/x", new Servlets.Front(), page).webXml(ERROR_PAGE).start()) {
      Answer answer = app.get("/x?" + kind);
      assertEquals(kind.equals("error") ? 404 : 500, answer.status());
      assertEquals(1, page.reached());
      assertEquals(List.of("front"), answer.policies());
      assertEquals(99, answer.remaining());
      assertEquals(98, app.get("/x").remaining());
      assertEquals(99, app.get("/behind").remaining());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"error", "throw"})
  default void anErrorPageKeepsTheHeadersWhereTheFilterSeesRequestsOnly(String kind)
      throws Exception {
    ServletAppBuilder builder =
        app("/x", new Servlets.Front(), new Servlets.Behind())
            .webXml(ERROR_PAGE)
            .filters(
                (context, weir) ->
                    context
                        .addFilter("weir", new RateLimitFilter(weir))
                        .addMappingForUrlPatterns(null, true, "/*"));
    try (ServletApp app = builder.start()) {
      Answer answer = app.get("/x?" + kind);
      assertEquals(List.of("front"), answer.policies());
      assertEquals(99, answer.remaining());
    }
  }

  @Test
  default void sendErrorAndResetKeepTheHeaders() throws Exception {
    try (ServletApp app = app("/x", new Servlets.Front(), new Servlets.Behind()).start()) {
      assertEquals(99, app.get("/x?error").remaining());
      assertEquals(98, app.get("/x?reset").remaining());
    }
  }

  @Test
  default void anExceptionThatNobodyMapsStaysA500() throws Exception {
    try (ServletApp app = app("/x", new Servlets.Front(), new Servlets.Behind()).start()) {
      Answer answer = app.get("/x?throw");
      assertEquals(500, answer.status());
      assertEquals(99, answer.remaining());
      assertEquals(98, app.get("/x").remaining());
    }
  }

  @Test
  default void anExceptionIsAFailureWhateverTheStatusWas() throws Exception {
    try (ServletApp app = later()) {
      assertEquals(9, app.get("/failing").remaining());
      assertEquals(8, app.get("/failing").remaining());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"complete", "at-once", "dispatch", "again", "fallback"})
  default void whatEndsWellLaterIsGivenBack(String ending) throws Exception {
    try (ServletApp app = later()) {
      for (int i = 0; i < 3; i++) {
        Answer answer = app.get("/x?" + ending);
        assertEquals(200, answer.status());
        assertEquals(List.of("later"), answer.policies());
        assertEquals(9, answer.remaining());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"status=404", "timeout", "error", "throw"})
  default void whatEndsBadlyLaterCounts(String ending) throws Exception {
    try (ServletApp app = later()) {
      int status = app.get("/x?" + ending).status();
      // Tomcat hangs up on a servlet that throws after startAsync(), with and without a filter.
      assertTrue(status == 0 || status >= 400, "status " + status);
      assertEquals(8, app.get("/x?complete").remaining());
      assertEquals(0, app.weir().requestsInFlight());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "wrapped", "writer", "async"})
  default void theRefusalOfAWovenMethodIsARefusal(String kind) throws Exception {
    try (ServletApp app = app("/x", new Throwing(), new Servlets.Behind()).start()) {
      assertEquals(200, app.get("/x").status());
      Answer refusal = app.get("/x?" + kind);
      assertEquals(429, refusal.status());
      assertTrue(refusal.header("Content-Type").orElse("").startsWith("application/problem+json"));
      assertEquals("60", refusal.header("Retry-After").orElseThrow().replace("61", "60"));
      assertEquals(List.of("service"), refusal.policies());
      assertTrue(refusal.body().contains("\"violated-policies\":[\"service\"]"), refusal.body());
      assertTrue(!refusal.body().contains("half"), refusal.body());
    }
  }

  @Test
  default void aRefusalHasNeitherTheEncodingNorTheLengthOfWhatItReplaces() throws Exception {
    try (ServletApp app = app("/x", new Throwing(), new Servlets.Behind()).start()) {
      assertEquals(200, app.get("/x").status());
      for (String kind : List.of("encoded", "encoded-writer", "short-writer")) {
        Answer refusal = app.get("/x?" + kind);
        assertEquals(429, refusal.status());
        assertEquals(Optional.of("stays"), refusal.header("X-Own"));
        assertEquals(Optional.empty(), refusal.header("Content-Encoding"));
        assertTrue(refusal.body().endsWith("}"), kind + " " + refusal);
        int length = refusal.body().length();
        assertEquals(length, Integer.parseInt(refusal.header("Content-Length").orElseThrow()));
        Answer head = app.send("HEAD", "/x?" + kind);
        assertEquals(Optional.empty(), head.header("Content-Encoding"));
        assertNotEquals(Optional.of("5"), head.header("Content-Length"));
      }
    }
  }

  private ServletApp later() throws Exception {
    return app("/x", new Later(), new Servlets.Free())
        .servlet("/failing", new Throwing.Always())
        .start();
  }

  private ServletAppBuilder app(String path, CountingServlet servlet, CountingServlet behind) {
    return ServletApp.on(this).servlet(path, servlet).servlet("/behind", behind);
  }
}

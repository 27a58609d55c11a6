package io.weir.compat.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a servlet that has run stays charged, in whatever way its dispatches end. */
public interface ServletFinalChargesContract extends ServletServer {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "forward",
        "wrapped",
        "nested",
        "named-forward",
        "include",
        "named-include",
        "async"
      })
  default void aServletRunsNoMoreOftenThanItsLimitAllows(String kind) throws Exception {
    Dispatching.Front front = new Dispatching.Front();
    ServletAppBuilder builder =
        app(front, new Dispatching.Target())
            .setting("weir.policy.front.limit", "2")
            .setting("weir.policy.target.limit", "1");
    try (ServletApp app = builder.start()) {
      assertEquals(200, app.get("/target").status());
      for (int i = 0; i < 20; i++) {
        assertEquals(429, app.get("/front?" + kind).status());
      }
      assertEquals(2, front.ran());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"forward", "named-forward", "include", "named-include", "async", "nested"})
  default void soItIsWhereTheTargetCannotCountTheRequest(String kind) throws Exception {
    Dispatching.Front front = new Dispatching.Front();
    ServletAppBuilder builder =
        app(front, new Dispatching.Priced()).setting("weir.policy.front.limit", "2");
    try (ServletApp app = builder.start()) {
      Answer first = app.get("/front?" + kind);
      assertEquals(400, first.status());
      assertEquals(List.of("front"), first.policies());
      assertEquals(1, first.remaining());
      assertEquals(List.of(400, 429, 429), app.statuses(3, "GET", "/front?" + kind));
      assertEquals(2, front.ran());
    }
  }

  @Test
  default void aKeyThatIsTooLongAtTheTargetLeavesTheFrontCharged() throws Exception {
    Dispatching.Front front = new Dispatching.Front();
    ServletAppBuilder builder =
        app(front, new Dispatching.Keyed())
            .setting("weir.policy.front.limit", "2")
            .parts(weir -> weir.keyResolver("plan", request -> Optional.of("x".repeat(8_193))));
    try (ServletApp app = builder.start()) {
      assertEquals(List.of(400, 400, 429), app.statuses(3, "GET", "/front?forward"));
      assertEquals(2, front.ran());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"forward", "named-forward", "include", "async"})
  default void wrongGuessesCountWhateverPageTheyAreShown(String kind) throws Exception {
    Dispatching.Login login = new Dispatching.Login();
    ServletAppBuilder builder =
        app(login, new Dispatching.Target()).setting("weir.policy.target.limit", "1");
    try (ServletApp app = builder.start()) {
      assertEquals(200, app.get("/target").status());
      for (int i = 0; i < 20; i++) {
        assertEquals(429, app.get("/front?" + kind).status());
      }
      assertEquals(5, login.ran());
      assertEquals(429, app.get("/front?right").status(), "after five failures no request gets in");
    }
  }

  @Test
  default void whatCountsSuccessesIsGivenBackByTheStatusThatIsSent() throws Exception {
    Dispatching.Selling selling = new Dispatching.Selling();
    ServletAppBuilder builder =
        app(selling, new Dispatching.Target()).setting("weir.policy.target.limit", "1");
    try (ServletApp app = builder.start()) {
      assertEquals(200, app.get("/target").status());
      assertEquals(List.of(429, 429, 429, 429), app.statuses(4, "GET", "/front?forward"));
      assertEquals(4, selling.ran());
      assertEquals(List.of(200, 200, 429), app.statuses(3, "GET", "/front"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"forward", "include", "async"})
  default void whoComesBackAtRetryAfterIsAdmittedEverywhere(String kind) throws Exception {
    ServletAppBuilder builder =
        app(new Dispatching.Front(), new Dispatching.Target())
            .setting("weir.policy.front.limit", "2")
            .setting("weir.policy.front.window", "1h")
            .setting("weir.policy.target.limit", "1");
    try (ServletApp app = builder.start()) {
      assertEquals(200, app.get("/target").status());
      Answer first = app.get("/front?" + kind);
      assertEquals(List.of("front", "target"), first.policies());
      assertTrue(retryAfter(first) <= 61, "the front has one more: " + first);
      Answer second = app.get("/front?" + kind);
      assertTrue(second.body().contains("\"violated-policies\":[\"target\"]"), second.body());
      assertTrue(retryAfter(second) > 3_500, "the front is used up: " + second);
      assertTrue(second.body().contains("\"retryAfter\":" + retryAfter(second)), second.body());
      app.advance(Duration.ofSeconds(retryAfter(second)));
      assertEquals(200, app.get("/front?" + kind).status());
    }
  }

  private static long retryAfter(Answer refusal) {
    assertEquals(429, refusal.status());
    return Long.parseLong(refusal.header("Retry-After").orElseThrow());
  }

  @Test
  default void whatCostsMoreWhereItIsForwardedToIsChargedOnceAndGivenBackForThatAlone()
      throws Exception {
    Dispatching.Priced priced = new Dispatching.Priced();
    try (ServletApp app = app(priced, new Dispatching.Target()).start()) {
      assertEquals(200, app.get("/front?amount=60").status());
      Answer refused = app.get("/front?amount=10&more=90");
      assertEquals(429, refused.status());
      assertEquals(10, app.get("/front?amount=20").remaining(), "100 - 60 - 10 - 20");
      Answer admitted = app.get("/front?amount=4&more=10");
      assertEquals(200, admitted.status());
      assertEquals(0, admitted.remaining());
    }
  }

  @Test
  default void whatAnErrorPageForwardsToRefundsNothingElse() throws Exception {
    Servlets.Front front = new Servlets.Front();
    ServletAppBuilder builder =
        app(front, new Dispatching.Target())
            .servlet("/page", new Dispatching.Open())
            .setting("weir.policy.target.limit", "1")
            .webXml("<error-page><location>/page?forward</location></error-page>");
    try (ServletApp app = builder.start()) {
      assertEquals(200, app.get("/target").status());
      app.statuses(3, "GET", "/front?error");
      assertEquals(96, app.get("/front").remaining());
    }
  }

  @Test
  default void aLimitByUrlAndThatOfTheApplicationStayChargedToo() throws Exception {
    ServletAppBuilder builder =
        app(new Dispatching.Open(), new Dispatching.Target())
            .setting("weir.policy.all.url", "/*")
            .setting("weir.policy.all.limit", "1000")
            .setting("weir.policy.all.window", "60s")
            .setting("weir.application.limit", "5")
            .setting("weir.application.window", "60s")
            .setting("weir.policy.target.limit", "1");
    try (ServletApp app = builder.start()) {
      assertEquals(200, app.get("/target").status());
      assertEquals(List.of(429, 429, 429), app.statuses(3, "GET", "/front?forward"));
      Answer last = app.get("/front");
      assertEquals(200, last.status());
      assertEquals("application", last.closest());
      assertEquals(0, last.remaining());
    }
  }

  /** A common sign-in: a filter checks, and forwards failed sign-ins to a page. */
  @Test
  default void aFilterThatForwardsHasRunAsWell() throws Exception {
    ServletAppBuilder builder =
        app(new Dispatching.Login(), new Dispatching.Target())
            .setting("weir.policy.target.limit", "1")
            .filters(
                (context, weir) -> {
                  ServletAppBuilder.filter(context, "weir", new RateLimitFilter(weir), "/*");
                  ServletAppBuilder.filter(context, "check", forwarding(), "/front");
                });
    try (ServletApp app = builder.start()) {
      assertEquals(200, app.get("/target").status());
      app.statuses(5, "GET", "/front?wrong");
      assertEquals("login", app.get("/front?wrong").closest());
    }
  }

  private static Filter forwarding() {
    return (request, response, chain) -> {
      if (request.getDispatcherType() == DispatcherType.REQUEST) {
        request.getRequestDispatcher(Dispatching.TARGET).forward(request, response);
      } else {
        chain.doFilter(request, response);
      }
    };
  }

  private ServletAppBuilder app(CountingServlet front, CountingServlet target) {
    return ServletApp.on(this)
        .servlet("/front", front)
        .servlet("/between", new Dispatching.Open())
        .servlet(Dispatching.TARGET, target);
  }
}
